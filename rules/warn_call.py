"""
## What it does

Finds `warnings.warn` and `warnings.warn_explicit` in compiled code.

## Why it breaks the graph

The `warnings` module keeps state and looks at the caller's frame. Dynamo skips it: the graph ends there.

## Example

```python
import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    warnings.warn("slow path")
    return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        warnings.warn("slow path")
    return x + 1


compiled = torch.compile(forward)
```

## Fix safety

Unsafe: the warning is not emitted when compiled. Eager mode is unchanged. The setting `side-effects` chooses something
else: `"guard"` accepts the loss, `"once"` keeps constant warnings once per trace, `"vendor"` keeps all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.text_calls import is_warning
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.policy import keep
from graphmend_lint.rule import Option, rule

FUNCTIONS: Final = Option("functions", "more functions that warn; `a.b.*` stands for all below `a.b`")


@rule("GM303", graph_breaks=("GB0007",), options=(FUNCTIONS,), calls=is_warning)
def warn_call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    if is_warning(facts.resolve(node.func), facts):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`")


@warn_call.fixer
def skip(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return keep(node, facts, "The warning is not emitted when compiled.")
