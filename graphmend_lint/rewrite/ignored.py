"""A loss of the rows whose label is not a certain number: `cross_entropy` knows which label to ignore."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition, definition_at, statement_of
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.shapes import same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

LOSS: Final = "torch.nn.functional.cross_entropy"
CAVEAT: Final = (
    "The gradient is NaN where a row that was left out holds NaN or infinity; "
    "labels are taken to be class numbers, and elements are added in another order."
)


def ignored(node: ast.expr, facts: Facts) -> Fix | None:
    """`cross_entropy(x[m], y[m])` with `m = y != -100` as `cross_entropy(x, y, ignore_index=-100)`."""
    call = facts.parent(node)
    match call:
        case ast.Call(args=[ast.Subscript(value=x, slice=m), ast.Subscript(value=ast.Name() as y, slice=other)]):
            pass
        case _:
            return None
    if facts.resolve(call.func) != LOSS or not same(m, other) or not _averages(call):
        return None
    label = _label(m, y, facts)
    if label is None or facts.kinds(x) != TENSOR or facts.kinds(y) != TENSOR:
        return None

    def code(site: Site) -> str:
        given = [f"{site.operand(x)}.flatten(0, -2)", f"{y.id}.flatten()", f"ignore_index={site.argument(label)}"]
        given += [f"{word.arg}={site.argument(word.value)}" for word in call.keywords]
        return f"{site.code(call.func)}({', '.join(given)})"

    return Fix(
        title="Let the loss ignore the label",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(call, code(site)),),
        caveat=CAVEAT,
    )


def _averages(call: ast.Call) -> bool:
    """True if the loss is averaged, with no option under which an ignored row would count after all."""
    return all(
        word.arg == "reduction" and isinstance(word.value, ast.Constant) and word.value.value in ("mean", "sum")
        for word in call.keywords
    )


def _label(mask: ast.expr, labels: ast.Name, facts: Facts) -> ast.expr | None:
    """The label that the mask leaves out, if the mask is made of these very labels."""
    found = definition(mask, facts).value if isinstance(mask, ast.Name) else mask
    match found:
        case ast.Compare(left=ast.Name(id=name) as left, ops=[ast.NotEq()], comparators=[label]) if name == labels.id:
            made = definition_at(name, statement_of(left, facts), facts)
            steady = made == definition(labels, facts) and not changed_later(name, mask, facts)
            is_int = type(facts.value(label).const) is int and not isinstance(label, ast.Name)
            return label if steady and is_int and not _changed(mask, facts) else None
    return None


def _changed(mask: ast.expr, facts: Facts) -> bool:
    return isinstance(mask, ast.Name) and changed_later(mask.id, mask, facts)
