"""
## What it does

Finds code that runs autograd inside compiled code: `.backward()`, `torch.autograd.grad`, `requires_grad_()`.

## Why it breaks the graph

The backward pass is derived from the whole graph after tracing. A call for gradients in the middle of it must leave the
graph.

## Example

```python
import torch


def step(loss: torch.Tensor) -> torch.Tensor:
    loss = loss * 2
    loss.backward()
    return loss


compiled = torch.compile(step)
```

Use instead:

```python
import torch


def step(loss: torch.Tensor) -> torch.Tensor:
    return loss * 2


compiled = torch.compile(step)
```

## Fix safety

There is no automatic fix: call `backward()` on what the compiled function returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

CALLS: Final = frozenset(
    {"torch.Tensor.backward", "torch.autograd.grad", "torch.autograd.backward", "torch.Tensor.requires_grad_"}
)


@rule("GM403", graph_breaks=("GB0225", "GB0123", "GB9186", "GB7324", "GB0125"))
def autograd_call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    if facts.resolve(node.func) in CALLS:
        yield Finding(node, f"`{facts.text(node.func)}` runs autograd inside compiled code")


@autograd_call.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("autograd-in-region", "the call has to move to where the compiled code is called")
