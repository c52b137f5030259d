"""Tensors that a function changes in place."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from graphmend_lint.shapes import dotted, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def changed_later(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes the tensor of that name in place somewhere."""
    function = facts.function(node)
    return function is not None and path in _changed_in(function)


@lru_cache(maxsize=64)
def _changed_in(function: ast.AST) -> frozenset[str | None]:
    return frozenset(map(_changed, walk_function(function)))


def changes(node: ast.AST, path: str) -> bool:
    return _changed(node) == path


def _changed(node: ast.AST) -> str | None:
    """The name of the tensor that a node changes in place."""
    match node:
        case ast.AugAssign(target=ast.Subscript(value=value) | value):
            return dotted(value)
        case ast.Subscript(value=value, ctx=ast.Store()):
            return dotted(value)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name.endswith("_") and not name.endswith("__"):
            return dotted(value)
    return None
