"""Where a value goes within its function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.shapes import names_read, walk_function
from graphmend_lint.syntax import kept

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def decides(node: ast.expr, facts: Facts) -> bool:
    """True if Python control flow depends on the value: in a test itself, or through a name."""
    above: ast.AST | None = node
    inner: ast.AST = node
    while isinstance(above := facts.parent(inner), ast.expr | ast.comprehension | ast.keyword):
        if isinstance(above, ast.IfExp) and above.test is inner:
            return True
        if isinstance(above, ast.keyword) and above.arg == "key":  # `max(xs, key=lambda x: x.item())`
            return True
        inner = above
    if isinstance(above, ast.If | ast.While | ast.Assert) and above.test is inner:
        return True
    if isinstance(above, ast.Assign) and all(isinstance(target, ast.Name) for target in above.targets):
        return any(isinstance(each, ast.Name) and _is_tested(each.id, node, facts) for each in above.targets)
    return False


def _is_tested(name: str, node: ast.expr, facts: Facts) -> bool:
    function = facts.function(node)
    return function is not None and name in _tested(function)


@kept(64)
def _tested(function: ast.AST) -> frozenset[str]:
    """The names that the tests of a function read."""
    found: set[str] = set()
    for node in walk_function(function):
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            found.update(names_read(node.test))
    return frozenset(found)
