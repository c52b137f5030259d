"""Walking syntax trees, much faster than `ast.walk`: only fields that can hold nodes are looked at, and once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

#: fields that hold text, numbers, or nodes without anything of interest below them
PLAIN_FIELDS: Final = frozenset(
    "ctx op ops id attr arg name asname module level kind type_comment conversion str simple is_async tag rest "
    "kwd_attrs".split()
)
#: lists with None in them: `{**x}` has no key, and not all keyword parameters have a default
WITH_GAPS: Final = frozenset({"keys", "kw_defaults"})

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
        if type(value) is not list:
            if value is not None:
                found.append(value)
        elif name in WITH_GAPS:
            found += [item for item in value if item is not None]
        else:
            found += value
    return found


_CLEARED: Final[list[Callable[[], None]]] = []  #: what `forget` calls


def kept(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember the last answers of a function that is asked about trees or facts, until the next run begins.

    Trees hang together: one of a long session that is remembered would keep its whole program in memory.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        remembered = lru_cache(maxsize=most)(function)
        _CLEARED.append(remembered.cache_clear)
        return cast("Callable[P, T]", remembered)

    return decorate


def forget() -> None:
    """Let go of all trees and facts that are remembered."""
    _PLACES.clear()
    for clear in _CLEARED:
        clear()


Place = tuple[list[ast.AST], int, int]  #: nodes in source order, and where a node and all below it stand among them
_PLACES: Final[dict[ast.AST, Place]] = {}
KEPT: Final = 60_000  #: places at most: those of a few files


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """`node` and every node below it, in source order, without operators and expression contexts.

    Many ask about parts of one function, so what is below its nodes is kept for a while.
    """
    if not (_FIELDS[type(node)] if type(node) in _FIELDS else _fields(type(node))):
        return (node,)
    order, first, end = _PLACES.get(node) or _index(node)
    return order[first:end]


def _index(root: ast.AST) -> Place:
    """Note the places of all nodes that have others below them, and that of `root`."""
    if len(_PLACES) > KEPT:
        _PLACES.clear()
    order: list[ast.AST] = []
    stack = [root]
    unended: list[tuple[ast.AST, int, int]] = []  #: with its place, and how many were waiting when it was met
    while stack:
        while unended and unended[-1][2] == len(stack):
            node, first, _ = unended.pop()
            _PLACES[node] = (order, first, len(order))
        node = stack.pop()
        below = children(node)
        if below:
            unended.append((node, len(order), len(stack)))
            below.reverse()
            stack += below
        order.append(node)
    for node, first, _ in unended:
        _PLACES[node] = (order, first, len(order))
    place = _PLACES[root] = (order, 0, len(order))
    return place


def defaults(signature: ast.arguments) -> dict[str, ast.expr]:
    """The parameters that have a default, and what it is."""
    places = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    found = dict(zip(reversed(places), reversed(signature.defaults), strict=False))
    named = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    return found | {each.arg: default for each, default in named if default is not None}
