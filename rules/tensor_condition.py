"""
## What it does

Finds places other than `if` that ask a tensor for its truth: `and`, `or` and `not` as values, `value in tensor`,
`bool(tensor)`, `any(...)` and `all(...)` over tensor tests, `match` on a tensor, conditions in comprehensions.

## Why it breaks the graph

Each of them calls `bool()` on the tensor, which needs its value.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    inside = (x > 0).all() and (x < 1).all()
    return x * inside


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    inside = (x > 0).all() & (x < 1).all()
    return x * inside


compiled = torch.compile(forward)
```

## Fix safety

`and` and `or` become `&` and `|` where every operand is proven to be a 0-dim bool tensor and may be evaluated early.
An answer that only decides, `ok = bool(t)` and then `if ok:`, stays a tensor, so that what it decides can be selected.
`match` on numbers becomes a chain of `if` where tensors can choose by it.

A function that returns `bool(t > 0)`, or `t.item() > 0 and flag`, and is only called where the truth of its answer is
asked, returns the tensor while compiling, and a bool otherwise. It is unsafe: compiled code of other files gets a
tensor.

`not t.any() or flag is None` becomes `flag is None or not t.any()`, where only the truth of the result matters: no
tensor is read if the flag decides. The other calls break the graph as before, so the diagnostic stays. It is unsafe if
the tensor's part may raise.

A function that gives `[layer for layer, drop in zip(layers, flags) if not drop]` gets a sister that gives pairs of a
layer and its flag, if every caller in the file loops over them and changes one tensor in each turn. In eager mode the
loops run as before; compiled, every turn runs, and `torch.where` keeps what its flag allows. The fix is unsafe.

Everything else is refused. A caller that asks for the truth of a returned result breaks the graph itself, and is
flagged itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import CONTAINER
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.answers import answered
from graphmend_lint.rewrite.asked import kept_as_tensor
from graphmend_lint.rewrite.dropped import items_with_flags
from graphmend_lint.rewrite.matching import as_branches
from graphmend_lint.rewrite.order import known_first
from graphmend_lint.rewrite.ternary import logical
from graphmend_lint.rule import rule
from graphmend_lint.shapes import in_test

Asking = ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call | ast.Match | ast.ListComp | ast.GeneratorExp | ast.SetComp
#: calls that ask for the truth of what they are given
EACH: Final = frozenset({"builtins.any", "builtins.all"})
ASKING: Final = EACH | {"builtins.bool"}


@rule("GM104", graph_breaks=("GB0170", "GB0124", "GB0109"), calls=lambda name, _: name in ASKING)
def tensor_condition(
    node: ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call | ast.Match | ast.ListComp | ast.GeneratorExp | ast.SetComp,
    facts: Facts,
) -> Iterator[Finding]:
    asked = _asks(node, facts)
    if asked is not None and not (isinstance(node, ast.expr) and in_test(node, facts.parent)):
        yield Finding(asked, f"`{_words(node, facts)}` needs the value of a tensor")


def _asks(node: Asking, facts: Facts) -> ast.expr | None:
    """The expression whose truth is asked, if that is data."""
    match node:
        case ast.BoolOp(values=[*asked, _]) if any(facts.is_tensor(each) for each in asked):
            return node
        case ast.UnaryOp(op=ast.Not(), operand=operand) if facts.is_tensor(operand):
            return node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]) if facts.is_tensor(right):
            return node
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return node if facts.is_tensor(left) and facts.kinds(right) == CONTAINER else None
        case ast.Compare(ops=[_, _, *_]) if facts.is_data(node) and any(map(facts.is_tensor, _operands(node))):
            return node
        case ast.Call(args=[asked]) if facts.resolve(node.func) == "builtins.bool" and facts.is_tensor(asked):
            return node
        case ast.Call(args=[ast.GeneratorExp(elt=asked) | ast.ListComp(elt=asked)]) if facts.is_data(asked):
            return node if facts.resolve(node.func) in EACH else None
        case ast.Call(args=[asked]) if facts.is_tensor(asked) and facts.resolve(node.func) in EACH:
            return node
        case ast.Match(subject=subject):
            return subject if facts.is_data(subject) else None
        case ast.ListComp(generators=loops) | ast.GeneratorExp(generators=loops) | ast.SetComp(generators=loops):
            return next((test for loop in loops for test in loop.ifs if facts.needs_data(test)), None)
    return None


def _operands(node: ast.Compare) -> list[ast.expr]:
    return [node.left, *node.comparators]


def _words(node: Asking, facts: Facts) -> str:
    match node:
        case ast.BoolOp(op=op):
            return "and" if isinstance(op, ast.And) else "or"
        case ast.UnaryOp():
            return "not"
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "in"
        case ast.Compare():
            return "a < b < c"
        case ast.Call(func=function):
            return facts.text(function)
        case ast.Match():
            return "match"
    return "if"


@tensor_condition.fixer
def combine(node: Asking, facts: Facts) -> Fix | Refusal:
    if isinstance(node, ast.Match):
        return as_branches(node, facts)
    found = logical(node, facts) if isinstance(node, ast.BoolOp) else None
    if isinstance(found, Fix):
        return found
    if isinstance(node, ast.ListComp) and (kept := items_with_flags(node, facts)) is not None:
        return kept
    found = kept_as_tensor(node, facts, found)
    if isinstance(found, Fix) or not isinstance(node, ast.expr):
        return found
    return answered(node, facts) or known_first(node, facts) or found
