"""Where a name is read."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.shapes import declared, mentions, mentions_inside

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def loads_of(name: str, statement: ast.stmt, facts: Facts) -> list[ast.expr] | None:
    """Every load of a name, in source order; None unless this statement alone binds the name."""
    function, loads = facts.function(statement), all_loads(name, statement, facts)
    if function is None or loads is None:
        return None
    return [*loads] if len(mentions(function, name)) - len(loads) == 1 else None


def all_loads(name: str, statement: ast.stmt, facts: Facts) -> list[ast.Name] | None:
    """Every load of a local name, whichever statement binds it; None if other functions may see the name."""
    function = facts.function(statement)
    if function is None or isinstance(function, ast.Lambda) or name in declared(function):
        return None
    names = mentions(function, name)
    if len(names) != len(mentions_inside(function, name)):
        return None
    return sorted((each for each in names if isinstance(each.ctx, ast.Load)), key=_place)


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset
