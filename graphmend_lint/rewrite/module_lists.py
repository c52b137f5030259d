"""Modules that a `ModuleList` or `ModuleDict` holds, by the expressions that made them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.rewrite.callers import stored_as
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

HOLDERS: Final = ("torch.nn.ModuleList", "torch.nn.ModuleDict")
READING: Final = frozenset({"values", "items", "keys", "append"})

Resolve = Callable[[ast.expr], str | None]


def makers(called: ast.expr, cls: ast.ClassDef, resolve: Resolve, facts: Facts) -> list[ast.expr]:
    """What makes the modules that a call may be of; empty unless they are elements of one list of this class."""
    held = _held(called, facts)
    owner, _, name = ((dotted(held) or "") if held is not None else "").rpartition(".")
    if owner != "self":
        return []
    match stored_as(name, cls):
        case [ast.Call(func=function, args=given, keywords=[])] if resolve(function) in HOLDERS and len(given) < 2:
            pass
        case _:
            return []
    first = _elements(given[0]) if given else []
    later = list(_appended(name, cls))
    return [] if first is None or None in later else [*first, *(each for each in later if each is not None)]


def _held(called: ast.expr, facts: Facts) -> ast.expr | None:
    """The list of which `called` is an element: `self.experts` of `self.experts[i]`, or of a loop over it."""
    if isinstance(called, ast.Subscript):
        return called.value
    if not isinstance(called, ast.Name):
        return None
    found, above = definition(called, facts), facts.parent(called)
    if found.value is not None:
        return found.value.value if isinstance(found.value, ast.Subscript) else None
    while above is not None:
        if isinstance(above, ast.For) and above.lineno == found.row:
            return _source(called.id, above.target, above.iter)
        above = facts.parent(above)
    return None


def _source(name: str, target: ast.expr, given: ast.expr) -> ast.expr | None:
    """The list whose elements a loop gives to a name."""
    match target, given:
        case ast.Name(id=found), _:
            return _whole(given) if found == name else None
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[several, *_]):
            return _source(name, inner, several)
        case ast.Tuple(elts=[_, ast.Name(id=found)]), ast.Call(func=ast.Attribute(value=held, attr="items"), args=[]):
            return held if found == name else None
        case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=several):
            found_in = (_source(name, each, part) for each, part in zip(targets, several, strict=False))
            return next((each for each in found_in if each is not None), None)
    return None


def _whole(given: ast.expr) -> ast.expr:
    """The list that a loop goes over in order, backwards, or in part."""
    match given:
        case ast.Call(func=ast.Attribute(value=held, attr="values"), args=[]):
            return held
        case ast.Call(func=ast.Name(id="reversed"), args=[held]):
            return held
        case ast.Subscript(value=held, slice=ast.Slice()):
            return held
    return given


def _elements(given: ast.expr) -> list[ast.expr] | None:
    """The expressions that make what a list is built of; None if they cannot be told."""
    match given:
        case ast.ListComp(elt=made) | ast.GeneratorExp(elt=made) | ast.DictComp(value=made):
            return [made]
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.Dict(values=several):
            return several
    return None


def _appended(name: str, cls: ast.ClassDef) -> Iterator[ast.expr | None]:
    """What is appended to `self.name` later; None for any other change of it."""
    nodes = [each for each in walk(cls) if not isinstance(each, ast.Name)]
    calls = {id(each.func): each for each in nodes if isinstance(each, ast.Call)}
    for each in nodes:
        match each:
            case ast.Attribute(value=ast.Attribute() as held, attr=word) if dotted(held) == f"self.{name}":
                added = calls.get(id(each)) if word == "append" else None
                if added is not None:
                    yield added.args[0] if len(added.args) == 1 and not added.keywords else None
                elif word not in READING:
                    yield None
            case ast.Subscript(value=held, ctx=ast.Store() | ast.Del()) if dotted(held) == f"self.{name}":
                yield None
