"""Not fixed: the view has to stay one, other parts of the index are tensors, or the length is not known."""

import torch
from torch import nn


class Places(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Identity(), nn.Identity()])
        self.state = torch.zeros(4)

    def forward(self, x: torch.Tensor, n: torch.Tensor) -> list[torch.Tensor]:
        x = x.clone()
        row = x[n.item()]  # GM201
        row += 1
        x[n.item()][0] = 2  # GM201
        x[n.item()].mul_(2)  # GM201
        shown = x[n.item()]  # GM201
        x[0, n.item()] = 3  # GM201
        x[n, n.item()] = 3  # GM201
        y = x * 1
        first = n.item()  # GM201
        some = y[first:]
        more = y[first : first + n]  # GM201
        less = y[first : first - 1]
        back = y[first : first + 2 : 1]
        kept = self.state[n.item()]  # GM201
        self.state[0] = 1
        layer = self.layers[n.item()]  # GM201
        table = {1: 2.0}[n.item()]  # GM201
        none = y[None, n.item()]  # GM201
        half = y[1.5 * n.item() :]  # GM201
        low = x / max(1e-3, y.sum().item())  # GM201
        return [row, shown, some, more, less, back, kept, layer(x), x * table, none, half, low]


forward = Places


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(torch.ones(4, 4), torch.tensor(1))]
