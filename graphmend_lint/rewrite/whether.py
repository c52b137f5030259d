"""Whether anything was found: `if mask.nonzero().numel() == 0` asked of the mask itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import meta
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.counting import how_many, indices
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.shapes import in_test

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

DIMENSIONS: Final = "In a mask without dimensions, `nonzero().numel()` is always 0."


class Question(NamedTuple):
    """A test of how many indices there are."""

    node: ast.expr
    negated: bool  #: true if there are none
    by_elements: bool  #: `numel()`, which counts each index once for each dimension


def whether(node: ast.Call, facts: Facts) -> Fix | None:
    """A rewrite for indices of which the code only asks whether there are any; None for other uses."""
    tensor = indices(node, facts)
    if tensor is None:
        return None
    asked, named = _uses(node, facts)
    questions = [_question(each, facts) for each in asked]
    known = [each for each in questions if each is not None]
    if not known or len(known) < len(questions):
        return None
    doubtful = any(each.by_elements for each in known)
    if doubtful and meta(tensor, facts).is_0d:
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        text = f"{site.operand(tensor)}.any()"
        name = site.code(asked[0]) if named else text
        tests = [site.expression(each.node, f"not {name}" if each.negated else name) for each in known]
        return (*tests, *([site.expression(node, text)] if named else []))

    return Fix(
        title="Ask the mask",
        applicability=Applicability.UNSAFE if doubtful else Applicability.SAFE,
        edits=edits,
        caveat=DIMENSIONS if doubtful else "",
        opens=True,
    )


def _uses(node: ast.expr, facts: Facts) -> tuple[list[ast.expr], bool]:
    """Where the indices are used: the loads of the name that they get, True; or the call itself, False."""
    match facts.parent(node):
        case ast.Assign(targets=[ast.Name(id=name)]) as above:
            return loads_of(name, above, facts) or [], True
    return [node], False


def _question(node: ast.expr, facts: Facts) -> Question | None:
    """The test around indices, if it is one of how many there are."""
    counted, elements = how_many(node, facts), False
    match facts.parent(node):
        case ast.Attribute(attr="numel") as above:
            around = facts.parent(above)
            counted, elements = (around, True) if isinstance(around, ast.Call) and not around.args else (None, False)
    if counted is None:
        return None
    test = facts.parent(counted)
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int(bound))]) if left is counted:
            negated = is_none(op, bound)
            tested = in_test(test, facts.parent)
            return Question(test, negated, elements) if tested and negated is not None else None
    return Question(counted, False, elements) if in_test(counted, facts.parent) else None


def is_none(op: ast.cmpop, bound: int) -> bool | None:
    """True if the comparison says that there are none, False if that there are some."""
    match op, bound:
        case (ast.Eq() | ast.LtE(), 0) | (ast.Lt(), 1):
            return True
        case (ast.NotEq() | ast.Gt(), 0) | (ast.GtE(), 1):
            return False
    return None
