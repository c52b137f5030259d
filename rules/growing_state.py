"""
## What it does

Finds Python numbers that a module, or its file, counts up at each call and reads, and lists that grow at each call and
whose length is read.

## Why it breaks the graph

Dynamo compiles for the value that the number has, and guards on it. The next call finds another value and compiles
again: measured on torch 2.13, each of the first eight calls compiles; from the ninth on nothing is compiled any more,
and under `fullgraph=True` the ninth call fails. A buffer that counts is a tensor, and is not guarded on.

## Example

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.step += 1
        return x / self.step
```

Use instead:

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.step += 1
        return x / self.step
```

## Fix safety

There is no automatic fix: a buffer is saved with the weights, and what reads the number elsewhere would get a tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import MODULE
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rule import rule
from graphmend_lint.shapes import call_statement, dotted, same, walk_function
from graphmend_lint.syntax import walk

LIMIT = "compiles anew at each call, eight times; then, under `fullgraph=True`, the ninth call fails"


@rule("GM601", graph_breaks=("GB0039",))
def growing_state(node: ast.AugAssign | ast.Assign | ast.Expr, facts: Facts) -> Iterator[Finding]:
    grown = _counted(node) or _grown(node)
    if grown is None:
        return
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef):
        return
    number = not isinstance(node, ast.Expr)
    if _starts_in(grown, function, number, facts) and _is_read(grown, node, function):
        what = "is counted up" if number else "grows"
        yield Finding(node, f"`{facts.text(grown)}` {what} and is read: {LIMIT}", Severity.WARNING)


def _counted(node: ast.stmt) -> ast.expr | None:
    """What `x += 1` or `x = x + 1` counts up."""
    match node:
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub(), value=ast.Constant(value=int(step))) if step:
            return target
        case ast.Assign(
            targets=[target], value=ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=int(step)))
        ) if step and same(target, left):
            return target
    return None


def _grown(node: ast.stmt) -> ast.expr | None:
    """What `x.append(...)` makes longer."""
    call = call_statement(node)
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as grown, attr="append")):
            return grown
    return None


def _starts_in(grown: ast.expr, function: ast.FunctionDef, number: bool, facts: Facts) -> bool:
    """True if other code stores nothing there but the plain number (or list) that it begins with."""
    match grown:
        case ast.Attribute(value=ast.Name() as owner) if facts.kinds(owner) == MODULE:
            above = facts.parent(function)
        case ast.Name(id=name) if any(isinstance(each, ast.Global) and name in each.names for each in function.body):
            above = facts.source.tree
        case _:
            return False
    if above is None or (isinstance(grown, ast.Attribute) and not isinstance(above, ast.ClassDef)):
        return False
    return _plain(_stored(grown, above, function), number)


def _stored(grown: ast.expr, above: ast.AST, function: ast.FunctionDef) -> list[ast.expr]:
    inside = set(walk(function))
    found = (each for each in walk(above) if isinstance(each, ast.Assign) and each not in inside)
    return [each.value for each in found if any(same(target, grown) for target in each.targets)]


def _plain(values: list[ast.expr], number: bool) -> bool:
    def plain(value: ast.expr) -> bool:
        if number:
            return isinstance(value, ast.Constant) and type(value.value) is int
        return isinstance(value, ast.List) and not value.elts

    return bool(values) and all(plain(value) for value in values)


def _is_read(grown: ast.expr, node: ast.stmt, function: ast.FunctionDef) -> bool:
    """True if the function reads it, and neither resets it nor changes it in another way."""
    path, own = dotted(grown), set(walk(node))
    others = [each for each in walk_function(function) if each not in own and _path(each) == path]
    if any(not isinstance(getattr(each, "ctx", None), ast.Load) for each in others):
        return False
    if isinstance(node, ast.Expr):
        return _length_is_read(grown, function) and not _is_shortened(grown, function)
    return bool(others)


def _path(node: ast.AST) -> str | None:
    return dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None


def _length_is_read(grown: ast.expr, function: ast.FunctionDef) -> bool:
    calls = (each for each in walk_function(function) if isinstance(each, ast.Call))
    return any(
        isinstance(call.func, ast.Name) and call.func.id == "len" and any(same(each, grown) for each in call.args)
        for call in calls
    )


def _is_shortened(grown: ast.expr, function: ast.FunctionDef) -> bool:
    """True if another method than `append` is called on it, or a part of it is set or deleted."""
    for each in walk_function(function):
        match each:
            case ast.Attribute(value=value, attr=attr) if attr != "append" and same(value, grown):
                return True
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if same(value, grown):
                return True
    return False


@growing_state.fixer
def refuse(node: ast.AugAssign | ast.Assign | ast.Expr, facts: Facts) -> Fix | Refusal:
    return Refusal("state-is-python", "a buffer would be saved with the weights: keep the count there if that is meant")
