"""Values of calls on torch's API, from the categories of its data."""

from __future__ import annotations

import ast
from functools import cache
from typing import Final

from graphmend_lint.facts.torch_api import Entry
from graphmend_lint.facts.values import (
    BOOL,
    CONSTANT_VALUE,
    CONTAINER,
    FLOATING,
    INTEGRAL,
    NDARRAY_VALUE,
    NONE_VALUE,
    SCALAR_VALUE,
    SYMINT_VALUE,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    container_of,
    join,
)

SIMPLE: Final = {
    "tensor": TENSOR_VALUE,
    "tensors": container_of(TENSOR_VALUE),
    "tensor|none": join(TENSOR_VALUE, NONE_VALUE),
    "size": container_of(SYMINT_VALUE),
    "symint": SYMINT_VALUE,
    "bool": CONSTANT_VALUE,
    "constant": CONSTANT_VALUE,
    "scalar": SCALAR_VALUE,
    "scalars": container_of(SCALAR_VALUE),
    "ndarray": NDARRAY_VALUE,
    "none": NONE_VALUE,
}
DTYPES: Final = BOOL | INTEGRAL | FLOATING
NORMS: Final = frozenset({"norm", "vector_norm"})  #: these take which norm it is before any dimension
PRODUCTS: Final = frozenset({"dot", "vdot"})
#: calls that move, copy or pick elements, and keep their dtype
KEEP_DTYPE: Final = frozenset(
    "view reshape expand expand_as flatten unflatten unsqueeze squeeze transpose permute contiguous clone detach "
    "repeat roll flip t movedim narrow select index_select gather repeat_interleave tile swapaxes cpu cuda ravel "
    "broadcast_to logical_not bitwise_not sort triu tril masked_fill masked_fill_ relu clamp unbind pad".split()
)
#: calls that keep the dtype if all that they are told is a device
MOVES: Final = frozenset({"to", "cuda", "cpu"})
#: arguments behind the first that only a tensor can be, by position; the first is number 0 for methods too
TENSOR_ARGUMENTS: Final = {
    1: frozenset(
        {
            "matmul",
            "mm",
            "bmm",
            "mv",
            "dot",
            "outer",
            "cross",
            "cdist",
            "kron",
            "embedding",
            "cross_entropy",
            "masked_fill",
        }
        | {"masked_fill_", "masked_select", "masked_scatter", "bucketize", "searchsorted", "isin", "equal", "allclose"}
        | {
            "binary_cross_entropy_with_logits",
            "binary_cross_entropy",
            "cosine_similarity",
            "scaled_dot_product_attention",
        }
        | {
            f"{kind}_loss"
            for kind in ("nll", "mse", "l1", "smooth_l1", "huber", "kl_div", "gaussian_nll", "poisson_nll")
        }
        | {
            "kl_div",
            "grid_sample",
            "linear",
            "conv1d",
            "conv2d",
            "view_as",
            "expand_as",
            "reshape_as",
            "type_as",
            "copy_",
        }
    ),
    2: frozenset(
        {"index_select", "gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "index_add", "index_add_"}
        | {"index_copy", "index_copy_", "baddbmm", "addmm", "addbmm", "scaled_dot_product_attention"}
    ),
    3: frozenset({"scatter_add", "scatter_add_", "index_add", "index_add_", "index_copy", "index_copy_"}),
}
#: dtypes by the last part of their name
DTYPE_TRAITS: Final = {"bool": BOOL, "long": INTEGRAL, "int": INTEGRAL, "int64": INTEGRAL, "int32": INTEGRAL}

RETURNED: Final = "torch.return_types"  #: what a named tuple of tensors is called


@cache
def tensor_positions(name: str) -> tuple[int, ...]:
    """At which positions, after the first, a function takes tensors; `name` is the last part of its name."""
    return tuple(position for position, names in TENSOR_ARGUMENTS.items() if name in names)


@cache
def category_value(category: str) -> Value:
    """The value of a category of `returns`; UNKNOWN for one that says nothing by itself."""
    if category.startswith("tensors:"):
        items = (TENSOR_VALUE,) * int(category.removeprefix("tensors:"))
        return Value(CONTAINER, name=RETURNED, items=items, element=TENSOR_VALUE)
    return SIMPLE.get(category, UNKNOWN_VALUE)


def call_value(name: str, entry: Entry, node: ast.Call, others: int, is_method: bool, tensor: Value) -> Value:
    """What a call of `name` (its last part) returns.

    `others` counts the positional arguments after `tensor`, which is the receiver or the first argument.
    """
    category = entry.returns
    for condition, other in (entry.when or {}).items():
        if holds(condition, node, others, is_method):
            category = other
            break
    value = category_value(category)
    if value.kinds != TENSOR:
        return value
    return _with_traits(value, name, entry, node, others, tensor)


def _with_traits(value: Value, name: str, entry: Entry, node: ast.Call, others: int, tensor: Value) -> Value:
    traits = DTYPE_TRAITS.get(entry.dtype or "", 0)
    if (
        entry.reduces_full
        and others <= (name in NORMS)
        and not any(k.arg in {"dim", "axis", "keepdim"} for k in node.keywords)
    ):
        traits |= ZERO_DIM
    if name in PRODUCTS:
        traits |= ZERO_DIM | tensor.traits & DTYPES
    if entry.same:
        traits |= tensor.traits & ZERO_DIM
    if (name in KEEP_DTYPE or (name in MOVES and _only_devices(node))) and not traits & DTYPES:
        traits |= tensor.traits & DTYPES
    for keyword in node.keywords:
        if keyword.arg == "dtype":
            traits = traits & ZERO_DIM | _dtype(keyword.value)
    if name in {"to", "type"} and node.args and _dtype(node.args[-1]):
        traits = traits & ZERO_DIM | _dtype(node.args[-1])
    return value if not traits else Value(TENSOR, traits=traits)


def _dtype(node: ast.expr) -> int:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return DTYPE_TRAITS.get(name, 0)


def _only_devices(node: ast.Call) -> bool:
    """True for `x.to(y.device, non_blocking=True)`: no argument can change the dtype."""
    return all(map(_is_device, node.args)) and all(k.arg in {"device", "non_blocking", "copy"} for k in node.keywords)


def _is_device(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() | int()):
            return True
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Call(func=ast.Attribute(attr=name)):
            return name.endswith("device")
    return False


def holds(condition: str, node: ast.Call, others: int, is_method: bool) -> bool:
    """True if a condition of the data (see `generate`) holds for this call, as far as its spelling shows."""
    return all(_holds(part, node, others, is_method) for part in condition.split(" and "))


def _holds(condition: str, node: ast.Call, others: int, is_method: bool) -> bool:
    kind, _, argument = condition.partition(":")
    match kind:
        case "dim":
            first = _positional(node, 1, is_method)
            named = any(keyword.arg in {"dim", "axis"} for keyword in node.keywords)
            return named or (first is not None and isinstance(first, ast.Constant | ast.UnaryOp))
        case "arity":
            return len(node.args) + len(node.keywords) == int(argument)
        case "positional":
            return others >= int(argument)
        case "keyword":
            return any(keyword.arg == argument and _given(keyword.value) for keyword in node.keywords)
        case "without":
            return all(keyword.arg != argument for keyword in node.keywords)
    return False


def _given(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value in {None, False})


def _positional(node: ast.Call, index: int, is_method: bool) -> ast.expr | None:
    at = index - 1 if is_method else index
    return node.args[at] if at < len(node.args) else None
