"""A mask that is written out in each place, `x[~m] = f(y[~m])`, is given a name: `chosen = ~m`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.kept_out import keeps_from_nan
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.shapes import same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NAMES: Final = ("chosen", *(f"chosen_{n}" for n in range(2, 100)))
CAVEAT: Final = "The mask is computed before what is stored, which must not change what it is made of."


def named_mask(node: ast.Subscript, facts: Facts) -> Fix | None:
    """The store with a name for its mask; None unless the mask is computed, and the same in all places."""
    statement, mask, function = statement_of(node, facts), node.slice, facts.function(node)
    stores = [each for each in walk(function) if _stores(each, facts)] if function is not None else []
    match statement:
        case ast.Assign(targets=[ast.Subscript(slice=index) as target], value=value) if statement in stores:
            pass
        case _:
            return None
    if not same(index, mask) or keeps_from_nan(mask, mask, [value], facts):
        return None
    name = unused(NAMES[stores.index(statement) :], node, facts)

    def named(part: ast.expr, site: Site) -> str:
        places = [each for each in walk(part) if isinstance(each, ast.expr) and same(each, mask)]
        return site.code(part, dict.fromkeys(places, name))

    def edits(site: Site) -> tuple[Edit, ...]:
        lines = [f"{name} = {site.code(mask)}", f"{named(target, site)} = {named(value, site)}"]
        return (site.replace(statement, "\n".join(lines)),)

    return Fix("Give the mask a name", Applicability.UNSAFE, edits, CAVEAT, opens=True)


def _stores(node: ast.AST, facts: Facts) -> bool:
    """True for `x[mask] = value` with a mask that is computed there."""
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=mask)]) if not isinstance(mask, ast.Name):
            value = facts.value(mask)
            is_mask = value.kinds == TENSOR and bool(value.traits & BOOL)
            return is_mask and effects(mask, facts).refusal is None
    return False
