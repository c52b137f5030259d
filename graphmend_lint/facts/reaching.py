"""Reaching definitions: which assignment gave a name its value, if a straight line leads from there to here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.shapes import assignment, block_of, names_bound

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


class Definition(NamedTuple):
    """The value a name has here; None if it came by a branch, a loop, a parameter or from outside."""

    value: ast.expr | None
    row: int  #: of the statement that gave it; 0 for a parameter or an outer name; below 0 inside an expression


def definition(node: ast.Name, facts: Facts) -> Definition:
    """The definition of a name that is read at `node`."""
    below: ast.AST = node
    inner: ast.AST = node
    current: ast.AST | None = node
    while current is not None and not isinstance(current, ast.stmt):
        below, inner, current = inner, current, facts.parent(current)
        if isinstance(current, EXPRESSION_SCOPES) and _is_own(node.id, current, inner, below):
            return Definition(None, -current.lineno * 10_000 - current.col_offset)
    return definition_at(node.id, current, facts)


def _is_own(name: str, scope: ast.AST, inner: ast.AST, below: ast.AST) -> bool:
    """True if a comprehension or `lambda` has a variable of that name of its own, as seen from `below` in `inner`."""
    if isinstance(scope, ast.Lambda):
        return inner is scope.body and name in names_bound([scope.args])
    loops: list[ast.comprehension] = getattr(scope, "generators", [])
    outside = inner is loops[0] and below is loops[0].iter
    return not outside and name in names_bound([each.target for each in loops])


EXPRESSION_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


def definition_at(name: str, statement: ast.stmt | None, facts: Facts) -> Definition:
    """The definition that `name` has just before `statement`."""
    for level in _levels(statement, facts):
        for before in level.before:
            if name in names_bound([before]):
                return _given(before, name)
        if isinstance(level.parent, LOOPS) and name in names_bound([level.parent]):
            return Definition(None, level.parent.lineno)
    return Definition(None, 0)


def is_bound(name: str, statement: ast.stmt | None, facts: Facts) -> bool:
    """True if `name` surely has a value just before `statement`."""
    for level in _levels(statement, facts):
        for before in level.before:
            if isinstance(before, ast.Delete) and name in names_bound([before]):
                return False
            if _binds(before, name):
                return True
        parent = level.parent
        if isinstance(parent, ast.For) and level.statement in parent.body and name in names_bound([parent.target]):
            return True
        if isinstance(parent, SCOPES):
            return name in names_bound([getattr(parent, "args", parent)])
    return False


class _Level(NamedTuple):
    """A statement around another one, or that one itself, and what runs before it on the way there."""

    statement: ast.stmt
    parent: ast.AST
    before: list[ast.stmt]  #: of the same block, the nearest first


def _levels(statement: ast.stmt | None, facts: Facts) -> Iterator[_Level]:
    """The levels around a statement, innermost first, up to the function or class that it is in."""
    while statement is not None and (parent := facts.parent(statement)) is not None:
        block = block_of(statement, parent)
        yield _Level(statement, parent, block[: block.index(statement)][::-1] if block else [])
        statement = parent if isinstance(parent, ast.stmt) and not isinstance(parent, SCOPES) else None


def _binds(statement: ast.stmt, name: str) -> bool:
    """True if the name has a value once the statement is done."""
    match statement:
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign(value=ast.expr()):
            return name in names_bound([statement])
        case ast.If(body=body, orelse=orelse):
            return all(any(_binds(each, name) for each in block) for block in (body, orelse))
        case ast.With(body=body):
            return any(_binds(each, name) for each in body)
    return False


LOOPS = (ast.For, ast.AsyncFor, ast.While)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _given(statement: ast.stmt, name: str) -> Definition:
    found = assignment(statement)
    plain = found is not None and found.augmented is None and isinstance(found.target, ast.Name)
    if found is not None and plain and name not in names_bound([found.value]):
        return Definition(found.value, statement.lineno)
    return Definition(None, statement.lineno)


def statement_of(node: ast.AST, facts: Facts) -> ast.stmt | None:
    """The innermost statement around `node`."""
    current: ast.AST | None = node
    while current is not None and not isinstance(current, ast.stmt):
        current = facts.parent(current)
    return current
