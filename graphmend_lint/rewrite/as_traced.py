"""Shortcuts that code does not take while `torch.jit` traces it: when compiled, it need not take them either."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TRACING: Final = frozenset({"torch.jit.is_tracing", "torch.onnx.is_in_onnx_export"})
CAVEAT: Final = "Compiled code goes the way that the code goes while `torch.jit` traces it, and never asks the tensor."


def as_traced(test: ast.expr, facts: Facts) -> Fix | None:
    """`not torch.jit.is_tracing() and t.all()` as a condition that is also false when compiled."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return None
    first, torch = test.values[0], torch_name(facts, test)
    if torch is None or not (isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not)):
        return None
    if facts.is_data(first) or not _tells(first.operand, facts):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return (site.expression(first, f"not {torch}.compiler.is_compiling() and {site.code(first)}"),)

    return Fix("Go the way of traced code", Applicability.UNSAFE, edits, CAVEAT, ("torch",))


def _tells(node: ast.expr, facts: Facts) -> bool:
    """True for `torch.jit.is_tracing()`, a name for it, and a condition that is true whenever it is."""
    match node:
        case ast.Call():
            return facts.resolve(node.func) in TRACING
        case ast.Name():
            given = definition(node, facts).value
            return given is not None and not isinstance(given, ast.Name) and _tells(given, facts)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_tells(each, facts) for each in parts)
    return False
