"""Whether somebody catches what is raised here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import is_property, member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.callers import called
from graphmend_lint.shapes import blocks, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: beginnings of names of functions that call nothing of the program
OUTER: Final = ("torch.", "builtins.", "math.", "numpy.")


def in_try(node: ast.AST, facts: Facts) -> bool:
    """True if an exception raised at `node` may be caught in the same function, or by a caller in this file."""
    current, above = node, facts.parent(node)
    while above is not None and not isinstance(above, FUNCTIONS):
        if isinstance(above, ast.Try | ast.With) and current in above.body and _catches(above, facts):
            return True
        current, above = above, facts.parent(above)
    return above in _tried(facts) or _may_be_tried(node, facts)


def _catches(statement: ast.stmt, facts: Facts) -> bool:
    """True for a `try` with handlers, and for a `with` that may swallow an exception."""
    if isinstance(statement, ast.With):
        return any(_swallows(each.context_expr, facts) for each in statement.items)
    return isinstance(statement, ast.Try) and bool(statement.handlers)


def _swallows(context: ast.expr, facts: Facts) -> bool:
    """True for `contextlib.suppress`, and for a context of the program that may do the like."""
    if isinstance(context, ast.Call) and facts.resolve(context.func) == "contextlib.suppress":
        return True
    made = facts.value(context).target
    if isinstance(made, Instance):
        leave = member(made, "__exit__")
        return isinstance(leave, FunctionDef) and any(map(_answers, walk_function(leave.node)))
    function = facts.value(context.func).target if isinstance(context, ast.Call) else None
    nodes = walk_function(function.node) if isinstance(function, FunctionDef) else ()
    return any(isinstance(each, ast.Try) and each.handlers for each in nodes)


def _answers(node: ast.AST) -> bool:
    """True for a `return` that may say that the exception is dealt with."""
    match node:
        case ast.Return(value=ast.Constant(value=value)):
            return bool(value)
        case ast.Return():
            return node.value is not None
    return False


@kept(8)
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
    yield from (each for inner in _caught(facts) for each in walk(inner) if isinstance(each, ast.Call))


def _may_be_tried(node: ast.AST, facts: Facts) -> bool:
    """True if a function on the call chain to this one calls something unknown in a `try`."""
    unknown = _rows_with_unknown(facts)
    rows = {frame.row for frame in facts.chain(node)[:-1] if frame.path == facts.source.path}
    return bool(unknown) and (_is_made_here(node, facts) or not rows.isdisjoint(unknown))


def _is_made_here(node: ast.AST, facts: Facts) -> bool:
    """True in the `forward` of a class of which this file makes modules: other modules may call those."""
    function = facts.function(node)
    cls = facts.parent(function) if isinstance(function, ast.FunctionDef) and function.name == "forward" else None
    return isinstance(cls, ast.ClassDef) and re.search(rf"\b{cls.name}\(", facts.source.text) is not None


@kept(8)
def _rows_with_unknown(facts: Facts) -> frozenset[int]:
    """First rows of the functions in which a `try` runs a property, or calls something unknown."""
    found = {facts.function(inner) for inner in _caught(facts) if any(_is_unknown(each, facts) for each in walk(inner))}
    return frozenset(each.lineno for each in found if each is not None)


def _is_unknown(node: ast.AST, facts: Facts) -> bool:
    match node:
        case ast.Attribute():
            return is_property(node, facts)
        case ast.Call():
            return called(node, facts) is None and not (facts.resolve(node.func) or "").startswith(OUTER)
    return False


@kept(8)
def _caught(facts: Facts) -> tuple[ast.stmt, ...]:
    """The statements whose exceptions the program may catch."""
    found, left = list[ast.stmt](), [facts.source.tree.body]
    if not any(word in facts.source.text for word in ("except", "suppress", "__exit__", "contextmanager")):
        return ()
    while left:
        for statement in left.pop():
            left += blocks(statement)
            if isinstance(statement, ast.Try | ast.With) and _catches(statement, facts):
                found += statement.body
    return tuple(found)
