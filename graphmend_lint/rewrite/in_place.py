"""Tensors that a function changes in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.values import CONTAINER, TENSOR, UNKNOWN
from graphmend_lint.rewrite.callers import called, given_for, parameters
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import dotted, names_bound, names_read, told_to_change, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 3  #: calls within calls that are looked into
#: methods whose result may share the tensor's memory
VIEWS: Final = words("""
    view view_as reshape reshape_as flatten unflatten squeeze unsqueeze transpose permute t swapaxes movedim expand
    expand_as detach contiguous narrow select chunk split unbind diagonal unfold to type_as float double half long
""")


def changed_later(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes the tensor of that name in place somewhere, perhaps by another name."""
    function = facts.function(node)
    if function is None:
        return False
    return _is_changed(path, function, _changed_in(function) | _changed_by_calls(function, facts, LEVELS), facts)


def _is_changed(path: str, function: ast.AST, changed: frozenset[str | None], facts: Facts) -> bool:
    return path in changed or (changed > {None} and not changed.isdisjoint(_others(path, function, facts)))


@kept(64)
def _changed_by_calls(function: ast.AST, facts: Facts, levels: int) -> frozenset[str | None]:
    """The names of tensors that are given to functions of the program which change them in place."""
    calls = [each for each in walk_function(function) if isinstance(each, ast.Call)] if levels else []
    found = [(call, called(call, facts)) for call in calls]
    inner = [(call, each) for call, each in found if isinstance(each, ast.FunctionDef) and each is not function]
    return frozenset(path for call, each in inner for path in _given_to_change(call, each, facts, levels - 1))


def _given_to_change(call: ast.Call, function: ast.FunctionDef, facts: Facts, levels: int) -> Iterator[str]:
    """The names of tensors that the called function changes: its arguments, and attributes of its object."""
    changed = _changed_in(function) | _changed_by_calls(function, facts, levels)
    for name in parameters(function) if changed > {None} else ():
        given = given_for(call, name, function, facts)
        if given is not None and _may_share(given, facts) and not changed.isdisjoint(_plain_names(name, function)):
            yield from _shared(given)
    bound = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == function.name else call.func
    owner, first = dotted(bound), "".join(parameters(function)[:1])
    if owner is not None:
        yield from (f"{owner}{path[len(first) :]}" for path in changed if path and path.startswith(f"{first}."))


@kept(256)
def _plain_names(path: str, function: ast.AST) -> frozenset[str]:
    """The names by which a called function plainly has the tensor; what calls make of it is taken to be their own."""
    found, left = {path}, [path]
    while left:
        current = left.pop()
        for names, _, aliased, _ in _given_in(function):
            if current in aliased and not names <= found:
                left += names - found
                found |= names
    return frozenset(found)


def _others(path: str, function: ast.AST, facts: Facts) -> set[str]:
    """Other names of the tensor, or of parts of it: `y = x`, `y = x.view(-1)`, `for row in x`."""
    found, left = set[str](), [path]
    while left:
        current = left.pop()
        for names, value, aliased, shared in _given_in(function):
            shares = current in names and not aliased <= found
            if (shares or (current in shared and not names <= found)) and _may_share(value, facts):
                more = (aliased if current in names else names) - found
                left += more
                found |= more
    return found


def _aliased(value: ast.expr) -> set[str]:
    """The names and paths whose memory a value plainly shares: `x` in `x.view(-1)[0]`."""
    match value:
        case ast.Attribute(value=base, attr="T" | "mT" | "H" | "data") | ast.Subscript(value=base):
            return _aliased(base)
        case ast.Name() | ast.Attribute():
            return {path} if (path := dotted(value)) is not None else set()
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in VIEWS:
            return _aliased(base)
        case ast.IfExp(body=body, orelse=orelse):
            return _aliased(body) | _aliased(orelse)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return set[str]().union(*map(_aliased, elements))
    return set()


def _shared(value: ast.expr) -> set[str]:
    """Names and paths whose memory a value may share; an index shares none with what it picks."""
    if isinstance(value, ast.Subscript):
        return _shared(value.value)
    return names_read(value)


def _may_share(value: ast.expr, facts: Facts) -> bool:
    """True if the value may be a tensor, or hold some, that another name refers to as well."""
    return bool(facts.kinds(value) & (TENSOR | CONTAINER | UNKNOWN)) and not is_fresh(value, facts)


class _Given(NamedTuple):
    """Names that are given a value."""

    names: frozenset[str]
    value: ast.expr
    aliased: set[str]  #: whose memory it plainly shares
    shared: set[str]  #: whose memory it may share


@kept(64)
def _given_in(function: ast.AST) -> list[_Given]:
    """All that gives names a value in a function, nested ones left out."""
    found: list[_Given] = []
    for node in walk_function(function):
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
        found.append(_Given(names_bound(targets), value, _aliased(value), _shared(value)))
    return found


@kept(64)
def _changed_in(function: ast.AST) -> frozenset[str | None]:
    tuples = _tuples(function)
    nodes = (each for each in walk(function) if not (isinstance(each, ast.AugAssign) and dotted(each.target) in tuples))
    return frozenset(map(changed_path, nodes))


def _tuples(function: ast.AST) -> set[str]:
    """Names that hold nothing but tuples: `outputs += (x,)` gives the name another one."""
    stores = [each for each in walk_function(function) if isinstance(each, ast.Assign) and _is_tuple(each.value)]
    known = {id(each.value) for each in stores if all(isinstance(target, ast.Name) for target in each.targets)}
    plain, others = set[str](), set[str]()
    for each in _given_in(function):
        (plain if id(each.value) in known else others).update(each.names)
    return plain - others


def _is_tuple(value: ast.expr) -> bool:
    match value:
        case ast.Tuple() | ast.Constant(value=None):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _is_tuple(body) and _is_tuple(orelse)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return isinstance(left, ast.Tuple) or isinstance(right, ast.Tuple)
    return False


def changes(node: ast.AST, path: str) -> bool:
    return changed_path(node) == path


def changed_path(node: ast.AST) -> str | None:
    """The name of the tensor that a node changes in place."""
    match node:
        case ast.AugAssign(target=ast.Subscript(value=value) | value):
            return dotted(value)
        case ast.Subscript(value=value, ctx=ast.Store()):
            return dotted(value)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name.endswith("_") and not name.endswith("__"):
            return dotted(value)
        case ast.Call():
            changed = told_to_change(node)
            return None if changed is None else dotted(changed)
    return None
