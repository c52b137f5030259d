"""
## What it does

Finds `assert` on a tensor that torch does not put into the graph: its message is computed (an f-string, `format`, a
call), or its condition is more than one tensor (`not`, `and`, `or`, `a < b < c`, `bool(...)`, `torch.allclose(...)`),
or a list of tensors, `assert outputs`.

## Why it breaks the graph

Dynamo puts `assert condition, "text"` into the graph, but only if the text is constant and the condition one tensor.
Otherwise it must read the condition, and breaks. A list that holds tensors is taken for a tensor, too, and breaks.

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

A condition of several parts becomes one tensor: `assert not bad.any() and ok.all()` is `assert ~bad.any() & ok.all()`.
With a computed message, or where only shapes tell whether the tensors can be compared, the `assert` stays as it is for
eager mode.

- **Unsafe**: compiled code raises `RuntimeError` instead of `AssertionError`, with `...` in its message for what is
  computed.
- **Safe** under `side-effects = "vendor"`: an operator in the project's own package raises `AssertionError` with the
  whole message, compiled or not. It is unsafe only if computing what the message shows may raise.

`assert outputs` becomes `assert len(outputs) > 0`, which is safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONTAINER, TENSOR
from graphmend_lint.model import Applicability, Finding, Fix, Refusal, Severity
from graphmend_lint.rewrite.guard import asserting, is_settled
from graphmend_lint.rewrite.python_numbers import tested_in_python
from graphmend_lint.rule import rule


@rule("GM106", graph_breaks=("GB0170", "GB0124", "GB0033", "GB0112"))
def tensor_assert(node: ast.Assert, facts: Facts) -> Iterator[Finding]:
    if _holds_tensors(node.test, facts):
        yield Finding(node, "Dynamo takes the list of an `assert` for a tensor")
        return
    computed = node.msg is not None and not isinstance(node.msg, ast.Constant)
    severity = Severity.ERROR if computed and facts.needs_data(node.test) else _asks(node.test, facts)
    if severity is not None and not is_settled(node, facts):
        words = "the message of an `assert` on a tensor is computed"
        yield Finding(node, words if computed else "the `assert` asks for more than the truth of one tensor", severity)


def _holds_tensors(test: ast.expr, facts: Facts) -> bool:
    """True for a list, tuple or dict, made in this function, that has tensors in it."""
    value = facts.value(test)
    if value.kinds != CONTAINER or value.element is None or value.element.kinds != TENSOR:
        return False
    given = definition(test, facts).value if isinstance(test, ast.Name) else None
    return isinstance(given, ast.List | ast.ListComp | ast.Tuple | ast.Dict | ast.DictComp)


def _asks(test: ast.expr, facts: Facts) -> Severity | None:
    """The severity of an assertion that Python must evaluate; None if torch asserts it, or no tensor is asked."""
    match test:
        case ast.BoolOp(values=[*first, last]):
            return Severity.ERROR if any(facts.needs_data(each) for each in first) else _asks(last, facts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return Severity.ERROR if facts.needs_data(operand) else None
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]) if facts.is_tensor(right):
            return Severity.WARNING
        case ast.Compare(ops=[_, _, *_]):
            return Severity.ERROR if facts.needs_data(test) else None
    if facts.is_tensor(test) or not facts.needs_data(test):
        return None
    read = isinstance(test, ast.Compare) or facts.resolve(getattr(test, "func", test)) == "builtins.bool"
    return Severity.WARNING if read else Severity.ERROR


@tensor_assert.fixer
def assert_on_device(node: ast.Assert, facts: Facts) -> Fix | Refusal:
    if _holds_tensors(node.test, facts):
        return Fix(
            "Assert its length",
            Applicability.SAFE,
            lambda site: (site.expression(node.test, f"len({site.code(node.test)}) > 0"),),
        )
    return tested_in_python(node.test, facts) or asserting(node, facts)
