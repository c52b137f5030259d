"""Names that may have no value yet where they are read: only a branch before gives them one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.reaching import LOOPS, SCOPES, definition, statement_of
from graphmend_lint.shapes import block_of, declared, names_bound, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
HEADS = (*LOOPS, ast.With, ast.If, ast.ExceptHandler)


def may_be_unset(node: ast.Name, facts: Facts) -> bool:
    """True for a local name to which no way surely leads by a value; loops are taken to run, `try` to succeed."""
    function, name = facts.function(node), node.id
    if not isinstance(function, SCOPES) or name in declared(function) or definition(node, facts).row < 0:
        return False
    names = (each for each in walk_function(function) if isinstance(each, ast.Name))
    is_own = any(each.id == name and isinstance(each.ctx, ast.Store) for each in names)
    return is_own and not _has_value(name, statement_of(node, facts), facts)


def _has_value(name: str, statement: ast.stmt | None, facts: Facts) -> bool:
    known = frozenset[str]()
    while statement is not None and not isinstance(statement, SCOPES):
        parent = facts.parent(statement)
        known |= _tests(parent.test, facts) if isinstance(parent, ast.If) and statement in parent.body else frozenset()
        if isinstance(statement, ast.If):
            known |= _tests(statement.test, facts)
        block = block_of(statement, parent) if parent is not None else []
        for before in reversed(block[: block.index(statement)] if block else []):
            if isinstance(before, ast.Delete) and name in names_bound([before]):
                return False
            if _gives(before, name, known):
                return True
        if isinstance(parent, HEADS) and _at_its_head(parent, name):
            return True
        statement = parent if isinstance(parent, ast.stmt) else statement_of(parent, facts) if parent else None
    return False


def _tests(test: ast.expr, facts: Facts) -> frozenset[str]:
    """The conditions that hold where a branch is taken, whatever becomes of those that ask tensors."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else []
    return frozenset(ast.dump(each) for each in [test, *parts] if not facts.needs_data(each))


def _at_its_head(parent: ast.AST, name: str) -> bool:
    match parent:
        case ast.For(target=head) | ast.AsyncFor(target=head) | ast.While(test=head) | ast.If(test=head):
            return name in names_bound([head])
        case ast.With(items=items):
            return name in names_bound(items)
    return getattr(parent, "name", None) == name


def _gives(statement: ast.stmt, name: str, known: frozenset[str]) -> bool:
    """True if the name has a value once the statement is done."""
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            if name in names_bound([test]):
                return True
            if ast.dump(test) in known:
                return _any_gives(body, name, known)
            sides = [block for block in (body, orelse) if not (block and isinstance(block[-1], LEAVES))]
            return all(_any_gives(block, name, known) for block in sides)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return statement.name == name
        case ast.AnnAssign(value=None):
            return False
    return name in names_bound([statement])


def _any_gives(block: list[ast.stmt], name: str, known: frozenset[str]) -> bool:
    return any(_gives(each, name, known) for each in block)
