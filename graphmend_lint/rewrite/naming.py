"""Names for what a fix has to name: such as a reader would choose, and that the function does not use."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from graphmend_lint.shapes import names_bound, names_read

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

CONDITIONS: Final = ("condition", "is_true", "selected", "condition_")
#: by the function that gives the value
VALUES: Final = {
    "sum": "total", "mean": "mean", "norm": "norm", "max": "largest", "amax": "largest", "min": "smallest",
    "amin": "smallest", "std": "deviation", "var": "variance", "median": "median", "prod": "product",
}  # fmt: skip


def unused(names: Iterable[str], node: ast.AST, facts: Facts) -> str:
    """The first of `names` that the function around `node` does not use, numbered if need be."""
    function, names = facts.function(node), list(names)
    taken = names_bound([function]) | names_read(function) if function is not None else set()
    return next(each for each in [*names, *(f"{names[0]}_{n}" for n in range(2, 100))] if each not in taken)


def fresh_name(node: ast.AST, facts: Facts) -> str:
    """A name for a condition."""
    return unused(CONDITIONS, node, facts)


def value_name(value: ast.expr, facts: Facts) -> str:
    """A name for the value of an expression."""
    called = value.func if isinstance(value, ast.Call) else None
    match called:
        case ast.Attribute(attr=last) | ast.Name(id=last):
            return unused([VALUES.get(last, "value"), "value"], value, facts)
    return unused(["value"], value, facts)
