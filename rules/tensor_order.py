"""
## What it does

Finds tensors that Python's own functions put in order or look for: `sorted(tensors)`, `tensors.sort()`,
`min(items, key=lambda x: x.sum())`, `sorted(x)`, `[1, 2, 3].index(x)`.

## Why it breaks the graph

Python compares the tensors one by one, and needs the truth of each comparison.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    low, high = sorted([x.min() + 1, x.max()])
    return x.clamp(low, high)


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    low, high = torch.stack([x.min() + 1, x.max()]).sort(dim=0, stable=True).values
    return x.clamp(low, high)


compiled = torch.compile(forward)
```

## Fix safety

`sorted(xs)` becomes a list of `torch.stack(xs).sort(...)`; where a key is a number of each tensor, `argsort`, `argmin`
or `argmax` of the keys picks from the stack. It is unsafe: there must be at least one tensor, all of one shape and
dtype, and no NaN; what comes out are copies, and the gradient of what is not used is zero, where it was None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import CONSTANT, TENSOR, UNKNOWN_VALUE, Value
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.sorted_tensors import in_order
from graphmend_lint.rule import rule

SORTING: Final = frozenset({"builtins.sorted", "container.sort"})
PICKING: Final = frozenset({"builtins.min", "builtins.max"})
ORDERING: Final = SORTING | PICKING | {"container.index"}
NUMBERS: Final = frozenset({"sum", "mean", "max", "min", "norm", "prod", "any", "all", "abs"})


@rule("GM107", graph_breaks=("GB0207", "GB0170", "GB0193", "GB0124"), calls=lambda name, _: name in ORDERING)
def tensor_order(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    name = facts.resolve(node.func)
    if name in SORTING | PICKING and _compares_tensors(node, name, facts):
        yield Finding(node, f"`{facts.text(node.func)}` compares tensors")
    elif name == "container.index" and isinstance(node.func, ast.Attribute) and node.args:
        element = facts.value(node.func.value).element
        if facts.kinds(node.args[0]) == TENSOR and element is not None and element.kinds == CONSTANT:
            yield Finding(node, f"`{facts.text(node.func)}` compares a tensor with each number")


def _compares_tensors(node: ast.Call, name: str | None, facts: Facts) -> bool:
    items = _items(node, facts)
    if items.kinds != TENSOR and (items.element is None or items.element.kinds != TENSOR):
        return False
    key = next((word.value for word in node.keywords if word.arg == "key"), None)
    return name in SORTING if key is None else _is_tensor_key(key, facts)


def _items(node: ast.Call, facts: Facts) -> Value:
    if isinstance(node.func, ast.Attribute):
        return facts.value(node.func.value)
    return facts.value(node.args[0]) if len(node.args) == 1 else UNKNOWN_VALUE


def _is_tensor_key(key: ast.expr, facts: Facts) -> bool:
    """True for `lambda x: x`, `lambda x: x.sum()` and `torch.sum`, of tensors."""
    match key:
        case ast.Attribute(attr=function):
            return function in NUMBERS and (facts.resolve(key) or "").startswith("torch.")
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body):
            return _is_number(body, name)
    return False


def _is_number(node: ast.expr, name: str) -> bool:
    """True for `x`, `-x`, `x.sum()`, `torch.sum(x)` and `x.sum().item()`."""
    match node:
        case ast.Name(id=same):
            return same == name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_number(operand, name)
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return _is_number(inner, name)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method), args=given) if method in NUMBERS:
            return owner == name or [getattr(each, "id", None) for each in given] == [name]
    return False


@tensor_order.fixer
def order(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return in_order(node, facts, SORTING | PICKING)
