"""Numbers that are read for the caller alone: `losses["l1"] = l1.item()`, then `return loss, losses`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.values import BOOL, CONTAINER, INTEGRAL, SCALAR, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.callers import calls_of
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.loads import loads_of
from graphmend_lint.shapes import declared, mentions, mentions_inside
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 6  #: displays, names and callers that a number is followed through
CAVEAT: Final = "Callers get a 0-dim tensor where they got a number of Python's."
NUMBERS: Final = frozenset({"float", "int"})
GROWS: Final = frozenset({"append", "update"})
MAKES: Final = frozenset({"builtins.dict", "builtins.list"})


def handed_out(number: ast.expr, tensor: ast.expr, kind: int, cast: str, facts: Facts) -> Fix | None:
    """The tensor in the number's place, if nothing becomes of the number but a part of what is returned.

    `cast` makes the tensor's dtype that of the number, where they may differ.
    """
    function = facts.function(number)
    if kind == BOOL or not isinstance(function, ast.FunctionDef) or _is_promised(number, function, facts):
        return None
    if not _goes_out(number, facts, DEPTH):
        return None
    calls = calls_of(function, facts)
    if (calls and kind == INTEGRAL) or not all(_passed_on(each, facts, DEPTH) for each in calls):
        return None
    shape = "" if meta(tensor, facts).is_0d else ".reshape(())"
    text = f".detach(){shape}" + (cast or ("" if is_fresh(tensor, facts) else ".clone()"))
    return Fix(
        title="Return the 0-dim tensor in place of the number",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(number, site.operand(tensor) + text),),
        caveat=CAVEAT,
    )


def _is_promised(number: ast.expr, function: ast.FunctionDef, facts: Facts) -> bool:
    """True if the number is all that is returned, or the function's annotation says that it returns numbers."""
    said = [each.id for each in walk(function.returns) if isinstance(each, ast.Name)] if function.returns else []
    return isinstance(facts.parent(number), ast.Return) or not NUMBERS.isdisjoint(said)


def _goes_out(node: ast.expr, facts: Facts, depth: int) -> bool:
    """True if a value becomes a part of what the function returns, and nothing else."""
    above = facts.parent(node)
    match above:
        case _ if not depth:
            return False
        case ast.Return():
            return True
        case ast.Dict() | ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()):
            grown = _grown(above, facts)
            return node not in getattr(above, "keys", ()) and (
                _is_kept(grown, facts, depth - 1) if grown is not None else _goes_out(above, facts, depth - 1)
            )
        case ast.Call(func=function) if node is not function and _grown(node, facts) is not None:
            return _is_kept(_grown(node, facts), facts, depth - 1)
        case ast.Assign(targets=[ast.Name() as holder]) if isinstance(node, ast.Dict | ast.List):
            return _is_kept(holder, facts, depth - 1)
        case ast.Assign(targets=[ast.Name(id=name)]):
            loads = loads_of(name, above, facts)
            return bool(loads) and all(_goes_out(each, facts, depth - 1) for each in loads or ())
        case ast.Assign(targets=[ast.Subscript(value=ast.Name() as holder)], value=value) if value is node:
            return _is_kept(holder, facts, depth - 1)
    return False


def _grown(given: ast.expr, facts: Facts) -> ast.Name | None:
    """The name of what a value is put into by `holder.update(given)` or `holder.append(given)`."""
    call = facts.parent(given)
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name() as holder, attr=name), args=[only], keywords=[]):
            alone = only is given and name in GROWS and isinstance(facts.parent(call), ast.Expr)
            return holder if alone else None
    return None


def _is_kept(holder: ast.Name | None, facts: Facts, depth: int) -> bool:
    """True for a dict or list that the function makes, fills, and returns without another look at it."""
    function = facts.function(holder) if holder is not None else None
    if holder is None or function is None or isinstance(function, ast.Lambda) or holder.id in declared(function):
        return False
    found = mentions(function, holder.id)
    if len(found) != len(mentions_inside(function, holder.id)):
        return False
    makes = [each for each in found if isinstance(each.ctx, ast.Store)]
    fills = [each for each in found if isinstance(each.ctx, ast.Load)]
    return (
        bool(makes)
        and all(_is_made(each, facts) for each in makes)
        and all(_is_filled(each, facts) or _goes_out(each, facts, depth) for each in fills)
    )


def _is_made(name: ast.Name, facts: Facts) -> bool:
    match facts.parent(name):
        case ast.Assign(targets=[_], value=value) | ast.AnnAssign(value=ast.expr() as value):
            called = facts.resolve(value.func) if isinstance(value, ast.Call) else None
            return isinstance(value, ast.Dict | ast.List) or called in MAKES
    return False


def _is_filled(load: ast.Name, facts: Facts) -> bool:
    """True for `load[key] = value` and `load.update(value)`."""
    above = facts.parent(load)
    match above:
        case ast.Subscript(ctx=ast.Store()):
            return above.value is load and isinstance(facts.parent(above), ast.Assign)
        case ast.Attribute(attr=name) if name in GROWS:
            call = facts.parent(above)
            return isinstance(call, ast.Call) and isinstance(facts.parent(call), ast.Expr)
    return False


def _passed_on(call: ast.Call, facts: Facts, depth: int) -> bool:
    """True if a caller only hands on what may hold the number, as do its callers in turn."""
    function = facts.function(call)
    if not depth or not isinstance(function, ast.FunctionDef) or not _given_away(call, facts):
        return False
    return all(_passed_on(each, facts, depth - 1) for each in calls_of(function, facts))


def _given_away(call: ast.Call, facts: Facts) -> bool:
    above = facts.parent(call)
    match above:
        case ast.Assign(targets=[ast.Tuple(elts=targets)]) if all(isinstance(each, ast.Name) for each in targets):
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            loads = [each for name in names for each in loads_of(name, above, facts) or ()]
            return all(loads_of(each, above, facts) is not None for each in names) and all(
                facts.kinds(each) == TENSOR or (_may_hold(each, facts) and _goes_out(each, facts, DEPTH))
                for each in loads
            )
    return _goes_out(call, facts, DEPTH)


def _may_hold(node: ast.expr, facts: Facts) -> bool:
    return not facts.kinds(node) & ~(CONTAINER | SCALAR | TENSOR | UNKNOWN)
