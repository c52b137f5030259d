"""Elements that a mask or a search has selected: how many there are is known only from data, and there may be none."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta, tensor_arguments, words
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import INTEGRAL, TENSOR

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

SELECTING: Final = words("nonzero argwhere masked_select unique unique_consecutive")
#: functions that take any number of elements
TAKE_ANY: Final = words("""
    sum mean prod any all std var norm abs exp log log1p sqrt rsqrt square pow relu sigmoid tanh neg sign sin cos erf
    clamp clamp_min clamp_max clip float half double bfloat16 long int bool to type type_as detach clone contiguous
    numel size dim isnan isinf isfinite logical_not softmax log_softmax cumsum flatten unsqueeze squeeze cat concat
    zeros_like ones_like round floor ceil reciprocal
""")
FULL: Final = words("sum mean prod any all std var norm numel size dim")
NAN_OF_NOTHING: Final = words("mean std var median")


def is_selection(node: ast.expr, facts: Facts) -> bool:
    """True if data decides how many elements the value has, also by way of a name, a method or arithmetic."""
    match node:
        case ast.Name():
            given = definition(node, facts).value
            return given is not None and is_selection(given, facts)
        case ast.Subscript(value=value, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            return any(_is_mask(each, facts) for each in parts) or is_selection(value, facts)
        case ast.Call(func=ast.Attribute(value=value, attr=name)):
            if name in SELECTING:
                return True
            return name not in FULL and any(is_selection(each, facts) for each in (value, *node.args))
        case ast.BinOp(left=left, right=right):
            return is_selection(left, facts) or is_selection(right, facts)
        case ast.UnaryOp(operand=operand):
            return is_selection(operand, facts)
    return False


def _is_mask(index: ast.expr, facts: Facts) -> bool:
    """True for an index that may hold bools, and for indices that a search has found."""
    integral = facts.value(index).traits & INTEGRAL or (meta(index, facts).dtype or "").startswith("int")
    return facts.kinds(index) == TENSOR and (not integral or is_selection(index, facts))


def fits_any_number(node: ast.Call | ast.BinOp, facts: Facts) -> bool:
    """True if the operation works for any number of selected elements, none included."""
    if isinstance(node, ast.BinOp):
        sides = [node.left, node.right]
        chosen = [is_selection(each, facts) for each in sides]
        return chosen[0] == chosen[1] or any(
            not one and (is_number(each, facts) or meta(each, facts).is_0d)
            for one, each in zip(chosen, sides, strict=True)
        )
    name = (facts.resolve(node.func) or "").rpartition(".")[2]
    return name in TAKE_ANY or not any(is_selection(each, facts) for each in tensor_arguments(node, facts))


def is_nan_of_nothing(name: str, node: ast.Call, facts: Facts) -> bool:
    """True if the result is NaN where nothing was selected, so that what it is multiplied with gets NaN."""
    return name in NAN_OF_NOTHING and any(is_selection(each, facts) for each in tensor_arguments(node, facts))
