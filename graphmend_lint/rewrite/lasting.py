"""What a call leaves behind: stores in what lives on, random numbers drawn, statistics kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TypeGuard

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.callee import member, read_by
from graphmend_lint.facts.meta import words
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    CONTAINER,
    FUNCTION,
    MODULE,
    NONE,
    SCALAR,
    SYMINT,
    TENSOR,
    Value,
    options,
)
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.callers import stored_as
from graphmend_lint.rewrite.changing import changed, is_in_place
from graphmend_lint.shapes import dotted, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 3  #: calls within calls that are looked into
CONSUMES: Final = words("""
    pop popitem append extend update clear remove insert setdefault step reverse discard appendleft popleft
    intersection_update difference_update symmetric_difference_update
""")
MUTATES: Final = frozenset({"sort", "add"})  #: tensors have methods of these names that change nothing
CHANGING: Final = frozenset({"next", "setattr", "exec", "eval"})
GENERATORS: Final = ("random.", "numpy.random.", "np.random.")  #: Python's and NumPy's random numbers
NEW: Final = (
    ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.BinOp, ast.Constant, ast.JoinedStr,
)  # fmt: skip
PLAIN: Final = CONSTANT | FUNCTION | MODULE | NONE | SCALAR | SYMINT | TENSOR
ITERATORS: Final = frozenset(f"builtins.{name}" for name in "iter map filter zip enumerate reversed open".split())
CONTAINERS: Final = frozenset({"list", "dict", "set", "sorted", "defaultdict", "Counter", "deque"})


def changes(node: ast.AST, facts: Facts) -> bool:
    """True if the node itself, by its text alone, binds a name, uses something up, or changes it."""
    match node:
        case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return True
        case ast.Call(func=ast.Attribute(value=owner, attr=name)):
            if name in CONSUMES or is_in_place(name):
                return True
            return name in MUTATES and facts.kinds(owner) == CONTAINER
        case ast.Call(func=ast.Name(id=name)):
            return name in CHANGING
    return False


def leaves_something(node: ast.AST, facts: Facts, levels: int = LEVELS, draws: bool = True) -> bool:
    """True if a call, or the reading of a property or an iterator, is known to change something that lasts.

    Functions of the program are looked into. Others are taken to change nothing. `draws`: drawing random numbers
    counts as well.
    """
    match node:
        case ast.Name(ctx=ast.Load()):
            return holds_iterator(node, facts)
        case ast.Attribute():
            read = read_by(node, facts)
            return holds_iterator(node, facts) if read is None else _body(read.node, facts, levels, draws)
        case ast.Call(func=func):
            value = facts.value(func)
            told = any(True for _ in changed(node, facts))
            drawn = draws and _draws(value.name or dotted(func) or "")
            return told or drawn or _runs(value, facts, levels, draws)
    return False


def holds_iterator(node: ast.Name | ast.Attribute, facts: Facts) -> bool:
    """True if reading the value may use it up, as it does an iterator."""
    if not facts.kinds(node) & ~PLAIN or not isinstance(node.ctx, ast.Load):
        return False
    function = facts.function(node)
    if isinstance(node, ast.Name):
        last = definition(node, facts).value
        values = [last] if last is not None else _values(function).get(node.id, []) if function is not None else []
    else:
        cls = facts.parent(function) if function is not None else None
        values = stored_as(node.attr, cls) if isinstance(cls, ast.ClassDef) and dotted(node.value) == "self" else []
    return any(is_iterator(each, facts) for each in values)


def _name(func: ast.expr, facts: Facts) -> str:
    """The qualified name of a function; in code that was not followed, that of a builtin."""
    plain = f"builtins.{func.id}" if isinstance(func, ast.Name) else ""
    return facts.resolve(func) or plain


@kept(64)
def _values(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What a function gives to its names, one by one or several at once."""
    found: dict[str, list[ast.expr]] = {}
    for each in walk_function(function):
        match each:
            case ast.Assign(targets=targets, value=value):
                pairs = [pair for target in targets for pair in _pairs(target, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                pairs = [*_pairs(target, value)]
            case _:
                continue
        for name, given in pairs:
            found.setdefault(name, []).append(given)
    return found


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values):
            for each, given in zip(targets, values, strict=False):
                yield from _pairs(each, given)


def is_iterator(value: ast.expr, facts: Facts) -> bool:
    match value:
        case ast.GeneratorExp():
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return is_iterator(body, facts) or is_iterator(orelse, facts)
        case ast.Call(func=func):
            targets = [each.target for each in options(facts.value(func))]
            made = _name(func, facts)
            known = made in ITERATORS or made.startswith("itertools.")
            return known or any(isinstance(each, FunctionDef) and each.is_generator for each in targets)
    return False


def outlives(statement: ast.stmt, function: ast.AST, facts: Facts) -> bool:
    """True if the statement changes what is still there once the function has been left."""
    nodes = list(walk(statement))
    looked_up = [each for each in nodes if isinstance(each, ast.Call | ast.Attribute)]
    return any(_lasts(each, function, facts) for each in nodes) or any(leaves_something(e, facts) for e in looked_up)


def _draws(name: str) -> bool:
    entry = torch_api.function(name) if name.startswith("torch.") else None
    return name.startswith(GENERATORS) if entry is None else entry.random


def _runs(value: Value, facts: Facts, levels: int, draws: bool) -> bool:
    """True if the function or module leaves something behind when it is called."""
    if value.name == CHOICE:
        return any(_runs(each, facts, levels, draws) for each in options(value))
    target = value.target
    if isinstance(target, FunctionDef):
        return _body(target.node, facts, levels, draws)
    if isinstance(target, Instance):
        called = member(target, "forward" if value.kinds & MODULE else "__call__")
        return isinstance(called, FunctionDef) and _body(called.node, facts, levels, draws)
    if not value.kinds & MODULE:
        return False
    if any(_runs(each, facts, levels, draws) for each in value.items or ()):
        return True
    entry = torch_api.module(value.name or "")
    return entry is not None and ((draws and entry.random) or not entry.pure)


def _body(function: ast.AST, facts: Facts, levels: int, draws: bool) -> bool:
    nodes = [each for each in walk(function) if each is not function] if levels else []
    return any(_lasts(each, function, facts) or leaves_something(each, facts, levels - 1, draws) for each in nodes)


def _lasts(node: ast.AST, function: ast.AST, facts: Facts) -> bool:
    """True if the node changes what outlives the function."""
    match node:
        case ast.Global() | ast.Nonlocal():
            return True
        case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()):
            return not _is_own(owner, function)
        case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
            return not _is_own(owner, function)
        case ast.AugAssign(target=ast.Name() as name):
            return bool(facts.kinds(name) & (TENSOR | CONTAINER)) and not _is_own(name, function)
        case ast.Call(func=ast.Attribute(value=owner)):
            return changes(node, facts) and not _is_own(owner, function)
        case ast.Call():
            return changes(node, facts)
    return False


def _is_own(owner: ast.expr, function: ast.AST) -> bool:
    """True for a name that holds nothing but what the function has made itself."""
    return isinstance(owner, ast.Name) and owner.id in _made(function)


@kept(256)
def _made(function: ast.AST) -> frozenset[str]:
    """The names that a function gives nothing but new values."""
    new, other = set[str](), {each.arg for each in walk(function) if isinstance(each, ast.arg)}
    for each in walk_function(function):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_new(value):
                new.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if _is_new(value):
                new.add(name)
            case ast.Assign() | ast.AnnAssign() | ast.For() | ast.withitem():
                other |= {part.id for target in _targets(each) for part in walk(target) if _is_stored(part)}
    return frozenset(new - other)


def _is_new(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in CONTAINERS
    return isinstance(value, NEW)


def _targets(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target) | ast.For(target=target) | ast.withitem(optional_vars=ast.expr() as target):
            return [target]
    return []


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
