"""Who calls a function, and what is passed for its parameters, where that can all be seen in one file."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import MODULE, Value, options
from graphmend_lint.project import ClassDef, FunctionDef
from graphmend_lint.shapes import Function, dotted, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def is_open(function: ast.FunctionDef) -> bool:
    """True if the function has no scopes inside, and no decorator that could change what it is given."""
    plain = {"staticmethod", "classmethod", "no_grad", "inference_mode"}
    names = [each.func if isinstance(each, ast.Call) else each for each in function.decorator_list]
    last = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in names}
    return last <= plain and not any(isinstance(each, SCOPES) for each in walk_function(function))


SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)


def parameters(function: Function) -> list[str]:
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
        found.setdefault(passed_function(each.func, facts), []).append(each)
    return found


def held_as(cls: str, facts: Facts) -> frozenset[str]:
    """Names of the attributes that the file sets to an object of the class."""
    return frozenset(re.findall(rf"self\.(\w+) = {cls}\(", facts.source.text))


def _runs(call: ast.Call, function: ast.FunctionDef, held: frozenset[str], facts: Facts) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr in held:
        return called(call, facts) is function
    return passed_function(call.func, facts) is function


def called(call: ast.Call, facts: Facts) -> ast.AST | None:
    """The function that a call runs; of a module, its `forward`."""
    found = passed_function(call.func, facts)
    if found is not None or facts.value(call.func).target is not None:
        return found
    return _forward(call, facts) if isinstance(call.func, ast.Attribute) else None


def passed_function(node: ast.expr, facts: Facts) -> ast.AST | None:
    """The function of the program that a value is; of a module, its `forward`."""
    value = facts.value(node)
    by_class = _of_class(node, facts) if value.target is None else None
    return by_class.node if isinstance(by_class, FunctionDef) else _entered(value)


def any_called(call: ast.Call, facts: Facts) -> list[ast.AST]:
    """The functions that a call may run: those of several if it is not known which."""
    chosen = [_entered(each) for each in options(facts.value(call.func))]
    return [each for each in dict.fromkeys([called(call, facts), *chosen]) if each is not None]


def _entered(value: Value) -> ast.AST | None:
    """The function of the program that calling a value runs."""
    target = value.target
    if isinstance(target, Instance):
        target = member(target, "forward" if value.kinds & MODULE else "__call__")
    return target.node if isinstance(target, FunctionDef) else None


def decorated(call: ast.Call, facts: Facts) -> ast.FunctionDef | None:
    """The decorated function or method that a call names: what its decorators have made of it may call it."""
    match call.func:
        case ast.Name(id=name):
            found = _decorated(facts.source.tree).get(name)
        case ast.Attribute(value=owner, attr=name) if isinstance(facts.value(owner).target, Instance):
            method = member(facts.value(owner).target, name)
            found = (
                method.node if isinstance(method, FunctionDef) and isinstance(method.node, ast.FunctionDef) else None
            )
        case _:
            return None
    return found if found is not None and found.decorator_list else None


@kept(8)
def _decorated(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef) and each.decorator_list}


def _of_class(node: ast.expr, facts: Facts) -> FunctionDef | ClassDef | ast.expr | None:
    """The method that is looked up in the class of an object: `type(self).step`."""
    match node:
        case (
            ast.Attribute(value=ast.Call(func=ast.Name(id="type"), args=[owner]), attr=name)
            | ast.Attribute(value=ast.Attribute(value=owner, attr="__class__"), attr=name)
        ):
            instance = facts.value(owner).target
            return member(instance, name) if isinstance(instance, Instance) else None
    return None


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


def given_for(call: ast.Call, name: str, function: Function, facts: Facts) -> ast.expr | None:
    """What a call passes for a parameter."""
    value, names = facts.value(call.func), parameters(function)
    value = next((each for each in options(value) if _entered(each) is function), value)
    by_class = _of_class(call.func, facts) if value.target is None else None
    module = value.target is None and isinstance(call.func, ast.Attribute)
    bound = value.receiver is not None or isinstance(value.target, Instance) or module
    if isinstance(by_class, FunctionDef):
        bound = "classmethod" in by_class.decorator_names
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    passed = dict(zip(names[bound:], call.args, strict=False))
    return passed.get(name) or next((each.value for each in call.keywords if each.arg == name), None)
