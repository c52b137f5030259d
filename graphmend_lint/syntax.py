"""Walking syntax trees, several times faster than `ast.walk`: only fields that can hold nodes are looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

#: fields that hold text, numbers, or nodes without anything of interest below them
PLAIN_FIELDS: Final = frozenset(
    "ctx op ops id attr arg name module level kind type_comment conversion simple is_async tag rest kwd_attrs".split()
)


_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {}


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a node type that can hold nodes of interest."""
    leaf = issubclass(kind, ast.Constant | ast.Global | ast.Nonlocal | ast.MatchSingleton)
    found = _FIELDS[kind] = () if leaf else tuple(name for name in kind._fields if name not in PLAIN_FIELDS)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below `node`, in source order, without operators and expression contexts."""
    found: list[ast.AST] = []
    kind = type(node)
    for name in _FIELDS[kind] if kind in _FIELDS else _fields(kind):
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and every node below it, in no particular order."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += children(current)


def defaults(signature: ast.arguments) -> dict[str, ast.expr]:
    """The parameters that have a default, and what it is."""
    places = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    found = dict(zip(reversed(places), reversed(signature.defaults), strict=False))
    named = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    return found | {each.arg: default for each, default in named if default is not None}
