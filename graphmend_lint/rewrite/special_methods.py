"""Methods that run without being named: constructors, contexts, items that are set, objects that are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.facts.callee import member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.project import ClassDef, FunctionDef

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


class Run(NamedTuple):
    """A method that a node runs, with the expressions that it may be given or find in its object."""

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
            owners = [each.value for each in targets if isinstance(each, ast.Subscript)]
            yield from (run for each in owners for run in _of(each, ("__setitem__",), [value], facts))
        case ast.AugAssign(target=ast.Name(id=name) as target):
            yield from _of(
                definition_at(name, node, facts).value or target,
                ("__iadd__", "__isub__", "__imul__", "__itruediv__"),
                [target],
                facts,
            )


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]


def _of(owner: ast.expr, names: tuple[str, ...], given: list[ast.expr], facts: Facts) -> Iterator[Run]:
    instance = facts.value(owner).target
    found = [member(instance, name) for name in names] if isinstance(instance, Instance) else []
    for each in found:
        if isinstance(each, FunctionDef) and isinstance(each.node, ast.FunctionDef):
            yield Run(each.node, given)
