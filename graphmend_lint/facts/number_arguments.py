"""Which arguments torch takes for numbers: where a tensor is given for one, its value is read."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import FLOATS, is_number, meta
from graphmend_lint.facts.values import FLOATING, TENSOR

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

BOUNDS: Final = ("min", "max")


class Numbers(NamedTuple):
    """Which arguments of a function are numbers, or tuples of them. The tensor it is about is number 0."""

    first: int
    last: int  #: -1: all from `first` on
    keywords: frozenset[str]
    hard: bool = False  #: an error under `fullgraph=True` too


def _numbers(first: int, last: int, keywords: str = "", *, hard: bool = False) -> Numbers:
    return Numbers(first, last, frozenset(keywords.split()), hard)


#: functions that make a tensor from nothing: there is no tensor 0, so counting starts with the arguments
CREATORS: Final = {
    **dict.fromkeys(("arange", "range"), _numbers(0, -1, "start end step")),
    **dict.fromkeys(("zeros", "ones", "empty", "rand", "randn"), _numbers(0, -1, "size")),
    **dict.fromkeys(("linspace", "logspace"), _numbers(2, 2, "steps")),
    **dict.fromkeys(("tril_indices", "triu_indices"), _numbers(0, 2, "row col offset")),
    "full": _numbers(0, 0, "size"),
    "eye": _numbers(0, 1, "n m"),
    "randperm": _numbers(0, 0, "n"),
    "randint": _numbers(0, 2, "low high size"),
}
#: functions and methods of a tensor
OPERATIONS: Final = {
    **dict.fromkeys(("new_zeros", "new_ones", "new_empty"), _numbers(1, -1, "size")),
    "new_full": _numbers(1, 1, "size"),
    **dict.fromkeys(
        ("view", "reshape", "expand", "repeat", "tile", "broadcast_to"), _numbers(1, -1, "size shape dims")
    ),
    **dict.fromkeys(("split", "split_with_sizes", "chunk"), _numbers(1, 2, "split_size chunks dim")),
    **dict.fromkeys(("tril", "triu", "diagonal"), _numbers(1, 1, "diagonal offset")),
    **dict.fromkeys(("sum", "mean", "softmax", "log_softmax", "cumsum"), _numbers(1, 1, "dim", hard=True)),
    **dict.fromkeys(("transpose", "permute", "unsqueeze", "squeeze", "flatten"), _numbers(1, -1, hard=True)),
    "narrow": _numbers(1, 3, "dim start length"),
    "unflatten": _numbers(1, 2, "dim sizes"),
    "unfold": _numbers(1, 3, "dimension size step"),
    "select": _numbers(1, 2, "dim index"),
    "roll": _numbers(1, 2, "shifts dims"),
    "topk": _numbers(1, 2, "k dim"),
    "as_strided": _numbers(1, 3, "size stride storage_offset"),
    "repeat_interleave": _numbers(9, 9, "output_size"),
    "one_hot": _numbers(1, 1, "num_classes", hard=True),
    "pad": _numbers(1, 1, "pad"),
    "interpolate": _numbers(1, 2, "size scale_factor"),
    **dict.fromkeys((f"adaptive_{kind}_pool{n}d" for kind in ("avg", "max") for n in (1, 2, 3)), _numbers(1, 1)),
}
#: numbers of functions and methods of a tensor that are no sizes
SETTINGS: Final = {
    **dict.fromkeys(("dropout", "alpha_dropout", "feature_alpha_dropout"), _numbers(1, 1, "p", hard=True)),
    "full_like": _numbers(1, 1, "fill_value", hard=True),
    "new_full": _numbers(2, 2, "fill_value", hard=True),
    "fill_diagonal_": _numbers(1, 1, "fill_value", hard=True),
    "pad": _numbers(3, 3, "value", hard=True),
    "leaky_relu": _numbers(1, 1, "negative_slope", hard=True),
    "hardtanh": _numbers(1, 2, "min_val max_val", hard=True),
    "softplus": _numbers(1, 2, "beta threshold", hard=True),
    "threshold": _numbers(1, 2, "threshold value", hard=True),
    "rrelu": _numbers(1, 2, "lower upper", hard=True),
    **dict.fromkeys(("elu", "celu"), _numbers(1, 1, "alpha", hard=True)),
    "softshrink": _numbers(1, 1, "lambd", hard=True),
    "nan_to_num": _numbers(1, 3, "nan posinf neginf", hard=True),
    "isclose": _numbers(2, 3, "rtol atol", hard=True),
    "histc": _numbers(2, 3, "min max", hard=True),
    "renorm": _numbers(1, 3, "p dim maxnorm", hard=True),
    **dict.fromkeys(("layer_norm", "group_norm"), _numbers(4, 4, "eps", hard=True)),
    "batch_norm": _numbers(6, 7, "momentum eps", hard=True),
    "normalize": _numbers(1, 1, "p", hard=True),
    "pairwise_distance": _numbers(2, 3, "p eps", hard=True),
    "cosine_similarity": _numbers(3, 3, "eps", hard=True),
    **dict.fromkeys(("normal_", "uniform_", "log_normal_"), _numbers(1, 2, "mean std from to", hard=True)),
    "exponential_": _numbers(1, 1, "lambd", hard=True),
    "huber_loss": _numbers(3, 3, "delta", hard=True),
    "smooth_l1_loss": _numbers(9, 9, "beta", hard=True),
    "cross_entropy": _numbers(9, 9, "label_smoothing", hard=True),
    "triplet_margin_loss": _numbers(3, 3, "margin", hard=True),
    "scaled_dot_product_attention": _numbers(9, 9, "scale", hard=True),
    "index_add": _numbers(9, 9, "alpha", hard=True),
    "addmm": _numbers(9, 9, "alpha beta", hard=True),
    **dict.fromkeys(("add", "sub", "addcmul", "baddbmm"), _numbers(9, 9, "alpha beta value")),
}
BOUND: Final = _numbers(1, 2, "min max", hard=True)
#: NumPy's functions take arrays, which are traced as tensors, in the same places
ARRAYS: Final = {
    **dict.fromkeys(("zeros", "ones", "empty", "full", "eye"), _numbers(0, 0, "shape")),
    "arange": _numbers(0, -1, "start stop step"),
    "linspace": _numbers(2, 2, "num"),
}


@cache
def places(name: str) -> tuple[tuple[Numbers, ...], int]:
    """Where the named function takes numbers, and how many tensors come before its arguments."""
    owner, _, last = torch_api.canonical(name).rpartition(".")
    known = [OPERATIONS.get(last), SETTINGS.get(last)]
    shift = int(owner == "torch.Tensor")
    if owner in {"torch", "torch.nn.functional"}:
        known = [CREATORS.get(last), *known] if last in CREATORS else known
    elif owner != "torch.Tensor":
        known = [ARRAYS.get(last) if owner == "numpy" else None]
    return tuple(each for each in known if each is not None), shift


def is_floating(node: ast.expr, facts: Facts) -> bool:
    """True if a tensor is known to hold floating numbers."""
    dtype = meta(node, facts).dtype or ""
    return bool(facts.value(node).traits & FLOATING) or dtype in FLOATS or dtype.startswith("float(")


def is_clamp(name: str) -> bool:
    """True for functions that keep the elements of a tensor between bounds."""
    owner, _, last = torch_api.canonical(name).rpartition(".")
    return owner in ("torch", "torch.Tensor") and last in ("clamp", "clip")


def lone_bound(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The bound that is a tensor where the other one is a number: torch then takes both for numbers."""
    given = bounds_of(node, facts)
    tensors = [each for each in given.values() if facts.kinds(each) == TENSOR]
    numbers = [each for each in given.values() if is_number(each, facts)]
    return tensors[0] if len(tensors) == len(numbers) == 1 else None


def bounds_of(node: ast.Call, facts: Facts) -> dict[str, ast.expr]:
    """The bounds of a clamp; empty for any other call."""
    name = facts.resolve(node.func) or ""
    if not is_clamp(name) or any(isinstance(each, ast.Starred) for each in node.args):
        return {}
    first = not torch_api.canonical(name).startswith("torch.Tensor.")
    found = dict(zip(BOUNDS, node.args[first:], strict=False))
    return found | {word.arg: word.value for word in node.keywords if word.arg in BOUNDS}
