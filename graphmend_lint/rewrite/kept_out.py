"""Whether a mask is what keeps gradients from being NaN: `y[n != 0] = x[n != 0] / n[n != 0]`.

Computed for all elements, `x / n` divides by zero just where the mask does not hold. What is not chosen there is given
a gradient of zero, and zero times infinity is NaN.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.shares import divides_by_share, never_zero
from graphmend_lint.facts.values import CONTAINER, TENSOR, UNKNOWN
from graphmend_lint.shapes import dotted, same
from graphmend_lint.syntax import children, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 4  #: definitions of definitions that are followed
DIVIDES: Final = ast.Div | ast.FloorDiv | ast.Mod


def keeps_from_nan(mask: ast.expr, index: ast.expr, code: Iterable[ast.AST], facts: Facts) -> bool:
    """True if a gradient in `code` may be NaN for numbers of which the mask is made, too.

    Elements are selected by `index`: the mask, or indices that are made of it.
    """
    if no_grad(mask, facts):
        return False
    asked = _made_of(mask, None, facts, LEVELS)
    found = (each for statement in code for each in _hazards(statement, facts))
    return any(asked & _made_of(each, index, facts, LEVELS) for each in found)


def _hazards(node: ast.AST, facts: Facts) -> Iterator[ast.expr]:
    """Divisors, and calls and powers whose gradient may be NaN."""
    inner = [found for child in children(node) for found in _hazards(child, facts)]
    match node:
        case ast.BinOp(op=op, right=right) if isinstance(op, DIVIDES):
            yield from [] if divides_by_share(node, facts) or _is_safe(right, facts) else [right]
        case ast.AugAssign(op=op, value=value) if isinstance(op, DIVIDES):
            yield from [] if _is_safe(value, facts) else [value]
        case ast.BinOp(op=ast.Pow()) | ast.Call() if not inner and effects(node, facts).nan_gradient:
            yield node
    yield from inner


def _is_safe(divisor: ast.expr, facts: Facts) -> bool:
    """True for a divisor that is not zero, or that is one number for all elements."""
    return is_number(divisor, facts) or never_zero(divisor, facts)


def _made_of(node: ast.expr, index: ast.expr | None, facts: Facts, levels: int) -> frozenset[str]:
    """Names and paths of the tensors that a value is computed from; those that `index` selects do not depend on it."""
    found = set[str]()
    selects = {id(part) for each in _selecting(node) if index and same(each, index) for part in walk(each)}
    for each in walk(node):
        if not isinstance(each, ast.Name | ast.Attribute) or id(each) in selects:
            continue
        if not facts.kinds(each) & (TENSOR | CONTAINER | UNKNOWN):
            continue
        found.add(dotted(each) or "")
        given = definition(each, facts).value if isinstance(each, ast.Name) and levels else None
        found |= _made_of(given, index, facts, levels - 1) if given is not None else frozenset()
    return frozenset(found - {""})


def _selecting(node: ast.expr) -> Iterator[ast.expr]:
    """What selects elements: `index` of `x[index]`, `x[index, None]` and `x.index_select(0, index)`."""
    for each in walk(node):
        match each:
            case ast.Subscript(slice=ast.Tuple(elts=parts)):
                yield from parts
            case ast.Subscript(slice=place) | ast.Call(func=ast.Attribute(attr="index_select"), args=[_, place]):
                yield place
