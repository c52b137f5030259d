"""Tensors that are only computed with, where gradients are off: nobody sees whether they require grad."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import mentions, mentions_inside
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def is_used_up(name: str, node: ast.AST, facts: Facts) -> bool:
    """True if all other code only makes new tensors of what `name` holds, or of its items; `node` is left out."""
    function = facts.function(node)
    if function is None or isinstance(function, ast.Lambda) or name in _outer_names(function):
        return False
    names, inside = mentions(function, name), {id(each) for each in walk(node)}
    if len(names) != len(mentions_inside(function, name)):
        return False
    looped = is_in_loop(node, facts)
    loads = [each for each in names if isinstance(each.ctx, ast.Load) and id(each) not in inside]
    loads = [each for each in loads if looped or each.lineno > (getattr(node, "end_lineno", None) or 0)]
    return bool(loads) and all(_is_computed_with(each, facts) for each in loads)


@kept(64)
def _outer_names(function: ast.AST) -> frozenset[str]:
    """Names that belong to an outer scope."""
    found = [each.names for each in walk(function) if isinstance(each, ast.Global | ast.Nonlocal)]
    return frozenset(name for names in found for name in names)


def is_in_loop(node: ast.AST, facts: Facts) -> bool:
    """True if the statement may run several times in one call of its function."""
    above = facts.parent(node)
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
        if isinstance(above, ast.For | ast.AsyncFor | ast.While):
            return True
        above = facts.parent(above)
    return False


def _is_computed_with(load: ast.expr, facts: Facts) -> bool:
    """True if, with gradients off, this load only goes into the making of a new tensor."""
    if not no_grad(load, facts):
        return False
    above = facts.parent(load)
    match above:
        case ast.BinOp() | ast.Compare() | ast.AugAssign():
            return True
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.UAdd)
        case ast.Attribute():
            call = facts.parent(above)
            return isinstance(call, ast.Call) and call.func is above and is_fresh(call, facts)
        case ast.Call(func=ast.Attribute(attr=method)) if method.endswith("_") and not method.endswith("__"):
            return isinstance(facts.parent(above), ast.Expr)
        case ast.Call(func=ast.Name(id="zip" | "enumerate"), args=given):
            return _items(facts.parent(above), above, given.index(load), facts)
        case ast.Call():
            return is_fresh(above, facts)
        case ast.For() | ast.comprehension():
            return _items(above, load, None, facts)
    return False


def _items(loop: ast.AST | None, over: ast.expr, place: int | None, facts: Facts) -> bool:
    """The same for the items of a loop: the one in that place of several, or the only one."""
    if not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not over:
        return False
    target: ast.expr | None = loop.target
    if place is not None:
        named = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "enumerate"
        parts = target.elts if isinstance(target, ast.Tuple) else []
        target = parts[place + named] if len(parts) > place + named else None
    around = loop if isinstance(loop, ast.For) else facts.parent(loop)
    if not isinstance(target, ast.Name) or around is None:
        return False
    loads = [each for each in walk(around) if isinstance(each, ast.Name) and each.id == target.id]
    return all(isinstance(each.ctx, ast.Store) or _is_computed_with(each, facts) for each in loads)
