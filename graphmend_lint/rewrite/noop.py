"""Guards around work that does nothing when the guard is false: `if mask.any(): x = x.masked_fill(mask, 0)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.effects import effects, no_grad
from graphmend_lint.facts.meta import Meta, is_number, meta
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Fix, Refusal
from graphmend_lint.rewrite.arms import changed_later, unchanged
from graphmend_lint.rewrite.select import COPY
from graphmend_lint.shapes import assignment, dotted, same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

TITLE = "Drop the guard: the body does nothing where it is false"
SAVED = "The store runs always, and where gradients are taken it must not change what they need."
#: their gradients need their results as they are
NEED_RESULT = frozenset(
    "exp exp2 expm1 tanh sigmoid softmax log_softmax sqrt rsqrt reciprocal relu relu_ logsumexp norm".split()
)
SHAPE = "The mask must not be larger than the tensor, and the values must have its dtype."


def idle_guard(node: ast.If, facts: Facts) -> Fix | None:
    """The fix for a guard that only skips work that would change nothing; None if it is not one."""
    mask, holds = _mask(node.test, facts)
    if mask is None or node.orelse or len(node.body) != 1:
        return None
    verdict = _verdict(node, node.body[0], mask, holds, facts)
    if verdict is None:
        return None
    level, caveat = verdict
    return Fix(TITLE, level, lambda site: (site.replace(node, "BODY", BODY=node.body),), caveat)


def _mask(test: ast.expr, facts: Facts) -> tuple[ast.expr | None, bool]:
    """The bool tensor whose `any()` is the test, True; or whose `all()` is negated, False."""
    holds, name = True, "any"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds, name = test.operand, False, "all"
    match test:
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=[], keywords=[]) if attr == name:
            mask = value
        case ast.Call(func=ast.Attribute(attr=attr), args=[value], keywords=[]) if attr == name:
            mask = value
        case _:
            return None, holds
    plain = facts.resolve(test.func) in (f"torch.{name}", f"torch.Tensor.{name}") and facts.kinds(mask) == TENSOR
    return (mask, holds) if plain and meta(mask, facts).is_bool else (None, holds)


def _verdict(
    node: ast.If, body: ast.stmt, mask: ast.expr, holds: bool, facts: Facts
) -> tuple[Applicability, str] | None:
    parts = assignment(body)
    if parts is None or parts.augmented:
        return None
    match parts.target:
        case ast.Subscript(value=base, slice=index) if holds and same(index, mask) and is_number(parts.value, facts):
            return _store(node, base, facts) if facts.kinds(base) == TENSOR else None
    path, kept = dotted(parts.target), _filled(parts.value, mask, holds, facts)
    if path is None or kept is None or dotted(kept) != path:
        return None
    before = unchanged(path, node, facts)
    if isinstance(before, Refusal):
        return None
    if not _within(meta(mask, facts), before.meta) or not _keeps_dtype(parts.value, before.meta, facts):
        return Applicability.UNSAFE, SHAPE
    safe = before.fresh and not changed_later(path, node, facts)
    return (Applicability.SAFE, "") if safe else (Applicability.UNSAFE, COPY)


def _store(node: ast.If, base: ast.expr, facts: Facts) -> tuple[Applicability, str] | None:
    """A store that changes nothing still counts as a change of the tensor, which autograd may need as it was."""
    if no_grad(node, facts):
        return Applicability.SAFE, ""
    given = definition_at(base.id, node, facts).value if isinstance(base, ast.Name) else None
    name = facts.resolve(given.func) if isinstance(given, ast.Call) else None
    return None if (name or "").rpartition(".")[2] in NEED_RESULT else (Applicability.UNSAFE, SAVED)


def _filled(value: ast.expr, mask: ast.expr, holds: bool, facts: Facts) -> ast.expr | None:
    """The tensor that is left as it is where the mask is not `holds`."""
    name = facts.resolve(value.func) if isinstance(value, ast.Call) else None
    match value:
        case ast.Call(func=ast.Attribute(value=base), args=[index, fill]) if name == "torch.Tensor.masked_fill":
            return base if holds and same(index, mask) and is_number(fill, facts) else None
        case ast.Call(args=[index, then, other]) if name == "torch.where" and same(index, mask):
            changed, kept = (then, other) if holds else (other, then)
            return kept if _harmless(changed, facts) else None
    return None


def _keeps_dtype(value: ast.expr, before: Meta, facts: Facts) -> bool:
    """True for `masked_fill`; for `torch.where`, if the result is proven to have the dtype of the tensor."""
    if isinstance(value, ast.Call) and facts.resolve(value.func) == "torch.Tensor.masked_fill":
        return True
    return before.dtype is not None and meta(value, facts).dtype == before.dtype


def _harmless(node: ast.expr, facts: Facts) -> bool:
    found = effects(node, facts)
    return found.refusal is None and not found.nan_gradient and (is_number(node, facts) or found.total)


def _within(mask: Meta, base: Meta) -> bool:
    return mask.shape is not None and base.shape is not None and mask.shape <= base.shape
