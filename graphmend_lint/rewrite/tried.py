"""Whether somebody catches what is raised here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from graphmend_lint.rewrite.callers import called
from graphmend_lint.shapes import blocks, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def in_try(node: ast.AST, facts: Facts) -> bool:
    """True if an exception raised at `node` may be caught in the same function, or by a caller in this file."""
    current, above = node, facts.parent(node)
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(above, ast.Try) and current in above.body and above.handlers:
            return True
        current, above = above, facts.parent(above)
    return above in _tried(facts)


@lru_cache(maxsize=8)
def _tried(facts: Facts) -> frozenset[ast.AST | None]:
    """The functions that a `try` with a handler runs, and those that they call."""
    found, left = set[ast.AST | None](), list(_calls_in_try(facts))
    while left:
        function = called(left.pop(), facts)
        if function is not None and function not in found:
            found.add(function)
            left += [each for each in walk_function(function) if isinstance(each, ast.Call)]
    return frozenset(found)


def _calls_in_try(facts: Facts) -> Iterator[ast.Call]:
    if "except" not in facts.source.text:
        return
    left: list[list[ast.stmt]] = [facts.source.tree.body]
    while left:
        for statement in left.pop():
            left += blocks(statement)
            if isinstance(statement, ast.Try) and statement.handlers:
                yield from (each for inner in statement.body for each in walk(inner) if isinstance(each, ast.Call))
