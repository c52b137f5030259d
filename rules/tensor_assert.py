"""
## What it does

Finds `assert` on a tensor whose message is computed: an f-string, `format`, a call.

## Why it breaks the graph

Dynamo puts `assert condition, "text"` into the graph, but only if the text is constant. With a computed message it must
read the condition, and breaks.

## Example

```python
import torch


def forward(x: torch.Tensor, limit: float = 1.0) -> torch.Tensor:
    assert (x < limit).all(), f"x must stay below {limit}"
    return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor, limit: float = 1.0) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async((x < limit).all(), "x must stay below ...")
    else:
        assert (x < limit).all(), f"x must stay below {limit}"
    return x + 1


compiled = torch.compile(forward)
```

## Fix safety

Eager mode stays exact. Compiled code raises `RuntimeError` instead of `AssertionError`, and its message has `...` for
what is computed: the fix is unsafe. Under `side-effects = "vendor"` an operator in the project's own package raises
`AssertionError` with the whole message, compiled or not: safe, unless computing what the message shows may raise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.guard import asserting
from graphmend_lint.rule import rule


@rule("GM106", graph_breaks=("GB0170",))
def tensor_assert(node: ast.Assert, facts: Facts) -> Iterator[Finding]:
    computed = node.msg is not None and not isinstance(node.msg, ast.Constant)
    if computed and facts.needs_data(node.test):
        yield Finding(node, "the message of an `assert` on a tensor is computed")


@tensor_assert.fixer
def assert_on_device(node: ast.Assert, facts: Facts) -> Fix | Refusal:
    return asserting(node, facts)
