"""Tensors that a function changes in place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.shapes import dotted, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def changed_later(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes the tensor of that name in place somewhere."""
    function = facts.function(node)
    return function is not None and any(changes(child, path) for child in walk_function(function))


def changes(node: ast.AST, path: str) -> bool:
    match node:
        case ast.AugAssign(target=target):
            return dotted(target) == path or (isinstance(target, ast.Subscript) and dotted(target.value) == path)
        case ast.Subscript(value=value, ctx=ast.Store()):
            return dotted(value) == path
        case ast.Call(func=ast.Attribute(value=value, attr=name)):
            return name.endswith("_") and not name.endswith("__") and dotted(value) == path
    return False
