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
    for _ in range(16):
        x = torch.where(x.norm() > 1, x * 0.5, x)
    return x


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: only you know a bound for the number of turns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule


@rule("GM103", graph_breaks=("GB0170", "GB0059", "GB0124"))
def tensor_loop(node: ast.While | ast.For, facts: Facts) -> Iterator[Finding]:
    match node:
        case ast.While(test=test) if facts.needs_data(test):
            yield Finding(test, "`while` needs the value of a tensor")
        case ast.For(iter=ast.Call(func=function, args=bounds) as turns) if any(map(facts.is_tensor, bounds)):
            if facts.resolve(function) == "builtins.range":
                yield Finding(turns, "`range` needs the value of a tensor")


@tensor_loop.fixer
def refuse(node: ast.While | ast.For, facts: Facts) -> Fix | Refusal:
    return Refusal("loop-bound-unknown", "how often the loop runs is known only from data")
