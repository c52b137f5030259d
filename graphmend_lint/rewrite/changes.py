"""Whether a variable's tensor may be changed in place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def may_change_path(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes a variable in place, or any in the file changes an attribute of that name."""
    if "." not in path:
        return changed_later(path, node, facts)
    return path.rpartition(".")[2] in _changed_attributes(facts.source.tree)


@kept(8)
def _changed_attributes(tree: ast.Module) -> frozenset[str]:
    """Names of the attributes whose tensors a file changes in place."""
    return frozenset(filter(None, map(_changed_attribute, walk(tree))))


def _changed_attribute(node: ast.AST) -> str | None:
    """The attribute whose tensor the node changes."""
    match node:
        case (
            ast.AugAssign(target=ast.Attribute(attr=name) | ast.Subscript(value=ast.Attribute(attr=name)))
            | ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store())
        ):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method)):
            return name if method.endswith("_") and not method.endswith("__") else None
    return None
