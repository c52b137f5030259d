"""Methods that run without being named: constructors, contexts, setters, items that are set, objects called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.callee import member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.facts.values import options
from graphmend_lint.project import ClassDef, FunctionDef

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


class Run(NamedTuple):
    """A method that a node runs, with the expressions that it may be given or find in its object: that one first."""

    method: ast.FunctionDef
    given: list[ast.expr]


def special_methods(node: ast.AST, facts: Facts) -> Iterator[Run]:
    """The special methods of classes of the program that a node runs."""
    match node:
        case ast.Call(func=func) if isinstance(facts.value(func).target, ClassDef):
            yield from _of(node, ("__init__", "__post_init__", "__new__"), _arguments(node), facts)
        case ast.Call(func=ast.Call() as made):
            yield from _of(made, ("__call__",), [*_arguments(made), *_arguments(node)], facts)
        case ast.withitem(context_expr=context):
            yield from _of(context, ("__enter__", "__exit__"), [context], facts)
        case ast.Assign(targets=targets, value=value):
            yield from (run for each in targets for run in run_by_store(each, value, facts))
        case ast.AugAssign(target=target, value=value):
            known = definition_at(target.id, node, facts).value if isinstance(target, ast.Name) else None
            yield from _of(known or target, IN_PLACE, [target, value], facts)
            yield from run_by_store(target, value, facts)


IN_PLACE: Final = tuple(f"__i{name}__" for name in "add sub mul truediv matmul and or xor pow mod floordiv".split())


def run_by_store(target: ast.expr, value: ast.expr, facts: Facts) -> Iterator[Run]:
    """What storing a value runs: `owner[k] = value`, or the setter of a property."""
    match target:
        case ast.Subscript(value=owner):
            yield from _of(owner, ("__setitem__",), [owner, value], facts)
        case ast.Attribute(value=owner, attr=name):
            yield from _of(owner, ("__setattr__",), [owner, value], facts)
            yield from (Run(each, [owner, value]) for kept in _objects(owner, facts) for each in _setters(kept, name))


def _objects(owner: ast.expr, facts: Facts) -> list[Instance]:
    """The objects of classes of the program that an expression may be."""
    return [each.target for each in options(facts.value(owner)) if isinstance(each.target, Instance)]


def _setters(instance: Instance, name: str) -> Iterator[ast.FunctionDef]:
    """The methods of a class, and of its bases in the program, under `@name.setter`."""
    for cls in instance.order:
        for each in cls.node.body:
            if isinstance(each, ast.FunctionDef) and each.name == name and _is_setter(each):
                yield each


def _is_setter(method: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "setter" for each in method.decorator_list)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]


def _of(owner: ast.expr, names: tuple[str, ...], given: list[ast.expr], facts: Facts) -> Iterator[Run]:
    for each in (member(instance, name) for instance in _objects(owner, facts) for name in names):
        if isinstance(each, FunctionDef) and isinstance(each.node, ast.FunctionDef):
            yield Run(each.node, given)
