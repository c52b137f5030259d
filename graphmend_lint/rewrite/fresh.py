"""Whether an expression makes a tensor of its own, or gives one that something else refers to, too."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import words
from graphmend_lint.shapes import told_to_change

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def is_fresh(node: ast.expr, facts: Facts) -> bool:
    """True if evaluating the expression makes a tensor that shares no memory."""
    match node:
        case ast.BinOp() | ast.Compare():
            return True
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.UAdd)
        case ast.Call():
            name = facts.resolve(node.func) or ""
            entry = torch_api.function(name)
            made = entry is not None and (entry.same_with_numbers or entry.reduces_full or entry.dtype == "bool")
            last = name.rpartition(".")[2]
            makes = (made and last not in MAY_ALIAS) or (entry is not None and last in MAKES)
            return makes and told_to_change(node) is None
    return False


MAKES: Final = words("""
    where masked_fill zeros ones empty full rand randn arange tensor new_zeros new_ones new_full clone stack cat
    zeros_like ones_like full_like empty_like rand_like randn_like matmul mm bmm softmax log_softmax cumsum
    index_add index_copy index_fill index_put index_select gather scatter scatter_add outer addmm baddbmm dot vdot mv
""")
MAY_ALIAS: Final = frozenset({"contiguous", "detach", "dropout", "alpha_dropout", "feature_alpha_dropout", "bool"})
