"""Whether a variable's tensor may be changed in place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.rewrite.arms import changed_later

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def may_change_path(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes a variable in place, or any in the file changes an attribute of that name."""
    if "." not in path:
        return changed_later(path, node, facts)
    return any(_changes_attribute(each, path.rpartition(".")[2]) for each in ast.walk(facts.source.tree))


def _changes_attribute(node: ast.AST, attribute: str) -> bool:
    """True if the node changes the tensor in an attribute of that name."""
    match node:
        case (
            ast.AugAssign(target=ast.Attribute(attr=name) | ast.Subscript(value=ast.Attribute(attr=name)))
            | ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store())
        ):
            return name == attribute
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method)):
            return name == attribute and method.endswith("_") and not method.endswith("__")
    return False
