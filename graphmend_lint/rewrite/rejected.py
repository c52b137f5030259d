"""Places where torch has to know a number while it traces, so that even `fullgraph=True` fails.

Where the number comes from an input, it compiles anew for each value, and fails after eight.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import words
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.rewrite.number_uses import loads_of

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 4  #: names and operations that a number is followed through
Places = frozenset[int | str]
#: measured; positions count the tensor of a method
REJECTED: Final[dict[str, Places]] = {
    **dict.fromkeys(words("add sub add_ sub_"), frozenset({"alpha"})),
    **dict.fromkeys(words("addmm addmv baddbmm addbmm"), frozenset({"alpha", "beta"})),
    **dict.fromkeys(words("lerp lerp_"), frozenset({2, "weight"})),
    **dict.fromkeys(words("softmax log_softmax sum mean cumsum unsqueeze squeeze cat stack"), frozenset({1, "dim"})),
    **dict.fromkeys(words("norm normalize"), frozenset({1, "p"})),
    **dict.fromkeys(words("huber_loss smooth_l1_loss"), frozenset({"delta", "beta"})),
    **dict.fromkeys(words("repeat chunk"), frozenset({1, 2, 3, 4, "chunks"})),
    **dict.fromkeys(words("dropout quantile"), frozenset({1, "p", "q"})),
    **dict.fromkeys(words("linspace logspace"), frozenset({2, "steps"})),
    "arange": frozenset({2, "step"}),
    "one_hot": frozenset({1, "num_classes"}),
    "layer_norm": frozenset({4, "eps"}),
    "hardtanh": frozenset({1, 2, "min_val", "max_val"}),
    "cross_entropy": frozenset({"label_smoothing"}),
    "scaled_dot_product_attention": frozenset({"scale"}),
    **dict.fromkeys(words("uniform_ normal_"), frozenset({1, 2, "from", "to", "mean", "std"})),
}


def is_rejected(node: ast.expr, facts: Facts, depth: int = DEPTH) -> bool:
    """True if the number that `node` gives may get to such a place."""
    above = facts.parent(node)
    match above:
        case ast.Call(args=args) if node in args:
            return _takes_none(above, args.index(node), facts) or _passes_on(above, facts, depth)
        case ast.Subscript(slice=index, value=base) if index is node:
            return not facts.kinds(base) & TENSOR
        case ast.keyword(arg=str(name)):
            around = facts.parent(above)
            return isinstance(around, ast.Call) and _takes_none(around, name, facts)
        case ast.BinOp(left=left, op=op, right=right):
            other = right if left is node else left
            if facts.kinds(other) == TENSOR:
                return isinstance(op, ast.Pow)
            return depth > 0 and is_rejected(above, facts, depth - 1)
        case ast.UnaryOp():
            return depth > 0 and is_rejected(above, facts, depth - 1)
        case ast.Assign(targets=[ast.Name(id=name)]):
            return depth > 0 and any(is_rejected(each, facts, depth - 1) for each in loads_of(name, above, facts) or ())
    return False


def _takes_none(call: ast.Call, place: int | str, facts: Facts) -> bool:
    name = facts.resolve(call.func) or ""
    if not name.startswith("torch."):
        return name == "builtins.range"
    shift = name.startswith(torch_api.METHOD) and isinstance(place, int)
    return (place + 1 if shift and isinstance(place, int) else place) in REJECTED.get(name.rpartition(".")[2], ())


CONVERTS: Final = frozenset({"builtins.int", "builtins.float", "builtins.abs", "builtins.max", "builtins.min"})


def _passes_on(call: ast.Call, facts: Facts, depth: int) -> bool:
    return depth > 0 and facts.resolve(call.func) in CONVERTS and is_rejected(call, facts, depth - 1)
