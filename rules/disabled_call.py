"""
## What it does

Finds calls of functions under `torch.compiler.disable` from compiled code.

## Why it breaks the graph

The decorator keeps Dynamo out of the function, so the graph must end at each call of it.

## Example

```python
import torch


@torch.compiler.disable
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def forward(x: torch.Tensor) -> torch.Tensor:
    return scale(x) + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def forward(x: torch.Tensor) -> torch.Tensor:
    return scale(x) + 1


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: somebody had a reason to disable compilation there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

DISABLING: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._dynamo.disallow_in_graph"})


@rule("GM402", graph_breaks=("GB0098", "GB0099"), calls=lambda name, _: name in DISABLING)
def disabled_call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    called = facts.value(node.func)
    if called.name in DISABLING and called.target is not None:
        yield Finding(node, f"`{facts.text(node.func)}` is kept out of compilation by `{called.name}`")


@disabled_call.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("disabled-on-purpose", "the function was kept out of compilation for some reason")
