"""Branches rearranged so that what they store can be selected: no early `return`, no `with` inside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import branch
from graphmend_lint.rewrite.guard import unless
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import block_of

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

STORES: Final = 8  #: statements that a branch may consist of


def opened(node: ast.If, facts: Facts) -> Fix | None:
    """The branch rearranged; kept only if its stores can be selected after that."""
    return _without_return(node, facts) or _under_no_grad(node, facts)


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
