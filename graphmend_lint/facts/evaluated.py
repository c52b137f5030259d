"""Whether the program evaluates an expression anyway, so that evaluating it early cannot raise anything new."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import LOOPS, SCOPES, statement_of
from graphmend_lint.shapes import block_of, names_bound, names_read, same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

PLAIN: Final = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr


def is_evaluated(node: ast.Subscript, facts: Facts) -> bool:
    """True if the same is evaluated where `node` is not: in the other branch, in the condition, or before."""
    current: ast.AST | None = node
    above = facts.parent(node)
    while isinstance(current, ast.expr | ast.stmt) and not isinstance(above, ast.If | ast.IfExp):
        current, above = above, facts.parent(above) if above is not None else None
    if not isinstance(above, ast.If | ast.IfExp):
        return False
    if above.test is current:
        return _is_asked_anyway(node, above)
    body, orelse = _side(above.body), _side(above.orelse)
    if names_bound([*body, *orelse]) & names_read(node):
        return False
    in_body = any(each is current for each in body)
    places = [*_asked(above.test, not in_body), *_begun(orelse if in_body else body)]
    return _evaluate(places, node) or _was_evaluated(node, above, facts)


def _is_asked_anyway(node: ast.expr, branch: ast.If | ast.IfExp) -> bool:
    """True for a part of a condition if the branch that is taken where it is not asked evaluates the same."""
    parts = branch.test.values if isinstance(branch.test, ast.BoolOp) else []
    if not isinstance(branch.test, ast.BoolOp) or not any(each is node for part in parts for each in _always(part)):
        return False  # a part of a part may be skipped, and the other branch taken
    taken = _side(branch.body if isinstance(branch.test.op, ast.Or) else branch.orelse)
    return not names_bound(taken) & names_read(node) and _evaluate(_begun(taken), node)


def _asked(test: ast.expr, answer: bool) -> Sequence[ast.expr]:
    """The parts of a condition that were evaluated if this was its answer: the others may have been skipped."""
    if not isinstance(test, ast.BoolOp):
        return [test]
    return test.values if isinstance(test.op, ast.And) is answer else test.values[:1]


def _evaluate(places: Sequence[ast.AST], node: ast.expr) -> bool:
    return any(same(each, node) for place in places for each in _always(place) if isinstance(each, ast.Subscript))


def _was_evaluated(node: ast.expr, branch: ast.AST, facts: Facts) -> bool:
    """True if a statement before the branch evaluates the same, and what it reads has not been set since."""
    names, current = names_read(node), statement_of(branch, facts)
    while current is not None and not isinstance(current, (*SCOPES, *LOOPS)):
        parent = facts.parent(current)
        block = block_of(current, parent) if parent is not None else []
        for before in reversed(block[: block.index(current)] if block else []):
            if names_bound([before]) & names:
                return False
            if _evaluate([before], node):
                return True
        current = parent if isinstance(parent, ast.stmt) else None
    return False


def _side(branch: ast.expr | list[ast.stmt]) -> Sequence[ast.AST]:
    return [branch] if isinstance(branch, ast.expr) else branch


def _begun(side: Sequence[ast.AST]) -> Sequence[ast.AST]:
    """The statements of a branch up to the first that may leave it."""
    ends = (index for index, each in enumerate(side) if not isinstance(each, ast.expr | PLAIN))
    return side[: next(ends, len(side)) + 1]


def _always(node: ast.AST) -> Iterator[ast.AST]:
    """`node`, and those nodes below it that are evaluated whenever it is."""
    yield node
    match node:
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(test=first) | ast.If(test=first):
            yield from _always(first)
        case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp() | ast.stmt():
            if isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr) and node.value is not None:
                yield from _always(node.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _always(child)
