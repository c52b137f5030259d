"""
## What it does

Finds methods that change the shape or the storage of an input in place: `x.unsqueeze_(0)`, `x.t_()`, `x.squeeze_()`,
`x.set_(y)`.

## Why it breaks the graph

The caller's tensor would get another shape, which a graph cannot give it back. Dynamo ends the graph there. On a tensor
that the traced code has made itself, the same methods are traced.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x.unsqueeze_(0)
    return x * 2


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x.unsqueeze(0)
    return x * 2


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: the caller may rely on the new shape of its tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule
from graphmend_lint.shapes import walk_function

METHODS: Final = frozenset(
    f"torch.Tensor.{name}"
    for name in ("unsqueeze_", "squeeze_", "t_", "transpose_", "swapaxes_", "as_strided_", "detach_", "set_")
)


@rule("GM407", graph_breaks=("GB0148", "GB0072", "GB0128"), calls=lambda name, _: name in METHODS)
def input_view(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    match node.func:
        case ast.Attribute(value=ast.Name(id=name)) if facts.resolve(node.func) in METHODS and _is_input(
            name, node, facts
        ):
            yield Finding(node, f"`{facts.text(node.func)}` changes the shape or storage of an input in place")


def _is_input(name: str, node: ast.expr, facts: Facts) -> bool:
    """True for a parameter of the entry point that still holds what was passed."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or len(facts.chain(node)) != 1:
        return False
    stores = (each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name)
    named = any(each.arg == name for each in (*function.args.posonlyargs, *function.args.args))
    return named and all(isinstance(each.ctx, ast.Load) or each.lineno > node.lineno for each in stores)


@input_view.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("caller-sees-it", "the caller's tensor changes, too, and may be meant to")
