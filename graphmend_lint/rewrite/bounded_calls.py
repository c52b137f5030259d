"""What calls make of bounds, for `bounded`: torch's functions and methods, and the parameters of a called function."""

from __future__ import annotations

import ast
from typing import Final

from graphmend_lint.facts.meta import words
from graphmend_lint.rewrite import bounds
from graphmend_lint.rewrite.bounds import (
    ANY,
    BOOLS,
    CASTS,
    CORNERS,
    EXTREMES,
    FINFO,
    FLOATS,
    INTEGERS,
    MOVES,
    SUMS,
    Bounds,
    Known,
    Several,
    union,
)
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import defaults

ZERO, ONE = bounds.number(0), bounds.number(1)
ONES: Final = words("ones ones_like new_ones")
ZEROS: Final = words("zeros zeros_like new_zeros")
FULL: Final = words("full full_like new_full")
SIGNED: Final = words("float32 float64 float16 bfloat16 float double half long int int64 int32 int16 int8 short")
COMPARE: Final = {
    "gt": ast.Gt(), "lt": ast.Lt(), "ge": ast.GtE(), "le": ast.LtE(), "eq": ast.Eq(), "ne": ast.NotEq(),
}  # fmt: skip
COMPUTE: Final = {
    "add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "logical_and": ast.BitAnd(), "logical_or": ast.BitOr(),
    "bitwise_and": ast.BitAnd(), "bitwise_or": ast.BitOr(),
}  # fmt: skip
TESTS: Final = words("isin isnan isinf isfinite logical_xor")
JOINS: Final = words("cat concat stack hstack vstack")

Named = dict[str, Known]


def applied(full: str, given: list[Known], named: Named, node: ast.Call) -> Known:
    """The bounds of a call of a function that is imported."""
    last = full.rpartition(".")[2]
    if not full.startswith("torch."):
        return ANY
    if last == "finfo":
        return FINFO
    if last in JOINS and given and isinstance(parts := given[0], Several):
        return bounds.all_of(parts.items)
    if last in ONES | ZEROS | FULL | {"tensor", "as_tensor", "scalar_tensor"}:
        return _made(last, given, named, node)
    if last == "where":
        return union(given[1], given[2]) if len(given) == 3 else ANY
    if not given:
        return ANY
    return called_method(last, given[0], given[1:], named, node)


def _made(last: str, given: list[Known], named: Named, node: ast.Call) -> Known:
    """A tensor of one number."""
    value = ONE if last in ONES else ZERO if last in ZEROS else ANY
    if last in FULL:
        value = named.get("fill_value", given[-1] if len(given) >= (1 if last == "new_full" else 2) else ANY)
    if last in ("tensor", "as_tensor", "scalar_tensor"):
        value = given[0] if given else ANY
    if not isinstance(value, Bounds):
        return ANY
    dtypes = [word.value for word in node.keywords if word.arg == "dtype"]
    name = (dotted(dtypes[0]) or "").rpartition(".")[2] if dtypes else ""
    if name == "bool":
        return bounds.truth(value)
    signed = name in SIGNED if dtypes else last in ("ones", "zeros")
    return Bounds(value.low, value.high, False, False, signed) if value.is_small or signed else ANY


def called_method(last: str, owner: Known, given: list[Known], named: Named, node: ast.Call) -> Known:
    """The bounds of a call of a tensor's method."""
    if last in ONES | ZEROS | FULL:
        return _made(last, given, named, node)
    if last in TESTS:
        return BOOLS
    if last in COMPARE and len(given) == 1:
        return bounds.compared(COMPARE[last], owner, given[0])
    if last in ("any", "all") or (last in EXTREMES | SUMS and not given and not named):
        return bounds.reduced(last, owner)
    if not isinstance(owner, Bounds):
        return ANY
    if last in COMPUTE and len(given) == 1 and not named:
        return _computed(last, owner, given[0])
    if last == "logical_not":
        return _tensor(bounds.negated(ast.Not(), owner))
    if last in MOVES:
        return owner._replace(is_number=last == "item")
    if last in FLOATS | INTEGERS | CASTS | {"bool"}:
        return _cast(last, owner, node)
    if last == "pad":
        return _tensor(union(owner, named.get("value", given[2] if len(given) > 2 else ZERO)))
    if last == "masked_fill" and len(given) == 2:
        return _tensor(union(owner, given[1]))
    return _tensor(union(owner, ZERO)) if last in CORNERS else ANY


def _tensor(value: Known) -> Known:
    return value._replace(is_number=False) if isinstance(value, Bounds) else value


def _computed(last: str, a: Known, b: Known) -> Known:
    if last.startswith(("logical", "bitwise")) and not all(
        isinstance(each, Bounds) and each.is_bool for each in (a, b)
    ):
        return BOOLS if last.startswith("logical") else ANY
    return bounds.computed(COMPUTE[last], a, b)


def _cast(last: str, value: Bounds, node: ast.Call) -> Known:
    """The bounds after a conversion; to any dtype, if `x.to(...)` does not name it."""
    if last not in CASTS:
        return bounds.cast(last, value)
    told = [*node.args, *(word.value for word in node.keywords if word.arg == "dtype")]
    names = [(dotted(each) or "").rpartition(".")[2] for each in told]
    known = [each for each in names if each in FLOATS | INTEGERS | SIGNED | {"bool"}]
    if len(known) == 1:
        return bounds.cast({"float32": "float", "float64": "float", "float16": "float"}.get(known[0], known[0]), value)
    return bounds.cast("to", value)


def parameters_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, given: list[Known], named: Named, *, bound: bool
) -> Named:
    """What the parameters of a function hold when it is called with these arguments."""
    signature = function.args
    positional = [each.arg for each in (*signature.posonlyargs, *signature.args)]
    found: Named = {
        name: bounds.number(value.value) if isinstance(value, ast.Constant) else ANY
        for name, value in defaults(signature).items()
    }
    return found | dict(zip(positional[bound:], given, strict=False)) | named
