"""torch_geometric, which is not installed where tests run: what breaks inside it is known from a table."""

from __future__ import annotations

from pathlib import Path

from graphmend_lint.engine import lint
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

TEXT = """\
import torch
from torch import nn
from torch_geometric import nn as graphs
from torch_geometric.nn import GATConv, GCNConv, global_mean_pool
from torch_geometric.utils import remove_self_loops, softmax


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GCNConv(8, 8)
        self.without = GATConv(8, 8, add_self_loops=False)
        self.layers = nn.ModuleList([graphs.ChebConv(8, 8, 2) for _ in range(2)])
        self.mean = graphs.SAGEConv(8, 8)

    def forward(self, x: torch.Tensor, edges: torch.Tensor, batch: torch.Tensor):
        x = self.first(x, edges)  # breaks
        x = self.mean(self.without(x, edges), edges)
        for layer in self.layers:
            x = layer(x, edges)  # breaks
        edges, _ = remove_self_loops(edges)  # breaks
        x = x + softmax(x, edges[0])  # breaks
        x = x + softmax(x, edges[0], num_nodes=x.size(0)) + global_mean_pool(x, None)
        x = x + global_mean_pool(x, batch, 2)
        return global_mean_pool(x, batch)  # breaks


class Layer(graphs.MessagePassing):
    def forward(self, x: torch.Tensor, edges: torch.Tensor):
        edges, _ = remove_self_loops(edges)  # breaks
        return self.propagate(edges, x=x)
"""


def test_layers_and_functions_that_break_inside() -> None:
    found = lint([Source(Path("graphs.py"), TEXT)], load_rules().values())
    marked = [row for row, line in enumerate(TEXT.splitlines(), 1) if line.endswith("# breaks")]
    assert [(each.code, each.span.start.row) for each in found] == [("GM401", row) for row in marked]
