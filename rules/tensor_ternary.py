"""
## What it does

Finds conditional expressions, `a if condition else b`, whose condition is a tensor or a number read from one.

## Why it breaks the graph

Python must know the condition to choose an operand, so Dynamo stops the graph and reads the tensor's value.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0 if x.mean() > 0 else x * 0.5
    return y + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.mean() > 0, x * 2.0, x * 0.5)
    return y + 1


compiled = torch.compile(forward)
```

## Fix safety

As for `tensor-branch`: both operands are computed. Two Python numbers become a 0-dim tensor, which is offered only
where the result is an operand of tensor arithmetic, and is unsafe; an integer and a float become floating. Where one
operand is constant, `torch.tensor(0.0)`, gradients are zero where they used to be None, which is unsafe as well. A
Python flag in the condition stays one: `a if flag and t else b` becomes `torch.where(t, a, b) if flag else b`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.by_default import by_default
from graphmend_lint.rewrite.draws import drawn_if_needed
from graphmend_lint.rewrite.finite import spreads
from graphmend_lint.rewrite.python_numbers import tested_in_python
from graphmend_lint.rewrite.ternary import ternary
from graphmend_lint.rule import rule


@rule("GM102", graph_breaks=("GB0170", "GB0124"))
def tensor_ternary(node: ast.IfExp, facts: Facts) -> Iterator[Finding]:
    if facts.needs_data(node.test):
        yield Finding(node, "the conditional expression needs the value of a tensor")


@tensor_ternary.fixer
def select(node: ast.IfExp, facts: Facts) -> Fix | Refusal:
    known = tested_in_python(node.test, facts) or drawn_if_needed(node.test, facts)
    found = known or spreads(node, facts) or ternary(node, facts)
    return (by_default(node.test, facts) or found) if isinstance(found, Refusal) else found
