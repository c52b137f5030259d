"""Calls of libraries that compute with arrays and tensors: NumPy, einops."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.state import SILENT
from graphmend_lint.facts.values import (
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    FLOATING,
    FUNCTION,
    INTEGRAL,
    KNOWN,
    NDARRAY,
    NDARRAY_VALUE,
    NONE_VALUE,
    SCALAR,
    SCALAR_VALUE,
    SYMINT,
    SYMINT_VALUE,
    TENSOR,
    UNKNOWN,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    container,
    container_of,
    is_static,
    join,
    join_all,
)

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation

#: functions of `itertools`, by what they go through: an element of each, groups of elements, or elements
PAIRED: Final = frozenset({"product", "zip_longest"})
GROUPED: Final = frozenset({"combinations", "pairwise", "permutations"})
FLAT: Final = frozenset({"chain", "cycle", "islice"})
PACKS: Final = frozenset({"einops.pack", "einops.unpack"})
#: inside a region, arrays are traced as tensors, also those that NumPy makes from nothing
ARRAY_MAKERS: Final = frozenset("array asarray zeros ones full empty arange linspace eye zeros_like ones_like".split())
#: what these make of Python's lists; of numbers alone, as in a constructor, they make a number
ARRAY_REDUCTIONS: Final = frozenset(
    "sum prod max min mean amax amin cumsum argmax argmin sort argsort diff any all".split()
)
#: make one number of all elements, unless they are told an axis
TO_NUMBER: Final = frozenset("sum prod max min mean amax amin argmax argmin std var median any all".split())
#: what these make of Python's numbers is a float
TO_FLOAT: Final = frozenset(
    "sqrt cbrt exp expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh".split()
)
#: and these keep whole numbers whole; but for the first ones, which make floats as well
OF_EITHER: Final = frozenset(
    "ceil floor rint trunc around round abs absolute sign square power maximum minimum mod clip add multiply".split()
)
#: these take whole numbers alone
WHOLE_ALONE: Final = frozenset({"gcd", "lcm"})
SCALAR_TYPES: Final = frozenset("float16 float32 float64 int8 int16 int32 int64 uint8 bool_".split())
WHOLE: Final = ("builtins.int", *(f"numpy.{name}" for name in SCALAR_TYPES if "int" in name))
#: a number of NumPy's that no code inside the graph made: Dynamo reads it where a function asks for a number
NUMPY_NUMBER: Final = Value(NDARRAY, traits=ZERO_DIM | KNOWN)
#: a float that NumPy made of Python's numbers inside the graph: Dynamo computes it while it traces
NUMPY_FLOAT: Final = Value(CONSTANT, traits=KNOWN | FLOATING)
#: a whole number that NumPy made so: Dynamo has to read it, but where a function of torch takes a size
NUMPY_WHOLE: Final = Value(NDARRAY, traits=ZERO_DIM | KNOWN | INTEGRAL)
LISTS: Final = CONTAINER | UNKNOWN | FUNCTION  #: what may be a list or a shape, also where not all is understood
OF_NUMBERS: Final = frozenset({"isnan", "isinf", "isfinite"})


def numpy_call(function: Value, name: str, arguments: Arguments, activation: Activation) -> Value:
    """A function of NumPy, or a method of an array; `name` is its last part."""
    values = arguments.positional if function.receiver is None else (function.receiver, *arguments.positional)
    flat = [value.element or value if value.kinds & CONTAINER else value for value in values]
    if any(value.kinds & (TENSOR | NDARRAY) for value in flat):
        return _of_arrays(name, flat, arguments)
    if activation.mode == SILENT and (made := _number_made(name, values, arguments)):
        return made
    if name in ARRAY_MAKERS or ".random." in f".{function.name}":
        return NDARRAY_VALUE
    if name in ARRAY_REDUCTIONS and activation.mode != SILENT and any(v.kinds & LISTS for v in values):
        return NDARRAY_VALUE
    if name in OF_NUMBERS and len(flat) == 1 and flat[0].kinds == SCALAR:
        return SCALAR_VALUE
    if not flat or not all(is_static(value) for value in flat):
        return NDARRAY_VALUE if name in WHOLE_ALONE and flat else UNKNOWN_VALUE
    if name in OF_EITHER | WHOLE_ALONE and all(not value.kinds & ~(CONSTANT | SYMINT) for value in values):
        return NUMPY_WHOLE if all(map(_is_whole, values)) else NUMPY_FLOAT
    return NUMPY_FLOAT if name in TO_FLOAT or name in {"ceil", "floor"} else CONSTANT_VALUE


def _is_whole(value: Value) -> bool:
    """True for an integer that is known. A size does not count: it may be the result of a division."""
    return isinstance(value.const, int)


def _of_arrays(name: str, flat: list[Value], arguments: Arguments) -> Value:
    """What a function or method of NumPy makes of arrays, or of tensors taken as arrays."""
    if name in {"item", "tolist"} and is_python_number(flat[0]):
        return CONSTANT_VALUE
    if name in {"item", "tolist", "allclose", "array_equal"}:
        return SCALAR_VALUE
    whole = name in TO_NUMBER and not _along(arguments, len(flat))
    same = name in TO_FLOAT | OF_EITHER | {"astype"} and all(value.traits & ZERO_DIM for value in flat)
    return NDARRAY_VALUE._replace(traits=ZERO_DIM) if whole or same else NDARRAY_VALUE


def _along(arguments: Arguments, given: int) -> bool:
    """True if a reduction is told an axis, or to keep dimensions."""
    return given > 1 or arguments.open or any(word in {"axis", "keepdims"} for word, _ in arguments.keywords)


def _number_made(name: str, values: tuple[Value, ...], arguments: Arguments) -> Value | None:
    """The number that NumPy makes where nothing is traced, as in a constructor; None for anything but a number."""
    if name in TO_NUMBER:
        shown = len(values) == 1 and values[0].kinds & CONTAINER and not _along(arguments, 1)
        return NUMPY_NUMBER if shown else None
    if name not in TO_FLOAT | OF_EITHER | SCALAR_TYPES or not values or arguments.keywords:
        return None
    return NUMPY_NUMBER if all(value.kinds and not value.kinds & ~(CONSTANT | SYMINT) for value in values) else None


def whole_number(receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """`np.ceil(2.5).astype(int)` inside the graph, a number that Dynamo has to read; None for any other call."""
    if name != "astype" or receiver.traits & NUMPY_FLOAT.traits != NUMPY_FLOAT.traits or not arguments.positional:
        return None
    wanted = arguments.positional[0]
    whole = wanted.name in WHOLE or (isinstance(wanted.const, str) and "int" in wanted.const)
    return NUMPY_WHOLE if whole else receiver


def is_python_number(value: Value) -> bool:
    """True for a number of NumPy's that was made outside the graph: Dynamo knows what `int` makes of it."""
    return value.kinds == NDARRAY and value.traits & (KNOWN | INTEGRAL) == KNOWN


def packed(last: str, first: Value | None) -> Value:
    """`pack([x, y], pattern)`: a tensor and a list of shapes; `unpack(x, shapes, pattern)`: tensors."""
    tensor = first.element if first is not None and last == "pack" else first
    if tensor is None or tensor.kinds != TENSOR:
        return UNKNOWN_VALUE
    shapes = container_of(container_of(SYMINT_VALUE))
    return container((tensor, shapes)) if last == "pack" else container_of(tensor)


def iterated(name: str, values: tuple[Value, ...], element: Callable[[Value], Value]) -> Value | None:
    """What a function of `itertools` goes through; None for one that is not known."""
    parts = tuple(element(value) for value in values if value.kinds & (CONTAINER | TENSOR | NDARRAY | UNKNOWN))
    if not parts or name not in PAIRED | FLAT | GROUPED:
        return None
    if name == "zip_longest":
        parts = tuple(join(each, NONE_VALUE) for each in parts)
    if name in PAIRED:
        return container_of(container(parts))
    return container_of(container_of(parts[0]) if name in GROUPED else join_all(parts))
