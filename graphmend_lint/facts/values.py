"""Abstract values: what an expression may be while Dynamo traces it.

A value is a named tuple, not a dataclass: the interpreter makes millions, and hashes them as summary keys.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

Kinds = int  #: a set of the kinds below, as bits

CONSTANT: Final = 1  #: a Python number, string, bool, dtype, device: known while tracing
SYMINT: Final = 2  #: a size: an int that Dynamo guards on
TENSOR: Final = 4
SCALAR: Final = 8  #: a Python number read out of a tensor
MODULE: Final = 16  #: an nn.Module
CONTAINER: Final = 32  #: list, tuple, dict, set, range, slice
NDARRAY: Final = 64  #: a NumPy array that Dynamo traces as a tensor
OBJECT: Final = 128  #: any other object whose class is known
FUNCTION: Final = 256  #: a function, class or bound method
NONE: Final = 512
UNKNOWN: Final = 1024  #: the top: nothing is known, nothing is flagged

NAMES: Final = {
    CONSTANT: "constant",
    SYMINT: "size",
    TENSOR: "tensor",
    SCALAR: "scalar",
    MODULE: "module",
    CONTAINER: "container",
    NDARRAY: "ndarray",
    OBJECT: "object",
    FUNCTION: "function",
    NONE: "none",
    UNKNOWN: "unknown",
}

#: traits of a tensor
ZERO_DIM: Final = 1  #: exactly one element, no dimensions
BOOL: Final = 2  #: dtype is bool
INTEGRAL: Final = 4  #: dtype is an integer type
FLOATING: Final = 8  #: dtype is a floating type
SYMBOLIC: Final = 16  #: a number that Dynamo keeps symbolic although no tensor holds it: Python's random numbers
KNOWN: Final = 32  #: made of Python's numbers alone, so that Dynamo knows its value when a function asks for a number
#: trait of what is no tensor: the answer of a comparison, so that it selects by bools if it is used as an index
ANSWER: Final = 64
#: trait of a module: it may change what it is called with, as `nn.ReLU(inplace=True)` does
CHANGES: Final = 128

#: kinds whose truth Dynamo knows while it traces
STATIC: Final = CONSTANT | SYMINT | MODULE | CONTAINER | OBJECT | FUNCTION | NONE
#: kinds that hold data known only when the graph runs
DATA: Final = TENSOR | NDARRAY | SCALAR


class _Missing:
    """The constant of a value that has none; its own type, since None is a constant."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


class Value(NamedTuple):
    """What is known of one expression. Fields beyond `kinds` are hints that a join drops when they disagree."""

    kinds: Kinds
    const: Any = MISSING  #: the Python value, if it is one and known
    name: str | None = None  #: qualified external name: "torch.Tensor.sum", "logging.Logger", "builtins.print"
    target: Any = None  #: a FunctionDef, ClassDef or Module of the project, an Instance or a Super
    receiver: Value | None = None  #: what a bound method is bound to
    items: tuple[Value, ...] | None = None  #: elements of a container of known length
    keys: tuple[Any, ...] | None = None  #: constant keys of a dict, aligned with `items`
    element: Value | None = None  #: join of all elements of a container
    origin: frozenset[str] = frozenset()  #: entry-point parameters whose unknown kind this one inherits
    dormant: bool = False  #: a default that switches something off: a flag False unless the user turns it on
    traits: int = 0  #: facts about a tensor, as bits


IS_COMPILING: Final = "torch.compiler.is_compiling"
CHOICE: Final = "<one of several>"  #: the name of a value whose items are functions, modules or objects
PATTERN: Final = "<text> "  #: begins the name of a text that is not known in whole: `f"layer{i}"`
MAX_CHOICE: Final = 8
CHOSEN: Final = FUNCTION | MODULE | OBJECT | NONE  #: kinds of what a choice is made of
MAX_ORIGINS: Final = 8  #: per value; evidence asks for exactly one
MAX_ORIGIN: Final = 200  #: characters: a chain in a recursion has no end

UNKNOWN_VALUE: Final = Value(UNKNOWN)
TENSOR_VALUE: Final = Value(TENSOR)
SCALAR_VALUE: Final = Value(SCALAR)
CONSTANT_VALUE: Final = Value(CONSTANT)
SYMBOLIC_VALUE: Final = Value(SCALAR, traits=SYMBOLIC)
SYMINT_VALUE: Final = Value(SYMINT)
NONE_VALUE: Final = Value(NONE, None)
NDARRAY_VALUE: Final = Value(NDARRAY)
CONTAINER_VALUE: Final = Value(CONTAINER)
OBJECT_VALUE: Final = Value(OBJECT)


@lru_cache(maxsize=4096, typed=True)
def constant(value: object) -> Value:
    """The value of a literal."""
    return NONE_VALUE if value is None else Value(CONSTANT, value)


def container(items: tuple[Value, ...], keys: tuple[Any, ...] | None = None) -> Value:
    """A list, tuple, set or dict whose elements are known one by one (its values, for a dict)."""
    return Value(CONTAINER, items=items, keys=keys, element=join_all(items) if items else None)


def container_of(element: Value | None) -> Value:
    """A container of unknown length whose elements all look like `element`."""
    return Value(CONTAINER, element=element)


def describe(value: Value) -> str:
    """The kinds in words: "tensor | none"."""
    return " | ".join(word for kind, word in NAMES.items() if value.kinds & kind)


def united(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The origins of both; if there are too many, always the same few of them."""
    both = a | b
    return both if len(both) <= MAX_ORIGINS else frozenset(sorted(both)[:MAX_ORIGINS])


def part_of(value: Value, step: str) -> Value:
    """An unknown value that is reached from another by one step: ".name" or "[]"."""
    return Value(UNKNOWN, origin=frozenset(f"{each}{step}" for each in value.origin if len(each) < MAX_ORIGIN))


def join(a: Value, b: Value) -> Value:
    """The value of something that may be either: kinds unite, hints stay where both agree, UNKNOWN absorbs."""
    if a is b or a == b:
        return a
    if (a.kinds | b.kinds) & UNKNOWN:
        if a.name in RNNS and b.name in RNNS:
            return Value(UNKNOWN, name=RECURRENT)
        return Value(UNKNOWN, origin=united(a.origin, b.origin)) if a.origin or b.origin else UNKNOWN_VALUE
    if a.kinds == NONE:
        return _of_kinds(b, b.kinds | NONE)
    if b.kinds == NONE:
        return _of_kinds(a, a.kinds | NONE)
    if not (a.kinds | b.kinds) & ~CHOSEN and (choice := _choice(a, b)) is not None:
        return choice
    same_length = a.items is not None and b.items is not None and len(a.items) == len(b.items) and a.keys == b.keys
    items = tuple(map(join, a.items, b.items)) if same_length and a.items and b.items else None
    return Value(
        a.kinds | b.kinds,
        const=a.const if _same_constant(a.const, b.const) else MISSING,
        name=a.name if a.name == b.name else _either(a, b),
        target=a.target if a.target == b.target else None,
        receiver=a.receiver if a.receiver == b.receiver else None,
        items=items,
        keys=a.keys if items is not None else None,
        element=join_optional(a.element, b.element),
        origin=united(a.origin, b.origin) if b.origin else a.origin,
        dormant=a.dormant and b.dormant,
        traits=(a.traits & b.traits) | ((a.traits | b.traits) & CHANGES),
    )


def _of_kinds(value: Value, kinds: Kinds) -> Value:
    """The value with other kinds and no constant; a faster `_replace`, since joins are the most common of all."""
    return tuple.__new__(Value, (kinds, MISSING, *value[2:]))


def _either(a: Value, b: Value) -> str | None:
    """The name of one of two modules, if calls of both give values alike; None if they may not.

    `nn.Linear(...) if change else nn.Identity()` maps tensors to tensors either way, and RNNs are alike.
    """
    if a.kinds != MODULE or b.kinds != MODULE or a.target is not None or b.target is not None:
        return None
    if a.name in RNNS and b.name in RNNS:
        return RECURRENT
    other = a.name if b.name == IDENTITY else b.name if a.name == IDENTITY else None
    return other if other is not None and other.endswith(MAPS) else None


RECURRENT: Final = "torch.nn.RNNBase"  #: which of them is not known
RNNS: Final = frozenset({"torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU", RECURRENT})
ANY_CLASS: Final = "torch.nn.*"  #: a class of torch.nn that is chosen by a string
IDENTITY: Final = "torch.nn.Identity"
#: classes of modules that a tensor goes through; what they make of it is a tensor
MAPS: Final = ("nn.Linear", "nn.Conv1d", "nn.Conv2d", "nn.Conv3d", "Norm", "Norm1d", "Norm2d", "Norm3d", "nn.Dropout")


def _choice(a: Value, b: Value) -> Value | None:
    """One of several functions, modules or objects: a call may run any of them, an attribute be that of any.

    Nothing is known of them if they are too many. None if they are one thing to a call, or one of them is not known.
    """
    if (a.target, a.name) == (b.target, b.name) and (a.name != CHOICE or a.items == b.items):
        return None
    if _either(a, b) is not None or not (a.target or a.name) or not (b.target or b.name):
        return None
    found: dict[Value, None] = {}
    for value in (a, b):
        found |= dict.fromkeys(options(value if value.name == CHOICE else _of_kinds(value, value.kinds & ~NONE)))
    kinds = a.kinds | b.kinds
    return Value(kinds, name=CHOICE, items=tuple(found)) if len(found) <= MAX_CHOICE else Value(kinds)


def options(value: Value) -> tuple[Value, ...]:
    """What a value may be, one by one: several if it is a choice."""
    return value.items or () if value.name == CHOICE else (value,)


def _same_constant(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def covers(wide: Value, narrow: Value) -> bool:
    """True if a run with `wide` as an argument says all that a run with `narrow` would say.

    That `narrow` may be None as well makes no difference.
    """
    if wide is narrow:
        return True
    if narrow.kinds & UNKNOWN:
        return bool(wide.kinds & UNKNOWN)
    more = narrow.kinds & ~wide.kinds
    maybe_none = more == NONE and narrow.kinds != NONE
    if (more and not maybe_none) or wide.const is not MISSING or narrow.traits & ~wide.traits & BOOL:
        return wide == narrow
    if narrow.target is not None and narrow.target is not wide.target:
        return False
    if narrow.name == CHOICE and narrow.items != wide.items:
        return False
    if narrow.element is None:
        return True
    return wide.element is not None and covers(wide.element, narrow.element)


def join_optional(a: Value | None, b: Value | None) -> Value | None:
    """Join where None means "no element yet", as in an empty list."""
    if a is None or b is None:
        return a if b is None else b
    return join(a, b)


def join_all(values: tuple[Value, ...] | list[Value]) -> Value:
    """Join of at least one value."""
    result = values[0]
    for value in values[1:]:
        result = join(result, value)
    return result


def join_answers(values: list[Value]) -> Value:
    """Join of what a function returns. A wrapper that returns `is_compiling()` or else False stays what it wraps."""
    compiling = [value for value in values if value.name == IS_COMPILING]
    if compiling and all(value.const is False or value.name == IS_COMPILING for value in values):
        return compiling[0]
    return join_all(values)


def without(value: Value, kinds: Kinds) -> Value:
    """The value after a test has ruled `kinds` out; unchanged if nothing would be left."""
    left = value.kinds & ~kinds
    return value._replace(kinds=left) if left and left != value.kinds else value


def is_static(value: Value) -> bool:
    """True if Dynamo knows the truth of the value while it traces."""
    return not value.kinds & ~STATIC
