"""Bounds of a tensor's elements: what arithmetic, comparisons and torch's functions make of them."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from graphmend_lint.facts.meta import words


class Bounds(NamedTuple):
    """The elements of a tensor, or one number: all lie between two numbers, and none is NaN."""

    low: float
    high: float
    is_bool: bool = False
    is_number: bool = False  #: Python's, not a tensor
    signed: bool = False  #: surely of a dtype with negative numbers: no bools, no bytes

    @property
    def is_small(self) -> bool:
        """True for numbers from 0 to 1: converting them to another dtype can only round them to 0 or 1."""
        return self.low >= 0 and self.high <= 1


class Several(NamedTuple):
    """A tuple or list."""

    items: tuple[Known, ...]


class Word(NamedTuple):
    """A value of which nothing is known but which one it is."""

    name: str


Known = Bounds | Several | Word
ANY: Final = Word("anything")
NONE: Final = Word("None")
FINFO: Final = Word("the limits of a floating type")
HUGE: Final = 1.0e38  #: stands for the largest number of a dtype, which is finite
SAFE: Final = 100.0  #: no dtype turns numbers up to here into infinity
BOOLS: Final = Bounds(0, 1, True)
TRUE: Final = Bounds(1, 1, True)
FALSE: Final = Bounds(0, 0, True)

#: give the same elements, or some of them
MOVES: Final = words("""
    view reshape flatten unflatten expand expand_as repeat repeat_interleave permute transpose unsqueeze squeeze
    contiguous clone detach chunk split unbind flip roll t movedim swapaxes narrow index_select cpu cuda diagonal
    item tolist
""")
FLOATS: Final = words("float half double bfloat16")
INTEGERS: Final = words("long int short")
CASTS: Final = words("to type type_as")
EXTREMES: Final = words("max min amax amin")
SUMS: Final = words("sum count_nonzero")
CORNERS: Final = words("tril triu")


def union(a: Known, b: Known) -> Known:
    """Either of two values."""
    if a == b:
        return a
    if isinstance(a, Bounds) and isinstance(b, Bounds):
        both = [x and y for x, y in zip(a[2:], b[2:], strict=True)]
        return Bounds(min(a.low, b.low), max(a.high, b.high), *both)
    if isinstance(a, Several) and isinstance(b, Several) and len(a.items) == len(b.items):
        return Several(tuple(map(union, a.items, b.items)))
    return ANY


def all_of(values: Sequence[Known]) -> Known:
    """Any of several values."""
    found = values[0] if values else ANY
    for each in values[1:]:
        found = union(found, each)
    return found


def number(value: object) -> Known:
    """The bounds of a literal."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return Bounds(value, value, True, True)
    if isinstance(value, int | float) and not math.isnan(value):
        return Bounds(float(value), float(value), False, True, isinstance(value, float))
    return ANY


def compared(op: ast.cmpop, left: Known, right: Known) -> Known:
    """The bounds of a comparison: bools, at least if it compares tensors."""
    if isinstance(op, ast.In | ast.NotIn):
        return ANY
    if isinstance(op, ast.Is | ast.IsNot):
        if ANY in (left, right) or NONE not in (left, right):
            return ANY
        return FALSE if (left == right) is isinstance(op, ast.IsNot) else TRUE
    if not isinstance(left, Bounds) or not isinstance(right, Bounds):
        return BOOLS
    found = _decided(op, left, right)
    value = BOOLS if found is None else TRUE if found else FALSE
    return value._replace(is_number=left.is_number and right.is_number)


def _decided(op: ast.cmpop, a: Bounds, b: Bounds) -> bool | None:
    """The answer of a comparison if it is the same for all elements; None if it is not."""
    match op:
        case ast.Lt():
            return True if a.high < b.low else False if a.low >= b.high else None
        case ast.LtE():
            return True if a.high <= b.low else False if a.low > b.high else None
        case ast.Gt():
            return _decided(ast.Lt(), b, a)
        case ast.GtE():
            return _decided(ast.LtE(), b, a)
        case ast.Eq():
            apart = a.high < b.low or b.high < a.low
            return False if apart else True if a.low == a.high == b.low == b.high else None
        case ast.NotEq():
            found = _decided(ast.Eq(), a, b)
            return None if found is None else not found
    return None


def computed(op: ast.operator, a: Known, b: Known) -> Known:
    """The bounds of `a op b`; ANY if something could become NaN, or is too large for some dtype."""
    if not isinstance(a, Bounds) or not isinstance(b, Bounds):
        return ANY
    match op:
        case ast.BitAnd() | ast.BitOr() if a.is_bool and b.is_bool:
            choose = min if isinstance(op, ast.BitAnd) else max
            return Bounds(choose(a.low, b.low), choose(a.high, b.high), True, a.is_number and b.is_number)
        case ast.Add():
            return _arithmetic(a.low + b.low, a.high + b.high, a, b)
        case ast.Sub():
            return _arithmetic(a.low - b.high, a.high - b.low, a, b)
        case ast.Mult():
            return _product(a, b)
    return ANY


def _product(a: Bounds, b: Bounds) -> Known:
    """A product stays finite if one side has at most 1, or both are moderate."""
    sizes = [max(abs(each.low), abs(each.high)) for each in (a, b)]
    if max(sizes) > HUGE or (min(sizes) > 1 and sizes[0] * sizes[1] > SAFE):
        return ANY
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _arithmetic(min(corners), max(corners), a, b, HUGE)


def _arithmetic(low: float, high: float, a: Bounds, b: Bounds, limit: float = SAFE) -> Known:
    """The bounds of a result that may be of bools or bytes: those hold no negative number, and bools no 2."""
    is_number, signed = a.is_number and b.is_number, a.signed or b.signed
    if low < -limit or high > limit or (low < 0 and not signed and not is_number):
        return ANY
    if not signed and not is_number:
        low = min(low, 1.0)
    return Bounds(low, high, False, is_number, signed)


def negated(op: ast.unaryop, value: Known) -> Known:
    """The bounds of `-x`, `~x`, `not x`."""
    if not isinstance(value, Bounds):
        return ANY
    if isinstance(op, ast.USub) and (value.signed or value.is_number):
        return value._replace(low=-value.high, high=-value.low, is_bool=False)
    if isinstance(op, ast.Not) or (isinstance(op, ast.Invert) and value.is_bool and not value.is_number):
        found = truth(value)
        return Bounds(1 - found.high, 1 - found.low, True, isinstance(op, ast.Not))
    return ANY


def truth(value: Bounds) -> Bounds:
    """The bounds of the bools that the elements are."""
    if value.low > 0 or value.high < 0:
        return TRUE
    return FALSE if value.low == value.high == 0 else BOOLS


def cast(last: str, value: Known) -> Known:
    """The bounds after a conversion to another dtype, which may round to 0 or 1."""
    if not isinstance(value, Bounds):
        return ANY
    if last == "bool":
        return truth(value)
    if last in FLOATS and value.low >= -SAFE and value.high <= SAFE:
        return Bounds(value.low, value.high, signed=True)
    if not value.is_small:
        return ANY
    return Bounds(math.floor(value.low), math.ceil(value.high), signed=last in INTEGERS)


def reduced(last: str, value: Known) -> Known:
    """The bounds of `x.any()`, `x.all()`, `x.max()`: a tensor without elements has none that is not 0."""
    if last in EXTREMES:
        return value
    if last in SUMS:
        zero = isinstance(value, Bounds) and truth(value) == FALSE
        return Bounds(0, 0, signed=True) if zero else ANY
    if not isinstance(value, Bounds):
        return BOOLS
    found = truth(value)
    if last == "any":
        return FALSE if found == FALSE else BOOLS
    return TRUE if found == TRUE else BOOLS
