"""
## What it does

Finds `torch._assert_async(condition)` without a message.

## Why it breaks the graph

It does not: it is worse. torch 2.13 takes the operator without a message for one that does nothing, and the backends
`aot_eager` and `inductor` remove it. The compiled code no longer checks anything. With a message the check stays.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    torch._assert_async((x > 0).all())
    return x.log()


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    torch._assert_async((x > 0).all(), "(x > 0).all()")
    return x.log()


compiled = torch.compile(forward)
```

## Fix safety

Unsafe: the text of the error changes, in eager mode too. The message is the condition as it is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Applicability, Finding, Fix, Refusal, Severity
from graphmend_lint.rewrite.template import call as call_text
from graphmend_lint.rewrite.template import quoted
from graphmend_lint.rule import rule
from graphmend_lint.shapes import call_statement

CHECKS: Final = frozenset({"torch._assert_async", "torch.ops.aten._assert_async"})


@rule("GM901", graph_breaks=())
def assert_without_message(node: ast.Expr, facts: Facts) -> Iterator[Finding]:
    call = call_statement(node)
    if call is not None and facts.resolve(call.func) in CHECKS and len(call.args) == 1 and not call.keywords:
        message = f"`{facts.text(call.func)}` without a message is removed when compiled: nothing is checked"
        yield Finding(node, message, Severity.WARNING)


@assert_without_message.fixer
def add_message(node: ast.Expr, facts: Facts) -> Fix | Refusal:
    call = call_statement(node)
    if call is None or isinstance(call.args[0], ast.Starred):
        return Refusal("arm-not-simple", "the condition is not written out")
    function, condition = call.func, call.args[0]
    text = quoted(" ".join(facts.text(condition).split()))
    return Fix(
        title="Add a message",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (
            site.replace(node, call_text(site.code(function), [site.argument(condition), text], site.room(node))),
        ),
        caveat="The text of the error changes.",
    )
