"""Which names of a function may stand for one tensor, or for parts of it: `y = x`, `y = x.view(-1)`, `ys.append(x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.values import CONTAINER, OBJECT, TENSOR, UNKNOWN
from graphmend_lint.rewrite.changing import aliased
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import dotted, names_bound, names_read, walk_function
from graphmend_lint.syntax import defaults, kept

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

FUNCTIONS: Final = (ast.FunctionDef, ast.Lambda)


@kept(256)
def plain_names(path: str, function: ast.AST) -> frozenset[str]:
    """The names by which a called function has the tensor. What calls make of it is taken to be a new tensor."""
    found, left = {path}, [path]
    while left:
        current = left.pop()
        for names, _, same, _, owner in given_in(function):
            if owner is None and current in same and not names <= found:
                left += names - found
                found |= names
    return frozenset(found)


def other_names(path: str, function: ast.AST, facts: Facts) -> set[str]:
    """Other names of the tensor, or of parts of it: `y = x`, `y = x.view(-1)`, `for row in x`."""
    found, left = set[str](), [path]
    while left:
        current = left.pop()
        for names, value, same, shared, owner in given_in(function):
            shares = current in names and not same <= found
            holds = owner is None or facts.kinds(owner) == CONTAINER
            if holds and (shares or (current in shared and not names <= found)) and may_share(value, facts):
                more = (same if current in names else names) - found
                left += more
                found |= more
    return found


def paths_shared(value: ast.expr) -> set[str]:
    """Names and paths whose memory a value may share; the index of a subscript is not among them."""
    if isinstance(value, ast.Subscript):
        return paths_shared(value.value)
    path = dotted(value)
    return names_read(value) | ({path} if path is not None else set())


def may_share(value: ast.expr, facts: Facts) -> bool:
    """True if the value may be a tensor, or hold some, that another name refers to as well."""
    return bool(facts.kinds(value) & (TENSOR | CONTAINER | OBJECT | UNKNOWN)) and not is_fresh(value, facts)


class Given(NamedTuple):
    """Names that are given a value."""

    names: frozenset[str]
    value: ast.expr
    same: set[str]  #: whose memory it plainly shares
    shared: set[str]  #: whose memory it may share
    owner: ast.expr | None = None  #: what is given the value as one of its items


@kept(64)
def given_in(function: ast.AST) -> list[Given]:
    """All that gives names a value in a function, nested ones left out."""
    found: list[Given] = []
    for node in walk_function(function):
        found += _items(node)
        if isinstance(node, FUNCTIONS) and node is not function:
            given = defaults(node.args).items()
            found += [Given(frozenset({name}), value, aliased(value), paths_shared(value)) for name, value in given]
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case (
                ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                targets = [target]
            case _:
                continue
        found.append(Given(names_bound(targets), value, aliased(value), paths_shared(value)))
    return found


def _items(node: ast.AST) -> Iterator[Given]:
    """What a node puts into a list or dict: `xs.append(x)`, `xs[k] = x`, `xs += [x]`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="append" | "insert" | "extend"), args=[*_, value]):
            owners = [owner]
        case ast.AugAssign(target=owner, value=value):
            owners = [owner]
        case ast.Assign(targets=targets, value=value):
            owners = [each.value for each in targets if isinstance(each, ast.Subscript)]
        case _:
            return
    for each in owners:
        if (path := dotted(each)) is not None:
            yield Given(frozenset({path}), value, aliased(value), paths_shared(value), each)
