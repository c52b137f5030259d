"""Where an object comes from that facts do not follow: the constructor it was made with, by its full name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmend_lint.facts.facts import Facts


def maker(node: ast.expr, facts: Facts) -> str | None:
    """`threading.Lock` for a name or attribute that is only ever given `threading.Lock()`; None if that is not seen.

    Looked for is the top level of the file for a name, and the class around for an attribute of `self`.
    """
    match node:
        case ast.Name():
            values = _values(node, facts.source.tree.body)
        case ast.Attribute(value=ast.Name()):
            values = _values(node, _class_around(node, facts))
        case _:
            return None
    names = {_full_name(each, facts.source.tree) for each in values}
    return names.pop() if len(names) == 1 else None


def _class_around(node: ast.expr, facts: Facts) -> list[ast.stmt]:
    function = facts.function(node)
    above = facts.parent(function) if function is not None else None
    return above.body if isinstance(above, ast.ClassDef) else []


def _values(target: ast.expr, body: list[ast.stmt]) -> Iterator[ast.expr]:
    """What is assigned to a name at the top of `body`, or to an attribute anywhere in it."""
    deep = isinstance(target, ast.Attribute)
    text = ast.unparse(target)
    for top in body:
        for statement in ast.walk(top) if deep else (top,):
            targets = statement.targets if isinstance(statement, ast.Assign) else ()
            if any(isinstance(each, ast.Name | ast.Attribute) and ast.unparse(each) == text for each in targets):
                assert isinstance(statement, ast.Assign)
                yield statement.value


def _full_name(node: ast.expr, tree: ast.Module) -> str | None:
    """The qualified name of the function that an expression calls, if it was imported."""
    if not isinstance(node, ast.Call):
        return None
    head, _, rest = ast.unparse(node.func).partition(".")
    imports = (each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom))
    for statement in imports:
        for alias in statement.names:
            if (alias.asname or alias.name.partition(".")[0]) == head:
                return ".".join(part for part in (_imported(statement, alias), rest) if part)
    return None


def _imported(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    if isinstance(statement, ast.ImportFrom):
        return f"{statement.module}.{alias.name}"
    return alias.name if alias.asname else alias.name.partition(".")[0]
