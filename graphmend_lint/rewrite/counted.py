"""Names that only ever hold Python numbers of one type: counters, and numbers that a branch sets."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import is_bound
from graphmend_lint.shapes import declared, mentions, mentions_inside

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

SIGNS: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


class Step(NamedTuple):
    """`name += value`, or `name = name + value`."""

    name: str
    sign: str
    value: ast.expr


def step(statement: ast.AST | None) -> Step | None:
    """The statement as a step of a counter; None if it is none."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if type(op) in SIGNS:
            return Step(name, SIGNS[type(op)], value)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=same), op=op, right=value)) if (
            type(op) in SIGNS and name == same
        ):
            return Step(name, SIGNS[type(op)], value)
    return None


def number_type(name: str, node: ast.stmt, facts: Facts) -> type | None:
    """The one type of number, int or float, that the function gives a name; None if there is no such type.

    The name must have a value before `node`. `object` stands for numbers of both types. A counter must hold ints:
    floats would be rounded in another way once a tensor adds them up.
    """
    function = facts.function(node)
    if function is None or isinstance(function, ast.Lambda):
        return None
    names = mentions(function, name)
    stores = [each for each in names if not isinstance(each.ctx, ast.Load)]
    if len(names) < len(mentions_inside(function, name)) or name in declared(function):
        return None
    kinds: set[type | None] = set()
    for each in stores:
        kinds |= _given(facts.parent(each), facts)
        if None in kinds:
            return None
    if not is_bound(name, node, facts):
        return None
    if kinds == {int, float} and not any(step(facts.parent(each)) for each in stores):
        return object
    return kinds.pop() if len(kinds) == 1 else None


def selected(statement: ast.stmt, facts: Facts) -> Step | None:
    """`name = torch.where(test, number, other)`, left by a fix of an inner branch, as a step; None for any other."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as value) if _selects(value, facts):
            return Step(name, "", value)
    return None


def _selects(node: ast.expr, facts: Facts) -> bool:
    return isinstance(node, ast.Call) and len(node.args) == 3 and facts.resolve(node.func) == "torch.where"


def _given(statement: ast.AST | None, facts: Facts) -> set[type | None]:
    """The types of the numbers that a statement gives a name; None is among them if it gives anything else."""
    found = step(statement)
    if found is not None:
        return {int if type(facts.value(found.value).const) is int else None}
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return _types(value, name, facts)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return _types(value, name, facts)
    return {None}


def _types(value: ast.expr, name: str, facts: Facts) -> set[type | None]:
    kind = type(facts.value(value).const)
    match value:
        case _ if kind in (int, float):
            return {kind}
        case ast.Call(args=[_, *arms]) if _selects(value, facts):
            return {kind for each in arms for kind in _types(each, name, facts)}
        case ast.Name(id=same) if same == name:
            return set()
        case ast.BinOp(left=ast.Name(id=same), op=op, right=right) if same == name and type(op) in SIGNS:
            return {int if type(facts.value(right).const) is int else None}
    return {None}
