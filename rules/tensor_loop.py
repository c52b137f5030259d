"""
## What it does

Finds loops whose number of turns depends on a tensor's value: `while` on a tensor, `for` over `range(tensor)`.

## Why it breaks the graph

Dynamo unrolls loops while it traces. How often this one runs is known only from data, so the function falls back to
Python at the loop.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    while x.norm() > 1:
        x = x * 0.5
    return x


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    def unfinished(x):
        return x.norm() > 1

    def step(x):
        return (x * 0.5,)

    if torch.compiler.is_compiling():
        started = unfinished(x)
        last = torch.while_loop(unfinished, step, (x,))
        x = torch.where(started, last[0], x)
    else:
        while unfinished(x):
            (x,) = step(x)
    return x


compiled = torch.compile(forward)
```

## Fix safety

A loop with a bound that Python counts (`while x.norm() > 1 and n < 10`) runs all its turns, and a flag says which ones
count. Any other becomes `torch.while_loop` in the graph, and stays Python's loop in eager mode: its turn and its test
become local functions. Both fixes are unsafe: shapes and dtypes must not change from turn to turn, and the results are
new tensors. None is offered where a turn does more than compute, where the gradient of a turn that is not run may be
NaN, and where attributes are stored, since torch 2.13 may lose those.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.active import loop_with_flag
from graphmend_lint.rewrite.while_loop import looped
from graphmend_lint.rule import rule


@rule("GM103", graph_breaks=("GB0170", "GB0059", "GB0124"))
def tensor_loop(node: ast.While | ast.For, facts: Facts) -> Iterator[Finding]:
    match node:
        case ast.While(test=test) if facts.needs_data(test):
            yield Finding(test, "`while` needs the value of a tensor")
        case ast.For(iter=ast.Call(func=function, args=bounds) as turns) if any(
            _is_read(each, facts) for each in bounds
        ):
            if facts.resolve(function) == "builtins.range":
                yield Finding(turns, "`range` needs the value of a tensor")


def _is_read(bound: ast.expr, facts: Facts) -> bool:
    """True for a tensor, and for an expression that reads a number from one."""
    inner = bound.args if isinstance(bound, ast.Call) and facts.is_scalar(bound) else []
    owner = [bound.func.value] if isinstance(bound, ast.Call) and isinstance(bound.func, ast.Attribute) else []
    return facts.is_tensor(bound) or (facts.is_scalar(bound) and any(map(facts.is_data, [*inner, *owner])))


@tensor_loop.fixer
def in_graph(node: ast.While | ast.For, facts: Facts) -> Fix | Refusal:
    found = loop_with_flag(node, facts) if isinstance(node, ast.While) else None
    return found if isinstance(found, Fix) else looped(node, facts)
