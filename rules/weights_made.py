"""
## What it does

Finds parameters, and modules that have some, that are made inside compiled code: `nn.Parameter(...)`, `nn.Linear(...)`,
a class of the project whose constructor makes them.

## Why it breaks the graph

A parameter is a leaf for autograd, and belongs to a module that lives on. Dynamo cannot make one inside a graph.

## Example

```python
import torch
from torch import nn


def forward(x: torch.Tensor) -> torch.Tensor:
    norm = nn.LayerNorm(x.shape[-1])
    return norm(x)


compiled = torch.compile(forward)
```

Use instead:

```python
import torch
from torch import nn


def forward(x: torch.Tensor, norm: nn.LayerNorm) -> torch.Tensor:
    return norm(x)


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: the module belongs into a constructor, where it is made once and its weights are kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts, torch_api
from graphmend_lint.facts.values import MODULE
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

WEIGHTED: Final = frozenset(
    {"Linear", "Bilinear", "Embedding", "EmbeddingBag", "PReLU", "LayerNorm", "RMSNorm", "GroupNorm", "SyncBatchNorm"}
    | {"MultiheadAttention", "LSTM", "GRU", "RNN", "Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"}
    | {f"{kind}{n}d" for kind in ("Conv", "ConvTranspose", "BatchNorm") for n in (1, 2, 3)}
    | {"Parameter"}
)
SWITCHES: Final = frozenset({"affine", "elementwise_affine"})


def _may_make(name: str, facts: Facts) -> bool:
    return torch_api.canonical(name).startswith("torch.nn.")


@rule("GM405", graph_breaks=("GB0264", "GB0119", "GB0116"), calls=_may_make)
def weights_made(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    owner, _, name = torch_api.canonical(facts.resolve(node.func) or "").rpartition(".")
    if owner != "torch.nn" or facts.kinds(node.func) & MODULE or any(map(_is_off, node.keywords)):
        return
    if name in WEIGHTED:
        yield Finding(node, f"`{facts.text(node.func)}` makes parameters inside compiled code")
    elif name == "Buffer":
        yield from _kept(node, facts)


def _kept(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    """The finding about a buffer that a module keeps; until then it is a tensor like any other."""
    above = facts.parent(node)
    targets = above.targets if isinstance(above, ast.Assign) else []
    if any(isinstance(target, ast.Attribute) for target in targets):
        yield Finding(node, f"`{facts.text(node.func)}` makes a buffer of a module inside compiled code")


def _is_off(keyword: ast.keyword) -> bool:
    return keyword.arg in SWITCHES and isinstance(keyword.value, ast.Constant) and keyword.value.value is False


@weights_made.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("weights-made-inside", "the weights have to be made once, where the module is built")
