"""NumPy's reductions of sizes as Python's own, which Dynamo computes; NumPy's it traces as tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, CONTAINER, MISSING, SYMINT, Value
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.shapes import names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

REDUCTIONS: Final = {
    "numpy.prod": "math.prod", "numpy.sum": "sum", "numpy.max": "max", "numpy.amax": "max", "numpy.min": "min",
    "numpy.amin": "min",
}  # fmt: skip
CAVEAT: Final = "The result is a number of Python's, not NumPy's; and no sizes have the product 1, not 1.0."


class Reduction(NamedTuple):
    """What to replace: the call, or the conversion around it."""

    place: ast.expr
    call: ast.Call
    exact: bool


def static_numbers(node: ast.AST, facts: Facts) -> Fix | None:
    """Rewrite the reductions of sizes in `node`, and in what its names were given; None if there are none."""
    found = list(dict.fromkeys(_reductions(node, facts)))
    names = {REDUCTIONS[facts.resolve(each.call.func) or ""].partition(".")[0] for each in found}
    if not found or any(is_local(each, node, facts) or is_rebound(each, facts) for each in names):
        return None
    exact = all(each.exact for each in found)
    return Fix(
        title="Compute with Python's numbers",
        applicability=Applicability.SAFE if exact else Applicability.UNSAFE,
        edits=lambda site: tuple(_edit(site, each, facts) for each in found),
        caveat="" if exact else CAVEAT,
        imports=("math",) if "math" in names else (),
    )


def _edit(site: Site, found: Reduction, facts: Facts) -> Edit:
    function = REDUCTIONS[facts.resolve(found.call.func) or ""]
    return site.expression(found.place, f"{function}({site.argument(found.call.args[0])})")


def is_rebound(name: str, facts: Facts) -> bool:
    """True if the file gives the name a meaning of its own."""
    plain = [each for each in facts.source.tree.body if not isinstance(each, ast.ClassDef | ast.FunctionDef)]
    defined = {each.name for each in facts.source.tree.body if isinstance(each, ast.ClassDef | ast.FunctionDef)}
    return name != "math" and (name in defined or name in names_bound(plain))


def _reductions(node: ast.AST, facts: Facts) -> Iterator[Reduction]:
    for each in walk(node):
        given: ast.expr | None = each if isinstance(each, ast.Call) else None
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            given = definition(each, facts).value
        call = _converted(given, facts) if given is not None else None
        if given is not None and call is not None:
            yield Reduction(given, call, given is not call and _are_whole(call.args[0], facts))
        elif isinstance(given, ast.Call) and _is_of_sizes(given, facts):
            above = facts.parent(given)
            if not (isinstance(above, ast.Call) and _converted(above, facts) is given):
                yield Reduction(given, given, False)


def _converted(node: ast.expr, facts: Facts) -> ast.Call | None:
    """The reduction whose result is converted by `int(...)`, if nothing else is."""
    match node:
        case ast.Call(args=[ast.Call() as inner], keywords=[]) if facts.resolve(node.func) == "builtins.int":
            return inner if _is_of_sizes(inner, facts) and _are_whole(inner.args[0], facts) else None
    return None


def _is_of_sizes(node: ast.Call, facts: Facts) -> bool:
    """True for the reduction of a sequence of numbers that Dynamo knows."""
    if facts.resolve(node.func) not in REDUCTIONS or len(node.args) != 1 or node.keywords:
        return False
    if isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
        return False
    value = facts.value(node.args[0])
    parts = _parts(value)
    return value.kinds == CONTAINER and bool(parts) and all(not part.kinds & ~(SYMINT | CONSTANT) for part in parts)


def _parts(value: Value) -> tuple[Value, ...]:
    return value.items or ((value.element,) if value.element is not None else ())


def _are_whole(node: ast.expr, facts: Facts) -> bool:
    """True if the numbers are proven to be ints."""
    return all(part.kinds == SYMINT or _is_int(part.const) for part in _parts(facts.value(node)))


def _is_int(value: object) -> bool:
    return value is not MISSING and type(value) is int
