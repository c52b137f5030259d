"""
## What it does

Finds stores to `.data` of a tensor that the traced code has made: `y.data = x`.

## Why it breaks the graph

Such a store swaps the memory under a tensor behind autograd's back. Dynamo only follows it for tensors that come from
outside.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y.data = x
    return y


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y.detach().copy_(x)
    return y


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: the store shares memory, a copy does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule
from graphmend_lint.shapes import walk_function
from graphmend_lint.syntax import walk


@rule("GM409", graph_breaks=("GB0056",))
def data_store(node: ast.Assign, facts: Facts) -> Iterator[Finding]:
    match node.targets:
        case [ast.Attribute(value=ast.Name(id=name), attr="data")] if _is_made_here(name, node, facts):
            yield Finding(node, f"`{name}.data` is stored, of a tensor that is made inside the graph")


def _is_made_here(name: str, node: ast.Assign, facts: Facts) -> bool:
    """True if all that the name is bound to are results of calls and operations on tensors."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or any(
        each.arg == name for each in walk(function.args) if isinstance(each, ast.arg)
    ):
        return False
    bound = [each for each in walk_function(function) if _binds(each, name)]
    made = [each.value for each in bound if isinstance(each, ast.Assign)]
    stores = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name]
    stores = [each for each in stores if isinstance(each.ctx, ast.Store)]
    return len(made) == len(stores) > 0 and all(_is_new(each, facts) for each in made)


def _binds(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=bound)]):
            return bound == name
    return False


def _is_new(node: ast.expr, facts: Facts) -> bool:
    return isinstance(node, ast.BinOp) and facts.kinds(node) == TENSOR


@data_store.fixer
def refuse(node: ast.Assign, facts: Facts) -> Fix | Refusal:
    return Refusal("in-place", "the store shares memory, a copy does not")
