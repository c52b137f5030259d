"""An index without dimensions, which is read into Python, as one with a dimension, which is not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.values import INTEGRAL, TENSOR, ZERO_DIM
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.number_places import picked, stores_alike
from graphmend_lint.rewrite.scalar import dtype_kind

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def index_with_dimension(node: ast.Call | ast.Subscript, facts: Facts) -> Fix | None:
    """`x[k]` as `x[k.reshape(1)].squeeze(0)`; None if `k` is no integer, or not all else is a slice."""
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    index = next((each for each in parts if facts.value(each).traits & ZERO_DIM), None)
    if index is None or facts.kinds(index) != TENSOR or dtype_kind(index, facts) != INTEGRAL:
        return None
    place = picked(index, node, facts)
    if place is None:
        return None
    safe = isinstance(facts.parent(node), ast.BinOp | ast.Compare | ast.UnaryOp) or stores_alike(node, facts)
    return Fix(
        title="Index with one dimension",
        applicability=Applicability.SAFE if safe else Applicability.UNSAFE,
        edits=lambda site: (site.expression(node, place.code(site, site.code)),),
        caveat="" if safe else place.caveat,
    )
