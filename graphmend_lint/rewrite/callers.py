"""Who calls a function, and what is passed for its parameters, where that can all be seen in one file."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.project import FunctionDef
from graphmend_lint.shapes import dotted, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def is_open(function: ast.FunctionDef) -> bool:
    """True if all that the function does with its names is in plain sight, and a list may be passed to it."""
    plain = {"staticmethod", "classmethod", "no_grad", "inference_mode"}
    names = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    last = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in names}
    return last <= plain and not any(isinstance(each, SCOPES) for each in walk_function(function))


SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)


def parameters(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]


def calls_of(function: ast.FunctionDef, facts: Facts) -> list[ast.Call]:
    """The calls of the function that Dynamo reaches in this file."""
    cls = facts.parent(function) if function.name == "forward" else None
    held = held_as(cls.name, facts) if isinstance(cls, ast.ClassDef) else frozenset[str]()
    if not held:
        return _by_target(facts).get(function, [])
    return [each for each in facts.calls() if _runs(each, function, held, facts)]


@kept(4)
def _by_target(facts: Facts) -> dict[ast.AST | None, list[ast.Call]]:
    """The reached calls of a file, by the function that they run."""
    found: dict[ast.AST | None, list[ast.Call]] = {}
    for each in facts.calls():
        found.setdefault(_target(each, facts), []).append(each)
    return found


def held_as(cls: str, facts: Facts) -> frozenset[str]:
    """Names of attributes that are given an object of a class where they are set."""
    return frozenset(re.findall(rf"self\.(\w+) = {cls}\(", facts.source.text))


def _runs(call: ast.Call, function: ast.FunctionDef, held: frozenset[str], facts: Facts) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr in held:
        return called(call, facts) is function
    return _target(call, facts) is function


def called(call: ast.Call, facts: Facts) -> ast.AST | None:
    """The function that a call runs; of a module, its `forward`."""
    if facts.value(call.func).target is not None:
        return _target(call, facts)
    return _forward(call, facts) if isinstance(call.func, ast.Attribute) else None


def _target(call: ast.Call, facts: Facts) -> ast.AST | None:
    target = facts.value(call.func).target
    if isinstance(target, Instance):
        target = member(target.cls, "forward")
    return target.node if isinstance(target, FunctionDef) else None


def _forward(call: ast.Call, facts: Facts) -> ast.FunctionDef | None:
    """The `forward` of `self.name`, if all that is stored there is made of one class of this file."""
    function = facts.function(call)
    cls = facts.parent(function) if function is not None else None
    match call.func, cls:
        case ast.Attribute(value=ast.Name(id="self"), attr=name), ast.ClassDef():
            made = [each.func if isinstance(each, ast.Call) else each for each in stored_as(name, cls)]
            names = {each.id if isinstance(each, ast.Name) else None for each in made}
            found = [each for each in facts.source.tree.body if isinstance(each, ast.ClassDef) and {each.name} == names]
            return method_of(found[0], "forward") if len(found) == 1 else None
    return None


def stored_as(name: str, cls: ast.ClassDef) -> list[ast.expr]:
    """What the methods of a class store under `self.name`."""
    return _stores(cls).get(f"self.{name}", [])


@kept(64)
def _stores(cls: ast.ClassDef) -> dict[str, list[ast.expr]]:
    """What the methods of a class store, by the path that it goes to."""
    found: dict[str, list[ast.expr]] = {}
    for each in walk(cls):
        if isinstance(each, ast.Assign):
            for path in {dotted(target) for target in each.targets} - {None}:
                found.setdefault(path or "", []).append(each.value)
    return found


def method_of(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    """The method that a class itself defines."""
    found = [each for each in cls.body if isinstance(each, ast.FunctionDef) and each.name == name]
    return found[-1] if found else None


def given_for(call: ast.Call, name: str, function: ast.FunctionDef, facts: Facts) -> ast.expr | None:
    """What a call passes for a parameter."""
    value, names = facts.value(call.func), parameters(function)
    module = value.target is None and isinstance(call.func, ast.Attribute)
    bound = value.receiver is not None or isinstance(value.target, Instance) or module
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    passed = dict(zip(names[bound:], call.args, strict=False))
    return passed.get(name) or next((each.value for each in call.keywords if each.arg == name), None)
