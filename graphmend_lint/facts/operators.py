"""Values of operators and comparisons, and the truth of values."""

from __future__ import annotations

import ast
import re
from typing import Final

from graphmend_lint.facts import narrow, torch_api
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.values import (
    ANSWER,
    BOOL,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    DATA,
    FUNCTION,
    KNOWN,
    MISSING,
    MODULE,
    NDARRAY,
    NDARRAY_VALUE,
    NONE,
    OBJECT,
    PATTERN,
    SCALAR,
    SCALAR_VALUE,
    SYMBOLIC,
    SYMINT,
    SYMINT_VALUE,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    container,
    container_of,
    is_static,
    join_optional,
)

PLACE: Final = r"%[-+ #0-9.]*[a-zA-Z]"  #: where `%` puts something into a text
NUMBERS: Final = CONSTANT | SYMINT | SCALAR


def operate(left: Value, right: Value, operator: ast.operator) -> Value:
    """`left <operator> right`."""
    kinds = left.kinds | right.kinds
    if left.kinds == CONSTANT and not kinds & DATA and _is_text(left, right, operator):
        return _written(left, right, operator)
    if kinds == CONTAINER | TENSOR and isinstance(operator, ast.Mult):
        listed = left if left.kinds == CONTAINER else right
        return TENSOR_VALUE if listed.element is None else container_of(listed.element)
    if kinds & TENSOR:
        traits = _result_traits(left, right, operator)
        return Value(TENSOR, traits=traits) if traits else TENSOR_VALUE
    if kinds & NDARRAY:
        return _with_array(left, right)
    if kinds & SCALAR and not kinds & ~(NUMBERS | NONE | UNKNOWN):
        return SCALAR_VALUE  # a random number is asked for: the graph ends, and it is a number like any other
    if kinds & UNKNOWN:
        found, traits = unknown_from(left, right), left.traits & right.traits & (BOOL | ANSWER)
        joins = traits and isinstance(operator, ast.BitAnd | ast.BitOr | ast.Mult)
        return found._replace(traits=traits if found.origin else traits & ANSWER) if joins else found
    if left.kinds & right.kinds & CONTAINER and isinstance(operator, ast.Add):
        return _concatenated(left, right)
    if kinds & CONTAINER:
        return container_of(join_optional(left.element, right.element))
    if kinds & SYMINT and not kinds & ~(NUMBERS | NONE):
        return SYMINT_VALUE
    return CONSTANT_VALUE if not kinds & ~(CONSTANT | NONE) else UNKNOWN_VALUE


def _is_text(left: Value, right: Value, operator: ast.operator) -> bool:
    """True for `"conv" + str(i)` and `"conv%d" % i`: the operation gives a text."""
    if isinstance(operator, ast.Mod):
        return isinstance(left.const, str)
    given = left.const if left.const is not MISSING else right.const
    part = left.name is not None and left.name.startswith(PATTERN)
    return isinstance(operator, ast.Add) and (isinstance(given, str) or part)


def _written(left: Value, right: Value, operator: ast.operator) -> Value:
    """What `"conv" + str(i)` or `"conv%d" % i` makes: a text, or what is known of one."""
    if isinstance(operator, ast.Mod):
        text = re.sub(PLACE, "{}", left.const) if isinstance(left.const, str) else ""
    elif isinstance(left.const, str) and isinstance(right.const, str):
        return Value(CONSTANT, left.const + right.const)
    else:
        text = _text(left) + _text(right)
    return Value(CONSTANT, name=PATTERN + text) if "{}" in text and text.strip("{}") else CONSTANT_VALUE


def _text(value: Value) -> str:
    """What is known of a text, with `{}` for each part that is not."""
    if value.name is not None and value.name.startswith(PATTERN):
        return value.name.removeprefix(PATTERN)
    return value.const if isinstance(value.const, str) else "{}"


def _with_array(left: Value, right: Value) -> Value:
    """The result of an operation with an array.

    One of NumPy's numbers and an unknown value give an unknown value, since that may be a tensor.
    """
    numbers = all(value.traits & ZERO_DIM or not value.kinds & ~(CONSTANT | SYMINT) for value in (left, right))
    if numbers:
        return NDARRAY_VALUE._replace(traits=ZERO_DIM)
    array, other = (left, right) if left.kinds & NDARRAY else (right, left)
    return unknown_from(other) if array.traits & ZERO_DIM and other.kinds & UNKNOWN else NDARRAY_VALUE


def _concatenated(left: Value, right: Value) -> Value:
    if left.items is not None and right.items is not None and left.keys is None and len(left.items) < 32:
        return container(left.items + right.items)
    return container_of(join_optional(left.element, right.element))


def compared(left: Value, operator: ast.cmpop, right: Value) -> Value:
    """`left <operator> right` for a comparison."""
    if isinstance(operator, ast.Is | ast.IsNot):
        return narrow.identity(left, right, isinstance(operator, ast.Is))
    if isinstance(operator, ast.In | ast.NotIn):
        return _contained(left, right, isinstance(operator, ast.In))
    kinds = left.kinds | right.kinds
    if kinds & TENSOR:
        other = right if left.kinds & TENSOR else left
        if other.kinds == NONE or isinstance(other.const, str):
            return Value(CONSTANT, isinstance(operator, ast.NotEq))
        return Value(TENSOR, traits=BOOL | _zero_dim(left, right))
    if kinds & NDARRAY:
        return _with_array(left, right)
    if (left.traits | right.traits) & KNOWN and not kinds & ~(CONSTANT | SYMINT):
        return NDARRAY_VALUE._replace(traits=ZERO_DIM)  # a float of NumPy's: the answer is no bool of Python's
    if kinds & SCALAR:
        return Value(SCALAR, traits=(left.traits | right.traits) & SYMBOLIC)
    if kinds & UNKNOWN:
        found = unknown_from(left, right)
        return found._replace(traits=BOOL | ANSWER if found.origin else ANSWER)  # a mask, if a tensor is compared
    if left.kinds & right.kinds & CONTAINER and (_has_data(left) or _has_data(right)):
        return SCALAR_VALUE
    return _folded(left, operator, right)


def _contained(left: Value, right: Value, positive: bool) -> Value:
    if right.kinds & (TENSOR | NDARRAY):
        return CONSTANT_VALUE if isinstance(left.const, str) else SCALAR_VALUE  # no tensor holds a string
    if right.keys is not None and left.const is not MISSING:
        return Value(CONSTANT, (left.const in right.keys) is positive)
    among_arrays = left.kinds & NDARRAY and right.element is not None and right.element.kinds & NDARRAY
    if among_arrays and right.keys is None:
        return SCALAR_VALUE
    if left.kinds & (TENSOR | SCALAR) and right.kinds & CONTAINER and right.keys is None and _holds_data(right):
        return SCALAR_VALUE
    return Value(CONSTANT, traits=ANSWER) if is_static(left) and is_static(right) else unknown_from(left, right)


def truth_of(value: Value) -> bool | None:
    """The truth of a value, if Dynamo decides it the same way in every run."""
    if value.const is not MISSING:
        return bool(value.const)
    if value.kinds == NONE:
        return False
    if value.kinds == FUNCTION and not value.dormant:
        return True
    if value.kinds == UNKNOWN and value.name is not None and torch_api.function(value.name) is not None:
        return True
    if value.kinds == CONTAINER and value.items is not None:
        return bool(value.items)
    return True if value.kinds == MODULE and value.name is None and isinstance(value.target, Instance) else None


def _zero_dim(left: Value, right: Value) -> int:
    """The trait ZERO_DIM if every tensor among the operands has it, else no trait."""
    tensors = [value for value in (left, right) if value.kinds & TENSOR]
    plain = all(value.kinds & (TENSOR | CONSTANT | SYMINT | SCALAR) for value in (left, right))
    return ZERO_DIM if plain and all(value.traits & ZERO_DIM for value in tensors) else 0


def _result_traits(left: Value, right: Value, operator: ast.operator) -> int:
    traits = _zero_dim(left, right)
    if all(value.traits & KNOWN or not value.kinds & ~(CONSTANT | SYMINT) for value in (left, right)):
        traits |= KNOWN
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor):
        both = left.traits & right.traits if left.kinds & right.kinds & TENSOR else left.traits | right.traits
        return traits | (both & BOOL)
    if isinstance(operator, ast.Mult) and left.kinds == right.kinds == TENSOR:
        return traits | (left.traits & right.traits & BOOL)
    return traits


def _has_data(value: Value) -> bool:
    """True if comparing the container's elements compares data."""
    parts = value.items or ((value.element,) if value.element is not None else ())
    return any(part.kinds & DATA and not part.kinds & UNKNOWN for part in parts)


def _holds_data(value: Value) -> bool:
    return value.element is None or not value.element.kinds & (CONTAINER | FUNCTION | MODULE | OBJECT)


def _folded(left: Value, operator: ast.cmpop, right: Value) -> Value:
    """A comparison of values that are known while tracing; decided if both are known here."""
    if isinstance(operator, ast.Eq | ast.NotEq) and left.const is not MISSING and right.const is not MISSING:
        equal = type(left.const) is type(right.const) and left.const == right.const
        return Value(CONSTANT, equal is isinstance(operator, ast.Eq), dormant=left.dormant or right.dormant)
    return Value(CONSTANT, traits=ANSWER)
