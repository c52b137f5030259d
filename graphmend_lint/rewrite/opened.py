"""Branches rearranged so that what they store can be selected: no early `return`, no `with`, no unpacking inside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import branch, changed_later, is_temporary, unchanged
from graphmend_lint.rewrite.guard import unless
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import block_of

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

Names = dict[str, str]
STORES: Final = 8  #: statements that a branch may consist of


def opened(node: ast.If, facts: Facts) -> Fix | None:
    """The branch rearranged; kept only if its stores can be selected after that."""
    return _without_return(node, facts) or _under_no_grad(node, facts) or _unpacked(node, facts)


def _without_return(node: ast.If, facts: Facts) -> Fix | None:
    """`if c: return` before the stores that end a function, as `if not c:` around them."""
    function = facts.parent(node)
    if not isinstance(function, ast.FunctionDef) or node.orelse or not all(map(_is_bare_return, node.body)):
        return None
    rest = block_of(node, function)
    rest = rest[rest.index(node) + 1 :]
    if not _only_stores(rest, node, facts):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        code = f"if {unless(site, node.test)}:\n    REST"
        return (site.replace(node, code, REST=rest), *map(site.remove, rest))

    return Fix("Put what follows the early return into a branch", Applicability.SAFE, edits, opens=True)


def _under_no_grad(node: ast.If, facts: Facts) -> Fix | None:
    """`if c: with torch.no_grad(): ...` as `with torch.no_grad(): if c: ...`."""
    match node:
        case ast.If(body=[ast.With(items=[ast.withitem(context_expr=mode, optional_vars=None)], body=body)], orelse=[]):
            pass
        case _:
            return None
    if (
        not isinstance(mode, ast.Call)
        or facts.resolve(mode.func) != "torch.no_grad"
        or not _only_stores(body, node, facts)
    ):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        test = site.code(node.test)
        test = f"({test})" if "\n" in test else test
        return (site.replace(node, f"with {site.code(mode)}:\n    if {test}:\n        BODY", BODY=body),)

    return Fix("Turn gradients off around the branch", Applicability.SAFE, edits, opens=True)


def _unpacked(node: ast.If, facts: Facts) -> Fix | None:
    """`a, b = f(a, b)` as `new_a, new_b = f(a, b)`, `a = new_a` and `b = new_b`."""
    sides = [_unpacking(node.body, "new", node, facts), _unpacking(node.orelse, "other", node, facts)]
    found = [each for side in sides for each in side]
    if not found or any(len(side) > 1 for side in sides):
        return None
    if not all(_is_selectable(each, names, node, facts) for each, names in found):
        return None
    rest = [each for each in [*node.body, *node.orelse] if all(each is not unpacking for unpacking, _ in found)]
    if isinstance(branch(rest, node, facts), Refusal):
        return None
    if not isinstance(condition(node.test, facts, named=True), Condition):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return tuple(site.replace(each, _named(site, each, names)) for each, names in found)

    title = "Give what a branch unpacks names of its own"
    return Fix(title, Applicability.SAFE, edits, opens=True, last=True)


def _unpacking(block: list[ast.stmt], lead: str, node: ast.If, facts: Facts) -> list[tuple[ast.Assign, Names]]:
    """The statements that unpack values which others than the branch read, with new names for each target."""
    found: list[tuple[ast.Assign, Names]] = []
    for statement in block:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)]):
                names = [each.id for each in targets if isinstance(each, ast.Name)]
                plain = len(set(names)) == len(targets)
                if plain and not all(is_temporary(each, node, facts) for each in names):
                    found.append((statement, {each: unused([f"{lead}_{each}"], node, facts) for each in names}))
    return found


def _is_selectable(statement: ast.Assign, names: Names, node: ast.If, facts: Facts) -> bool:
    """True if the values may always be computed, and go to names that hold tensors which nobody changes later."""
    doubts = effects(statement.value, facts)
    if doubts.refusal or (doubts.nan_gradient and not no_grad(node, facts)):
        return False
    if isinstance(statement.value, ast.Tuple) and any(facts.kinds(each) != TENSOR for each in statement.value.elts):
        return False
    kept = [unchanged(each, node, facts) for each in names] if not node.orelse else []
    return not any(isinstance(each, Refusal) or each.number for each in kept) and not any(
        changed_later(each, node, facts) for each in names
    )


def _named(site: Site, statement: ast.Assign, names: Names) -> str:
    lines = [f"{', '.join(names.values())} = {site.code(statement.value)}"]
    return "\n".join([*lines, *(f"{old} = {new}" for old, new in names.items())])


def _is_bare_return(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Return) and (
        statement.value is None or (isinstance(statement.value, ast.Constant) and statement.value.value is None)
    )


def _only_stores(block: list[ast.stmt], node: ast.If, facts: Facts) -> bool:
    """True if the block only sets names and changes tensors in place, and the test can be a tensor."""
    if not 0 < len(block) <= STORES or any(
        not isinstance(each, ast.Assign | ast.AugAssign | ast.Expr) for each in block
    ):
        return False
    found = branch(block, node, facts)
    if isinstance(found, Refusal) or not found.stores:
        return False
    return isinstance(condition(node.test, facts, chooses=False), Condition)
