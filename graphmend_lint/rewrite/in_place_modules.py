"""Modules that change what they are called with: `nn.ReLU(inplace=True)`, and those that hold one."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import member
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.torch_calls import INPLACE_AT
from graphmend_lint.facts.values import CHANGES, CHOICE, FUNCTION, MODULE, UNKNOWN, Value, options
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.callers import method_of, stored_as
from graphmend_lint.rewrite.changing import PASSES_ON, is_in_place, passes_on
from graphmend_lint.shapes import Function, dotted, names_bound, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Changes = Callable[[Function], bool]  #: whether a function changes what it is given


def changes_argument(call: ast.Call, facts: Facts, changes: Changes) -> bool:
    """True if a call may be of a torch module that changes what it is given, or hands it to a module that does."""
    known = facts.value(call.func)
    if not known.kinds & (MODULE | UNKNOWN | FUNCTION) or (known.name or "").startswith("builtins."):
        return False
    if isinstance(known.target, Instance) and member(known.target, "forward") is not None:
        return False
    forwards = _forwards(facts.source.tree)
    made = _made(call.func, facts)
    return _changes_first(known, changes) or any(
        _is_made_in_place(each) or _is_of_changing_class(each, forwards, changes) for each in made
    )


@kept(8)
def _forwards(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """The `forward` of the classes of a file that have one."""
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    found = {each.name: method_of(each, "forward") for each in classes}
    return {name: forward for name, forward in found.items() if forward is not None}


def _is_of_changing_class(made: ast.expr, forwards: dict[str, ast.FunctionDef], changes: Changes) -> bool:
    """True if a module that is made, or one inside it, is of a class of this file that changes its argument."""
    calls = [each for each in walk(made) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
    names = {each.func.id for each in calls if isinstance(each.func, ast.Name)}
    return isinstance(made, ast.Call) and any(changes(forwards[name]) for name in sorted(names & forwards.keys()))


def _changes_first(module: Value, changes: Changes) -> bool:
    """True if a module changes its argument, or a `Sequential` passes it to one that does."""
    if module.name == CHOICE:
        return any(_changes_first(each, changes) for each in options(module))
    if isinstance(module.target, Instance):
        forward = member(module.target, "forward")
        node = forward.node if isinstance(forward, FunctionDef) else None
        if node is None:
            return _is_chain_in_place(module.target.cls.node)
        return isinstance(node, FUNCTIONS) and changes(node)
    if module.traits & CHANGES:
        return True
    for each in module.items or (() if module.element is None else (module.element,)):
        if _changes_first(each, changes):
            return True
        if not passes_on(each):
            return False
    return False


FUNCTIONS: Final = (ast.FunctionDef, ast.Lambda)


def _is_chain_in_place(cls: ast.ClassDef) -> bool:
    """True for a `Sequential` class without a `forward`, one of whose modules may change what it is given."""
    made = [each for each in walk(cls) if isinstance(each, ast.Call)]
    begins = [each.args for each in made if isinstance(each.func, ast.Attribute) and each.func.attr == "__init__"]
    named = [each for args in begins for each in _reached(args)]
    return any(map(_is_made_in_place, named or made))


def _made(func: ast.expr, facts: Facts) -> list[ast.expr]:
    """What is stored as `self.act`, for a call of `self.act`, of one of its items, or of each in a loop."""
    while isinstance(func, ast.Subscript):
        func = func.value
    if isinstance(func, ast.Attribute) and not (isinstance(func.value, ast.Name) and func.value.id == "self"):
        return []
    function = facts.function(func)
    if isinstance(func, ast.Name) and function is not None:
        given = _given(function).get(func.id, [])
        held = [part for each in given for part in walk(each) if isinstance(part, ast.Attribute)]
        return [*given, *(made for each in held for made in _made(each, facts))]
    cls = facts.parent(function) if function is not None else None
    match func, cls:
        case ast.Attribute(value=ast.Name(id="self"), attr=name), ast.ClassDef():
            return stored_as(name, cls)
    return []


@kept(64)
def _given(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What gives a function's names their values: what is stored, and what loops run over."""
    found: dict[str, list[ast.expr]] = {}
    for each in walk_function(function):
        match each:
            case ast.Assign(targets=targets, value=value):
                names = names_bound(targets)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                names = names_bound([target])
            case _:
                continue
        for name in names:
            found.setdefault(name, []).append(value)
    return found


def _is_made_in_place(made: ast.expr) -> bool:
    """True if the call makes a module that changes its argument; in a `Sequential`, one that is reached by it."""
    match made:
        case ast.Call(func=func, args=[_, *_] as parts) if (dotted(func) or "").endswith("Sequential"):
            return any(_is_made_in_place(each) for each in _reached(parts))
        case ast.Call(func=func, args=[held]) if (dotted(func) or "").endswith(("ModuleList", "ModuleDict")):
            return _is_made_in_place(held)
        case ast.Call(func=func, args=given):
            at = INPLACE_AT.get((dotted(func) or "").rpartition(".")[2].lower(), len(given))
            return any(map(_turns_on, [*given[at : at + 1], *(e.value for e in made.keywords if e.arg == "inplace")]))
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return any(map(_is_made_in_place, parts))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return is_in_place(name)
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part) | ast.Starred(value=part):
            return _is_made_in_place(part)
    return False


def _reached(parts: list[ast.expr]) -> list[ast.expr]:
    """The modules of a `Sequential` that may get what it is given."""
    for at, each in enumerate(parts):
        last = (dotted(each.func) or "").rpartition(".")[2] if isinstance(each, ast.Call) else "Sequential"
        if last not in PASSES_ON and last != "Sequential":
            return parts[: at + 1]
    return parts


def _turns_on(flag: ast.expr) -> bool:
    return not isinstance(flag, ast.Constant) or bool(flag.value)
