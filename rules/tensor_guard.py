"""
## What it does

Finds checks that raise an exception if a tensor condition holds: `if (x < 0).any(): raise ValueError(...)`, or end the
program: `if not math.isfinite(loss.item()): sys.exit(1)`.

## Why it breaks the graph

Python must read the tensor to know whether to raise. `torch._assert_async` checks on the device instead, inside the
graph.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise ValueError("x must not be negative")
    return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(~(x < 0).any(), "x must not be negative")
    elif (x < 0).any():
        raise ValueError("x must not be negative")
    return x + 1


compiled = torch.compile(forward)
```

## Fix safety

Eager mode stays exact. Compiled code raises `RuntimeError` with the constant part of the message.

- **Safe** if the exception is a `RuntimeError` with constant text. Under `side-effects = "vendor"` an operator in the
  project's own package raises the same exception with the same text, compiled or not: safe as well, unless computing
  what the text shows may raise.
- **Unsafe** otherwise. What the branch says before it raises is left out when compiled, as is the exit code.
- **Refused** inside `try`; where the condition is a number that was read from the tensor before; and where the branch
  stores something, which whoever catches the exception may see.

A Python condition that is joined by `and` stays an `if`; a name that holds `flag and t.all()`, a Python bool or a
tensor, is converted. `any(int(v) not in allowed for v in torch.unique(x))` asks all of `x` at once, by `torch.isin`,
and what only prepares the check is left to eager mode.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.guard import is_settled, raising
from graphmend_lint.rewrite.python_numbers import tested_in_python
from graphmend_lint.rule import rule
from graphmend_lint.shapes import guarded_raise


@rule("GM105", graph_breaks=("GB0170", "GB0124", "GB0033"))
def tensor_guard(node: ast.If, facts: Facts) -> Iterator[Finding]:
    if facts.needs_data(node.test) and guarded_raise(node) is not None and not is_settled(node, facts):
        yield Finding(node.test, "the check needs the value of a tensor before it can raise")


@tensor_guard.fixer
def assert_on_device(node: ast.If, facts: Facts) -> Fix | Refusal:
    found, known = guarded_raise(node), tested_in_python(node.test, facts)
    if known is not None:
        return known
    return raising(node, found, facts) if found else Refusal("arm-not-simple", "the branch does more than raise")
