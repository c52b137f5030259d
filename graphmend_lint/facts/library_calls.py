"""Calls of libraries that compute with arrays and tensors: NumPy, einops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.state import SILENT
from graphmend_lint.facts.values import (
    CONSTANT_VALUE,
    CONTAINER,
    NDARRAY,
    NDARRAY_VALUE,
    SCALAR,
    SCALAR_VALUE,
    SYMINT_VALUE,
    TENSOR,
    UNKNOWN_VALUE,
    Value,
    container,
    container_of,
    is_static,
)

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation

PACKS: Final = frozenset({"einops.pack", "einops.unpack"})
#: inside a region, arrays are traced as tensors, also those that NumPy makes from nothing
ARRAY_MAKERS: Final = frozenset("array asarray zeros ones full empty arange linspace eye zeros_like ones_like".split())
#: what these make of Python's lists; of numbers alone, as in a constructor, they make a number
ARRAY_REDUCTIONS: Final = frozenset("sum prod max min mean amax amin cumsum argmax argmin sort argsort diff".split())
OF_NUMBERS: Final = frozenset({"isnan", "isinf", "isfinite"})


def numpy_call(function: Value, name: str, arguments: Arguments, activation: Activation) -> Value:
    """A function of NumPy, or a method of an array; `name` is its last part."""
    values = arguments.positional if function.receiver is None else (function.receiver, *arguments.positional)
    flat = [value.element or value if value.kinds & CONTAINER else value for value in values]
    if any(value.kinds & (TENSOR | NDARRAY) for value in flat):
        return SCALAR_VALUE if name in {"item", "tolist", "allclose", "array_equal"} else NDARRAY_VALUE
    if name in ARRAY_MAKERS or ".random." in f".{function.name}":
        return NDARRAY_VALUE
    if name in ARRAY_REDUCTIONS and activation.mode != SILENT and any(v.kinds == CONTAINER for v in values):
        return NDARRAY_VALUE
    if name in OF_NUMBERS and len(flat) == 1 and flat[0].kinds == SCALAR:
        return SCALAR_VALUE
    return CONSTANT_VALUE if flat and all(is_static(value) for value in flat) else UNKNOWN_VALUE


def packed(last: str, first: Value | None) -> Value:
    """`pack([x, y], pattern)`: a tensor and a list of shapes; `unpack(x, shapes, pattern)`: tensors."""
    tensor = first.element if first is not None and last == "pack" else first
    if tensor is None or tensor.kinds != TENSOR:
        return UNKNOWN_VALUE
    shapes = container_of(container_of(SYMINT_VALUE))
    return container((tensor, shapes)) if last == "pack" else container_of(tensor)
