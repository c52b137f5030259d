"""Tensors that a function changes in place."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from graphmend_lint.facts.values import CONTAINER, TENSOR, UNKNOWN
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import dotted, names_bound, names_read, told_to_change, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def changed_later(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes the tensor of that name in place somewhere, perhaps by another name."""
    function = facts.function(node)
    if function is None:
        return False
    changed = _changed_in(function)
    return path in changed or (changed > {None} and not changed.isdisjoint(_others(path, function, facts)))


def _others(path: str, function: ast.AST, facts: Facts) -> set[str]:
    """Other names of the tensor, or of parts of it: `y = x`, `y = x.view(-1)`, `for row in x`."""
    found, left = set[str](), [path]
    while left:
        current = left.pop()
        for names, value in _given_in(function):
            if not names <= found and current in _shared(value) and _may_share(value, facts):
                left += names - found
                found |= names
    return found


def _shared(value: ast.expr) -> set[str]:
    """Names and paths whose memory a value may share; an index shares none with what it picks."""
    if isinstance(value, ast.Subscript):
        return _shared(value.value)
    return names_read(value)


def _may_share(value: ast.expr, facts: Facts) -> bool:
    """True if the value may be a tensor, or hold some, that another name refers to as well."""
    return bool(facts.kinds(value) & (TENSOR | CONTAINER | UNKNOWN)) and not is_fresh(value, facts)


@lru_cache(maxsize=64)
def _given_in(function: ast.AST) -> list[tuple[set[str], ast.expr]]:
    """The names that are given a value, and the value."""
    found: list[tuple[set[str], ast.expr]] = []
    for node in walk_function(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                found.append((names_bound(targets), value))
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                found.append((names_bound([target]), value))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                found.append((names_bound([target]), value))
    return found


@lru_cache(maxsize=64)
def _changed_in(function: ast.AST) -> frozenset[str | None]:
    return frozenset(map(changed_path, walk_function(function)))


def changes(node: ast.AST, path: str) -> bool:
    return changed_path(node) == path


def changed_path(node: ast.AST) -> str | None:
    """The name of the tensor that a node changes in place."""
    match node:
        case ast.AugAssign(target=ast.Subscript(value=value) | value):
            return dotted(value)
        case ast.Subscript(value=value, ctx=ast.Store()):
            return dotted(value)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name.endswith("_") and not name.endswith("__"):
            return dotted(value)
        case ast.Call():
            changed = told_to_change(node)
            return None if changed is None else dotted(changed)
    return None
