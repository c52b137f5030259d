"""Tensors that a function changes in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import CONTAINER, OBJECT
from graphmend_lint.rewrite.callers import (
    any_called,
    called,
    calls_of,
    decorated,
    given_for,
    parameters,
    passed_function,
)
from graphmend_lint.rewrite.changing import SAME, VIEWS, aliased, changed, changed_paths, is_in_place
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.in_place_modules import changes_argument
from graphmend_lint.rewrite.sharing import FUNCTIONS, given_in, may_share, other_names, paths_shared, plain_names
from graphmend_lint.rewrite.special_methods import special_methods
from graphmend_lint.shapes import Function, dotted, names_bound, names_read, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 3  #: calls within calls that are looked into
RETURNS: Final = 2  #: functions that a result is returned through
COLLECT: Final = frozenset(f"builtins.{name}" for name in ("dict", "list", "tuple"))
ANY: Final = "*"  #: in what is changed: tensors of a list, or an object, that everybody may have put there


def changed_later(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes the tensor of that name in place somewhere, perhaps by another name.

    So does a caller that is given the tensor back, and changes it.
    """
    function = facts.function(node)
    if function is None:
        return False
    changed_here = _changed(function, facts, LEVELS)
    return _is_changed(path, function, changed_here, facts) or _is_changed_by_callers(path, function, facts)


def _is_changed(path: str, function: ast.AST, changed: frozenset[str], facts: Facts) -> bool:
    if not changed or path in changed or ANY in changed:
        return bool(changed)
    others = other_names(path, function, facts)
    held = tuple(f"{each}." for each in others & _objects(function, facts))
    return not changed.isdisjoint(others) or any(each.startswith(held) for each in changed)


@kept(64)
def _objects(function: ast.AST, facts: Facts) -> frozenset[str]:
    """Names of the objects that the function makes: those may hold what they were given."""
    made = [each for each in given_in(function) if isinstance(each.value, ast.Call)]
    return frozenset(name for each in made if facts.kinds(each.value) == OBJECT for name in each.names)


@kept(64)
def _changed_by_calls(function: ast.AST, facts: Facts, levels: int) -> frozenset[str]:
    """The names of tensors that are given to functions of the program, or modules, which change them in place."""
    calls = [each for each in walk_function(function) if isinstance(each, ast.Call)] if levels else []
    found = set[str]()
    for call in calls:
        for each in {*any_called(call, facts), decorated(call, facts)} - {function}:
            if isinstance(each, FUNCTIONS):
                found.update(_given_to_change(call, each, facts, levels - 1))
        if call.args and _runs_in_place_module(call, facts, levels - 1):
            found |= aliased(call.args[0])
        found.update(_passed_with(call, facts, levels - 1))
    for node in walk_function(function) if levels else ():
        for method, given in special_methods(node, facts):
            if method is not function and _changes_something(method, facts, levels - 1):
                found |= set[str]().union(*map(paths_shared, given))
                changed = _changed(method, facts, levels - 1)
                found.update(changed & {ANY}, _of_object(given[0], method, changed) if given else ())
    return frozenset(found)


def _changes_something(method: ast.FunctionDef, facts: Facts, levels: int) -> bool:
    """True if a method changes what it is given, or what its object held before."""
    changed = _changed(method, facts, levels)
    own = parameters(method)[:1]
    held = method.name != "__init__" and any(path.startswith(f"{each}.") for path in changed for each in own)
    return held or ANY in changed or bool(changed and set(changed_parameters(method, facts, levels)) - set(own))


def _changed(function: ast.AST, facts: Facts, levels: int) -> frozenset[str]:
    """The names of tensors that a function changes in place, or has changed."""
    return _changed_in(function, facts) | _changed_by_calls(function, facts, levels)


def _runs_in_place_module(call: ast.Call, facts: Facts, levels: int) -> bool:
    def changes(forward: Function) -> bool:
        return not set(parameters(forward)[1:2]).isdisjoint(changed_parameters(forward, facts, levels))

    return changes_argument(call, facts, changes)


def _passed_with(call: ast.Call, facts: Facts, levels: int) -> Iterator[str]:
    """What is passed together with a function of the program that changes it: `map(bump, tensors)`."""
    for at, each in [*((-1, arm) for arm in _arms(call.func)), *enumerate(call.args)]:
        function = each if isinstance(each, ast.Lambda) else passed_function(each, facts)
        changed = changed_parameters(function, facts, levels) if isinstance(function, FUNCTIONS) else []
        if changed and isinstance(function, FUNCTIONS):
            value = facts.value(each)
            bound = value.receiver is not None or isinstance(value.target, Instance)
            yield from (path for given in _shown(call, at, parameters(function)[bound:], changed) for path in given)


def _arms(func: ast.expr) -> list[ast.expr]:
    """The functions of which a call may be: `(f if flag else g)(x)`."""
    return [func.body, func.orelse] if isinstance(func, ast.IfExp) else []


def _shown(call: ast.Call, at: int, names: list[str], changed: list[str]) -> Iterator[set[str]]:
    """What a function among the arguments may be passed in turn and change: `checkpoint(f, x)` calls `f(x)`."""
    behind = [] if _is_spread(call) else list(zip(names, call.args[at + 1 :], strict=False))
    yield from (paths_shared(given) for name, given in behind if name in changed)
    others = [*call.args[: max(at, 0)], *call.args[at + 1 + len(behind) :], *(word.value for word in call.keywords)]
    yield from map(paths_shared, others)


def changed_parameters(function: Function, facts: Facts, levels: int) -> list[str]:
    """The parameters whose tensors the function changes in place."""
    changed = _changed(function, facts, levels)
    return [each for each in parameters(function) if not changed.isdisjoint(plain_names(each, function))]


def _given_to_change(call: ast.Call, function: Function, facts: Facts, levels: int) -> Iterator[str]:
    """The names of tensors that the called function changes: its arguments, and attributes of its object."""
    changed = _changed(function, facts, levels)
    yield from changed & {ANY}
    if changed and _is_spread(call) and changed_parameters(function, facts, levels):
        yield from paths_shared(call)
    for name in parameters(function) if changed else ():
        given = given_for(call, name, function, facts)
        if given is not None and may_share(given, facts) and not changed.isdisjoint(plain_names(name, function)):
            yield from paths_shared(given)
    method = isinstance(call.func, ast.Attribute) and call.func.attr == getattr(function, "name", None)
    bound = call.func.value if method and isinstance(call.func, ast.Attribute) else call.func
    yield from _of_object(bound, function, changed)


def _of_object(bound: ast.expr, function: Function, changed: frozenset[str]) -> Iterator[str]:
    """What a method changes of its object, as the caller would say it."""
    owner, first = dotted(bound), "".join(parameters(function)[:1])
    if owner is not None:
        yield from (f"{owner}{path[len(first) :]}" for path in changed if path.startswith(f"{first}."))


def _is_spread(call: ast.Call) -> bool:
    """True if it is not certain which parameter gets what: `f(*tensors)`, `f(**tensors)`."""
    return any(isinstance(each, ast.Starred) for each in call.args) or any(word.arg is None for word in call.keywords)


@kept(64)
def _changed_in(function: ast.AST, facts: Facts) -> frozenset[str]:
    tuples = _tuples(function)
    nodes = (each for each in walk(function) if not (isinstance(each, ast.AugAssign) and dotted(each.target) in tuples))
    found = frozenset[str]().union(*(changed_paths(each, facts) for each in nodes))
    outer = _outer(function, facts) if found else frozenset[str]()
    return found | {ANY} if any(_is_outside(each, outer, function) for each in found) else found


def _is_outside(path: str, outer: frozenset[str], function: ast.AST) -> bool:
    """True if a tensor that is changed may be one of those that a list of the file, or an object, holds."""
    found, left = set[str](), {path} if outer else set[str]()
    while left:
        found |= left
        given = [each for each in given_in(function) if each.owner is None and not each.names.isdisjoint(left)]
        left = set[str]().union(*(each.same | _picked_from(each.value) for each in given)) - found
    return not outer.isdisjoint(each.partition(".")[0] for each in found)


def _picked_from(value: ast.expr) -> set[str]:
    """The list, or the like, whose method gives the value: `kept.values()`."""
    match value:
        case ast.Call(func=ast.Attribute(value=owner)) if (path := dotted(owner)) is not None:
            return {path}
    return set()


@kept(64)
def _outer(function: ast.AST, facts: Facts) -> frozenset[str]:
    """Lists, dicts and objects of the file that a function reads, or of the function around it."""
    own, names = names_bound([function]), (each for each in walk(function) if isinstance(each, ast.Name))
    return frozenset(each.id for each in names if each.id not in own and facts.kinds(each) & (CONTAINER | OBJECT))


def _tuples(function: ast.AST) -> set[str]:
    """Names that only hold tuples: `outputs += (x,)` makes a new one, and changes nothing."""
    stores = [each for each in walk_function(function) if isinstance(each, ast.Assign) and _is_tuple(each.value)]
    known = {id(each.value) for each in stores if all(isinstance(target, ast.Name) for target in each.targets)}
    plain, others = set[str](), set[str]()
    for each in given_in(function):
        if each.owner is None:
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


# What callers do with a result


def _is_changed_by_callers(path: str, function: ast.AST, facts: Facts) -> bool:
    """True if the function may give the tensor of that name back to a caller that changes it in place."""
    if not isinstance(function, ast.FunctionDef):
        return False
    names = plain_names(path, function)
    if all(names.isdisjoint(_held(each, facts)) for each in _gives_back(function, facts)):
        return False
    names |= other_names(path, function, facts)
    places = set(parameters(function)) & names
    own = {each for each in names if "." in each}
    return any(own or _is_passed(call, places, function, facts) for call in _changing_callers(function, facts))


def _gives_back(function: ast.FunctionDef, facts: Facts) -> list[ast.expr]:
    found = [each.value for each in walk_function(function) if isinstance(each, ast.Return)]
    return [each for each in found if each is not None and may_share(each, facts)]


def _held(value: ast.expr, facts: Facts) -> set[str]:
    """Whose memory a value shares, or holds: `x` in `dict(a=x)`."""
    holds = isinstance(value, ast.Call) and (facts.resolve(value.func) or "") in COLLECT
    return names_read(value) if holds else aliased(value)


def _is_passed(call: ast.Call, places: set[str], function: ast.FunctionDef, facts: Facts) -> bool:
    """True if the call passes a tensor that may be known elsewhere as well."""
    given = [given_for(call, each, function, facts) for each in places]
    return any(each is None or not is_fresh(each, facts) for each in given)


def result_changed(node: ast.AST, facts: Facts) -> bool:
    """True if a caller of the function around `node` changes in place what it is given back."""
    function = facts.function(node)
    return isinstance(function, ast.FunctionDef) and bool(_changing_callers(function, facts))


@kept(64)
def _changing_callers(function: ast.FunctionDef, facts: Facts, levels: int = RETURNS) -> tuple[ast.Call, ...]:
    """The calls of a function in the file whose result is changed in place."""
    calls = calls_of(function, facts) if levels else []
    return tuple(
        each for each in calls if facts.function(each) is not function and _is_result_changed(each, facts, levels)
    )


def _is_result_changed(call: ast.Call, facts: Facts, levels: int) -> bool:
    current, above = _whole(call, facts)
    if above is not None and any(each is current for each in changed(above, facts)):
        return True
    match above:
        case ast.Attribute(attr=attr):
            method = facts.parent(above)
            return isinstance(method, ast.Call) and method.func is above and is_in_place(attr)
        case ast.Call():
            return _is_argument_changed(current, above, facts)
        case ast.Assign(targets=targets):
            return any(changed_later(path, above, facts) for path in names_bound(targets))
        case ast.For(target=target) | ast.comprehension(target=target):
            return any(changed_later(path, above, facts) for path in names_bound([target]))
        case ast.Return():
            function = facts.function(above)
            return isinstance(function, ast.FunctionDef) and bool(_changing_callers(function, facts, levels - 1))
    return False


def _whole(node: ast.expr, facts: Facts) -> tuple[ast.expr, ast.AST | None]:
    """The largest expression that gives the value on, or a view of it, and what stands around that."""
    while True:
        above = facts.parent(node)
        match above:
            case ast.Attribute(attr=attr) if attr in SAME:
                node = above
            case ast.Attribute(attr=attr) if attr in VIEWS:
                method = facts.parent(above)
                if not isinstance(method, ast.Call) or method.func is not above:
                    return node, above
                node = method
            case ast.Subscript(value=value, ctx=ast.Load()) if value is node:
                node = above
            case ast.Tuple() | ast.List() | ast.Starred() | ast.IfExp():
                node = above
            case _:
                return node, above


def _is_argument_changed(node: ast.expr, call: ast.Call, facts: Facts) -> bool:
    function = called(call, facts)
    if not isinstance(function, FUNCTIONS):
        return _runs_in_place_module(call, facts, 1)
    changed = _changed(function, facts, 1)
    places = [each for each in parameters(function) if given_for(call, each, function, facts) is node]
    return any(not changed.isdisjoint(plain_names(each, function)) for each in places)
