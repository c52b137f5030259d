"""
## What it does

Finds `torch.cond` and `while_loop` in code that may run without `torch.compile` too.

## Why it breaks the graph

It does not. But called in eager mode, these operators compile their arms first: seconds on the first call and
milliseconds on each one after, against microseconds for Python's `if`. Gated by `torch.compiler.is_compiling()`, eager
mode keeps Python's control flow.

## Example

```python
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
```

Use instead:

```python
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.compiler.is_compiling():
            return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        return torch.sin(x) if x.sum() > 0 else torch.cos(x)
```

## Fix safety

There is no automatic fix: eager mode may be meant to run the same operator. Functions that are compiled where they are
defined are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rule import rule
from graphmend_lint.shapes import CONTROL_FLOW
from graphmend_lint.syntax import walk

GATES: Final = frozenset({"is_compiling", "is_dynamo_compiling", "is_torchdynamo_compiling", "is_exporting"})


@rule("GM902", graph_breaks=(), calls=lambda name, _: name in CONTROL_FLOW)
def ungated_control_flow(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    if facts.resolve(node.func) in CONTROL_FLOW and not _is_gated(node, facts) and not _is_compiled(node, facts):
        name = facts.text(node.func)
        yield Finding(node, f"`{name}` compiles its arms in eager mode, too: gate it", Severity.WARNING)


def _is_gated(node: ast.AST, facts: Facts) -> bool:
    """True if a function around the node asks whether it is being compiled."""
    function = facts.function(node)
    while function is not None:
        if any(_last(call.func) in GATES for call in walk(function) if isinstance(call, ast.Call)):
            return True
        function = facts.function(function)
    return False


def _is_compiled(node: ast.AST, facts: Facts) -> bool:
    """True if the entry point is compiled where it is defined."""
    chain = facts.chain(node)
    top = [each for each in walk(facts.source.tree) if isinstance(each, ast.FunctionDef)]
    entries = [each for each in top if chain and each.name == chain[0].name.rpartition(".")[2]]
    return any(facts.text(mark).find("compile") >= 0 for each in entries for mark in each.decorator_list)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


@ungated_control_flow.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal("gate-by-hand", "what eager mode is to do instead has to be written")
