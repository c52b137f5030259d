"""Truth values that only decide: `ok = bool(t)`, then `if ok:`. The tensor itself serves as well."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.rewrite.passed_on import CAVEAT, Followed
from graphmend_lint.rewrite.predicate import term
from graphmend_lint.rewrite.term import Term
from graphmend_lint.shapes import in_test

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

ESCAPES: Final = Refusal("value-escapes", "the result is a Python value here, and a tensor could not take its place")


def kept_as_tensor(node: ast.AST, facts: Facts, refusal: Refusal | None = None) -> Fix | Refusal:
    """The question left as a tensor, if its answer gets a name that only decides; else `refusal`."""
    above = facts.parent(node)
    if not isinstance(node, ast.expr) or not isinstance(above, ast.Assign) or len(above.targets) != 1:
        return refusal or ESCAPES
    target, answer = above.targets[0], Followed(facts)
    if not isinstance(target, ast.Name) or not answer.decides(target.id, above):
        return refusal or ESCAPES
    asked = term(node, facts)
    found = asked.ungated() if isinstance(asked, Term) else asked
    if isinstance(found, Refusal) or found.gates:
        return found if isinstance(found, Refusal) else refusal or ESCAPES

    def edits(site: Site) -> tuple[Edit, ...]:
        code = (
            f"{found.operand()(site)}.clone()" if found.shared else found.code(site)
        )  # it may change before it is asked
        if not found.before:
            return (site.expression(node, code),)
        return (site.replace(above, f"{found.names(site)}{site.code(target)} = {code}"),)

    doubt = " ".join(filter(None, (found.doubt, CAVEAT if answer.given else "")))
    level = Applicability.UNSAFE if doubt else Applicability.SAFE
    return Fix("Keep the condition a tensor", level, edits, doubt, opens=True)


def only_asked(node: ast.expr, facts: Facts) -> bool:
    """True if the value gets a name, and the program only asks whether that is true."""
    match facts.parent(node):
        case ast.Assign(targets=[ast.Name(id=name)]) as above:
            loads = loads_of(name, above, facts)
            return bool(loads) and all(in_test(each, facts.parent) for each in loads or ())
    return False
