"""Python's random numbers: Dynamo keeps them out of the graph until something other than a tensor asks for one.

Measured on torch 2.13: a number may be compared, added to a tensor, or given to `abs`, `min` and `max`. Arithmetic with
other numbers, conversions, bounds and indices end the graph; from there on it is a number like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import NDARRAY, SYMBOLIC, TENSOR, UNKNOWN
from graphmend_lint.shapes import Function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DRAWN: Final = frozenset(
    f"{owner}.{name}" for owner in ("random", "random.Random()") for name in ("randint", "randrange", "uniform")
)
#: what they make of a random number is one as well
KEEPING: Final = frozenset({"builtins.abs", "builtins.min", "builtins.max"})
READING: Final = frozenset(f"builtins.{name}" for name in "int float round bool str repr range divmod pow".split())
#: functions and methods of torch that need a number, as `torch.full` does not
TORCH: Final = frozenset(
    "zeros ones empty rand randn arange new_zeros new_ones new_empty narrow roll dropout expand repeat view reshape "
    "split chunk topk pad interpolate select unfold eye randperm tril triu".split()
)
DEPTH: Final = 4  #: names that a number is followed through


def reader(call: ast.Call, facts: Facts, depth: int = DEPTH) -> ast.expr | None:
    """The first expression that asks for the number that `call` draws; None if none is known to."""
    return _asks(call, facts, depth)


def _asks(node: ast.expr, facts: Facts, depth: int) -> ast.expr | None:
    """The expression around `node` that asks for its number, directly or by way of a name."""
    above = facts.parent(node)
    match above:
        case ast.BinOp(left=left, right=right):
            other = right if left is node else left
            drawn_before = other is left and facts.value(left).traits & SYMBOLIC
            return None if drawn_before or _may_be_tensor(other, facts) else above
        case ast.UnaryOp() | ast.FormattedValue():
            return above
        case ast.Slice():
            return _around(above, facts)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], left=left) if left is node:
            return above
        case ast.Call(args=args) if node in args:
            return _asked_by(above, facts, depth)
        case ast.Subscript(slice=index) if index is node:
            return above
        case ast.IfExp(test=test) if test is not node:
            return _asks(above, facts, depth)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return _first(name, above, facts, depth)
        case ast.Tuple(elts=values, ctx=ast.Load()):
            return _unpacked(values.index(node), above, facts, depth)
    return None


def _around(bound: ast.Slice, facts: Facts) -> ast.expr | None:
    above = facts.parent(bound)
    above = facts.parent(above) if isinstance(above, ast.Tuple) else above
    return above if isinstance(above, ast.Subscript) else None


def _asked_by(call: ast.Call, facts: Facts, depth: int) -> ast.expr | None:
    name = facts.resolve(call.func) or ""
    if name in KEEPING:
        return _asks(call, facts, depth)
    owner, _, last = name.rpartition(".")
    reads = name in READING or owner == "math" or (owner.startswith("torch") and last in TORCH)
    return call if reads else None


def _unpacked(place: int, pair: ast.Tuple, facts: Facts, depth: int) -> ast.expr | None:
    """`i, j = randint(0, 3), randint(0, 3)`."""
    match facts.parent(pair):
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) as above if value is pair:
            target = targets[place] if place < len(targets) == len(pair.elts) else None
            return _first(target.id, above, facts, depth) if isinstance(target, ast.Name) else None
    return None


def _first(name: str, made: ast.stmt, facts: Facts, depth: int) -> ast.expr | None:
    """The first expression that asks for the number that a statement names, before the name is set again."""
    for load in _loads(name, made, facts) if depth > 0 else ():
        if (found := _asks(load, facts, depth - 1)) is not None:
            return found
    return None


def _loads(name: str, made: ast.stmt, facts: Facts) -> Iterator[ast.Name]:
    function = facts.function(made)
    names = [each for each in walk(function) if isinstance(each, ast.Name)] if isinstance(function, Function) else []
    later = [each for each in names if each.id == name and each.lineno > (made.end_lineno or made.lineno)]
    for each in sorted(later, key=lambda found: (found.lineno, found.col_offset)):
        if not isinstance(each.ctx, ast.Load):
            return
        yield each


def _may_be_tensor(node: ast.expr, facts: Facts) -> bool:
    return bool(facts.kinds(node) & (TENSOR | NDARRAY | UNKNOWN))
