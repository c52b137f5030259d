"""
## What it does

Finds code that runs autograd inside compiled code: `.backward()`, `torch.autograd.grad`, `requires_grad_()`,
`x.requires_grad = True`, `torch.zeros(3, requires_grad=True)`; and `apply` of an `autograd.Function` that is given one
tensor twice.

## Why it breaks the graph

The backward pass is derived from the whole graph after tracing. A call for gradients in the middle of it must leave the
graph, and so must a new leaf of it.

## Example

```python
import torch


def slope(x: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().requires_grad_()
    (gradient,) = torch.autograd.grad((leaf**3).sum(), leaf)
    return gradient


compiled = torch.compile(slope)
```

Use instead:

```python
import torch


def slope(x: torch.Tensor) -> torch.Tensor:
    leaf = x.detach()
    gradient = torch.func.grad(lambda leaf: (leaf**3).sum())(leaf).detach()
    return gradient


compiled = torch.compile(slope)
```

## Fix safety

A gradient that is taken of a new leaf in two or three lines (the leaf, perhaps the value, `torch.autograd.grad`)
becomes `torch.func.grad` or `grad_and_value`: unsafe, since what else is made of the leaf no longer requires grad, and
modules must change nothing in place while they are derived.

A new tensor that requires grad and is only computed with, `x + torch.zeros(4, requires_grad=True)`, is made without:
unsafe, since what is made of it requires grad only where something else in it does. It is not done if the tensor is
returned or kept, or if the function looks at gradients.

`backward()` and `requires_grad_()` alone are refused: call `backward()` on what the compiled function returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.autograd import APPLY, has_class_methods
from graphmend_lint.facts.grad_mode import maybe_no_grad
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import NONE, TENSOR, UNKNOWN
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.derivative import derivative
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.leaves import without_gradient
from graphmend_lint.rule import rule

SWITCH: Final = "torch.Tensor.requires_grad_"
CALLS: Final = frozenset({"torch.Tensor.backward", "torch.autograd.grad", "torch.autograd.backward", SWITCH})


def _may_require(name: str, facts: Facts) -> bool:
    return name in CALLS or name.startswith("torch.")


@rule(
    "GM403",
    graph_breaks=("GB0225", "GB0123", "GB9186", "GB7324", "GB8985", "GB0125", "GB0206", "GB7312", "GB6297"),
    calls=_may_require,
)
def autograd_call(node: ast.Call | ast.Assign, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.Assign):
        if any(_is_switch(target, facts) for target in node.targets):
            yield Finding(node, "whether a tensor requires gradients is changed inside compiled code")
        return
    name = facts.resolve(node.func) or ""
    if name == SWITCH and (derivative(node, facts) is not None or _changes_nothing(node, facts)):
        return  # one break, and one fix, with the call that takes the gradient
    if name in CALLS:
        yield Finding(node, f"`{facts.text(node.func)}` runs autograd inside compiled code")
    elif name == APPLY and has_class_methods(facts.value(node.func)):
        yield Finding(node, f"Dynamo hands `{facts.text(node.func)}` no class, which its methods take first")
    elif name == APPLY and (twice := _given_twice(node, facts)) and not maybe_no_grad(node, facts):
        yield Finding(node, f"`{facts.text(node.func)}` is given `{twice}` twice, and may be given a tensor once")
    elif any(map(_makes_leaf, node.keywords)) and name.startswith("torch.") and facts.is_tensor(node):
        yield Finding(node, f"`{facts.text(node.func)}` makes a tensor that requires gradients inside compiled code")


def _changes_nothing(node: ast.Call, facts: Facts) -> bool:
    """True for `requires_grad_(False)` of a tensor that is made here: one with a gradient raises in eager mode too."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor), args=[ast.Constant(value=False)], keywords=[]):
            made = definition(tensor, facts).value if isinstance(tensor, ast.Name) else tensor
            return made is not None and is_fresh(made, facts)
    return False


def _is_switch(target: ast.expr, facts: Facts) -> bool:
    """True for a store to `x.requires_grad`. Of what is unknown, only a tensor is likely to have that attribute."""
    if not isinstance(target, ast.Attribute) or target.attr != "requires_grad":
        return False
    return not facts.kinds(target.value) & ~(TENSOR | NONE | UNKNOWN)


def _given_twice(node: ast.Call, facts: Facts) -> str | None:
    """The tensor that `apply` of a `torch.autograd.Function` is given in two places; None if there is none."""
    names = [
        each.id for each in node.args if isinstance(each, ast.Name) and facts.kinds(each) & (TENSOR | NONE) == TENSOR
    ]
    return next((name for name in names if names.count(name) > 1), None)


def _makes_leaf(keyword: ast.keyword) -> bool:
    """True for `requires_grad=True`, and for `requires_grad=self.training`, which is True where it matters."""
    match keyword:
        case ast.keyword(arg="requires_grad", value=ast.Constant(value=True) | ast.Attribute(attr="training")):
            return True
    return False


@autograd_call.fixer
def refuse(node: ast.Call | ast.Assign, facts: Facts) -> Fix | Refusal:
    leaf = without_gradient(node, facts) if isinstance(node, ast.Call) else None
    return (
        derivative(node, facts)
        or leaf
        or Refusal("autograd-in-region", "the call has to move to where the compiled code is called")
    )
