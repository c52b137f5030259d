"""
## What it does

Finds calls of modules that a hook for the backward pass was put on: `self.layer.register_full_backward_hook(...)`.

## Why it breaks the graph

The hook of a module runs Python while gradients are computed, which only compiled autograd takes into a graph. Without
it, Dynamo ends the graph at each call of that module, also where no gradient is taken.

## Example

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.layer.register_full_backward_hook(lambda module, given, found: None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x * 2)
```

Use instead:

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.layer.weight.register_hook(lambda gradient: None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x * 2)
```

## Fix safety

There is no automatic fix: a hook on a tensor sees one gradient, a hook on a module those of its input and output.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import MODULE
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import kept, walk

HOOKS: Final = frozenset({"register_full_backward_hook", "register_full_backward_pre_hook"})
STEM: Final = "register_full_backward_"


@rule("GM410", graph_breaks=("GB0083",), calls=lambda name, _: name.startswith("torch.nn."))
def backward_hook(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    hooked = _hooked(facts)
    if not hooked or facts.kinds(node.func) != MODULE:
        return
    path, function = dotted(node.func), facts.function(node)
    above = facts.parent(function) if function is not None else None
    if path is not None and above is not None and path in hooked.get(above, ()):
        yield Finding(node, f"`{path}` has a hook for the backward pass, which Dynamo does not trace")


@kept(1)
def _hooked(facts: Facts) -> dict[ast.AST, set[str]]:
    """By class: the attributes that hold modules on which one of its methods puts such a hook."""
    found: dict[ast.AST, set[str]] = {}
    if STEM not in facts.source.text:
        return found
    for made in walk(facts.source.tree):
        if isinstance(made, ast.ClassDef):
            paths = {_owner(each) for each in walk(made)} - {None}
            found[made] = {path for path in paths if path is not None and "." in path}
    return found


def _owner(node: ast.AST) -> str | None:
    """What a hook is put on."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in HOOKS:
            return dotted(owner)
    return None


@backward_hook.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("hook-on-module", "only compiled autograd traces it; a hook on a tensor is traced")
