"""Where a name is read."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.shapes import declared

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def loads_of(name: str, statement: ast.stmt, facts: Facts) -> list[ast.expr] | None:
    """Every load of a name that is bound by this statement alone; None if that is not so."""
    function = facts.function(statement)
    if function is None or isinstance(function, ast.Lambda) or name in declared(function):
        return None
    names = [each for each in ast.walk(function) if isinstance(each, ast.Name) and each.id == name]
    loads: list[ast.expr] = [each for each in names if isinstance(each.ctx, ast.Load)]
    local = all(facts.function(each) is function for each in names)
    return loads if local and len(names) - len(loads) == 1 else None
