"""What a mask selects from, written out in its place, is given a name: `values = (x - y).abs()`, `values[m].sum()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: what evaluates all its parts, one after the other
EVALUATES: Final = (ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Attribute, ast.Subscript, ast.Tuple, ast.List)


def named_value(node: ast.Subscript, facts: Facts) -> Fix | None:
    """The statement with names for the tensor and the mask; None if something would be evaluated in another order."""
    statement = statement_of(node, facts)
    if statement is None or not _is_first(node, statement, facts):
        return None
    given = [("values", node.value), ("chosen", node.slice)]
    named = {each: unused([name], node, facts) for name, each in given if dotted(each) is None}

    def edits(site: Site) -> tuple[Edit, ...]:
        lines = [f"{name} = {site.code(each)}" for each, name in named.items()]
        return (site.replace(statement, "\n".join([*lines, site.code(statement, named)])),)

    title = "Give what the mask selects from a name"
    return Fix(title, Applicability.SAFE, edits, opens=True, last=True) if named else None


def _is_first(node: ast.expr, statement: ast.stmt, facts: Facts) -> bool:
    """True if nothing but names is evaluated before the expression, and the expression is evaluated always."""
    current: ast.AST = node
    above = facts.parent(node)
    while above is not None and above is not statement:
        before = list(ast.iter_child_nodes(above))
        before = before[: before.index(current)]
        if not isinstance(above, EVALUATES) or not all(map(_is_quiet, before)):
            return False
        current, above = above, facts.parent(above)
    match statement:
        case ast.Assign(value=value) | ast.Return(value=value) | ast.AugAssign(target=ast.Name(), value=value):
            return value is current
    return False


def _is_quiet(node: ast.AST) -> bool:
    return not isinstance(node, ast.expr) or isinstance(node, ast.Constant) or dotted(node) is not None
