"""Guards around work that does nothing when the guard is false: `if mask.any(): x = x.masked_fill(mask, 0)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import maybe_no_grad, no_grad
from graphmend_lint.facts.meta import Meta, is_number, meta
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.facts.values import DATA, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import changed_later, is_temporary, unchanged
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.masked_rows import Masked
from graphmend_lint.rewrite.rows import class_of
from graphmend_lint.rewrite.rowwise_values import INDEX, Frame, NotRowWise, Rows
from graphmend_lint.rewrite.select import COPY, GRADIENT, worst
from graphmend_lint.rewrite.term import part
from graphmend_lint.shapes import assignment, call_statement, dotted, same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE = "Drop the guard: the body does nothing where it is false"
SAVED = "The store runs always, and where gradients are taken it must not change what they need."
SELECTED = f"{SAVED} The values must have its dtype."
#: their gradients need their results as they are
NEED_RESULT = frozenset(
    "exp exp2 expm1 tanh sigmoid softmax log_softmax sqrt rsqrt reciprocal relu relu_ logsumexp norm".split()
)
PREPARED = "What the branch prepares is now computed always, and must not fail."
BOOL = "The mask must hold bools, and must not be larger than the tensor; the values must have its dtype."
SHAPE = "The mask must not be larger than the tensor, and the values must have its dtype."


def idle_guard(node: ast.If, facts: Facts) -> Fix | None:
    """The fix for a guard that only skips work that would change nothing; None if it is not one."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else [node.test]
    static, tests = parts[:-1], parts[-1:]
    if node.orelse or any(facts.kinds(each) & DATA for each in static):
        return None
    mask, holds = _mask(tests[0], facts)
    if mask is None:
        return None
    verdicts = [_verdict(node, each, mask, holds, facts) or _prepared(node, each, facts) for each in node.body]
    found = [each for each in verdicts if each is not None]
    if len(found) < len(verdicts) or all(_prepared(node, each, facts) for each in node.body):
        return None
    level, _ = worst(found)
    caveat = " ".join(dict.fromkeys(text for each, text in found if each is level))

    def edits(site: Site) -> tuple[Edit, ...]:
        known = " and ".join(part(site, each) for each in static)
        return (site.replace(node, f"if {known}:\n    BODY" if known else "BODY", BODY=node.body),)

    return Fix(TITLE, level, edits, caveat)


def _prepared(node: ast.If, statement: ast.stmt, facts: Facts) -> tuple[Applicability, str] | None:
    """How far a name that only the branch uses may always be given its value; None if it may not."""
    parts = assignment(statement)
    if parts is None or parts.augmented or not isinstance(parts.target, ast.Name):
        return None
    doubts = effects(parts.value, facts)
    if doubts.refusal or doubts.nan_gradient or not is_temporary(parts.target.id, node, facts):
        return None
    return (Applicability.SAFE, "") if doubts.total else (Applicability.UNSAFE, PREPARED)


def _mask(test: ast.expr, facts: Facts) -> tuple[ast.expr | None, bool]:
    """The mask of a guard and what its elements must be: True for `mask.any()`, False for `not mask.all()`."""
    holds, names = True, ["any", "sum"]
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            test, holds, names = operand, False, ["all"]
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            test, names = left, ["sum"]
    match test:
        case ast.Call(func=ast.Attribute(value=value), args=[], keywords=[]):
            mask = value
        case ast.Call(func=ast.Attribute(), args=[value], keywords=[]):
            mask = value
        case _:
            return None, holds
    known = {f"{owner}.{name}" for name in names for owner in ("torch", "torch.Tensor")}
    plain = facts.resolve(test.func) in known and facts.kinds(mask) == TENSOR
    return (mask if plain else None), holds


def _selects(index: ast.expr, mask: ast.expr, holds: bool, facts: Facts) -> bool:
    """True if the index picks the elements for which the mask `holds`."""
    if holds:
        return same(index, mask)
    match index:
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return same(operand, mask)
        case ast.Call(func=ast.Attribute(value=value), args=[], keywords=[]):
            return facts.resolve(index.func) == "torch.Tensor.logical_not" and same(value, mask)
        case ast.Call(args=[value], keywords=[]):
            return facts.resolve(index.func) == "torch.logical_not" and same(value, mask)
    return False


def _is_selected(value: ast.expr, mask: ast.expr, holds: bool, facts: Facts) -> bool:
    """True for `values[mask]`: nothing where nothing is selected."""
    match value:
        case ast.Subscript(value=ast.Name() as base, slice=index):
            return facts.kinds(base) == TENSOR and _selects(index, mask, holds, facts)
    return False


def _verdict(
    node: ast.If, body: ast.stmt, mask: ast.expr, holds: bool, facts: Facts
) -> tuple[Applicability, str] | None:
    """How far a statement changes nothing where the guard is false; None if it may change something there."""
    match call_statement(body):
        case ast.Call(func=ast.Attribute(value=base, attr="masked_fill_"), args=[index, fill], keywords=[]):
            plain = facts.kinds(base) == TENSOR and is_number(fill, facts) and _selects(index, mask, holds, facts)
            return _store(node, base, facts) if plain else None
    parts = assignment(body)
    if parts is None or parts.augmented:
        return None
    match parts.target:
        case ast.Subscript(value=base, slice=index) if _selects(index, mask, holds, facts):
            return _elements(node, base, parts.value, mask, holds, facts)
    path, kept = dotted(parts.target), _filled(parts.value, mask, holds, facts)
    if path is None or kept is None or dotted(kept) != path:
        return None
    return _replaced(node, path, parts.value, mask, facts)


def _elements(
    node: ast.If, base: ast.expr, value: ast.expr, mask: ast.expr, holds: bool, facts: Facts
) -> tuple[Applicability, str] | None:
    """The verdict on `x[mask] = value`."""
    if facts.kinds(base) != TENSOR or not meta(mask, facts).is_bool:
        return None
    stores = _store(node, base, facts)
    if stores is not None and (_is_selected(value, mask, holds, facts) or (holds and _is_by_row(value, mask, facts))):
        return Applicability.UNSAFE, f"{SELECTED} {GRADIENT}"
    return stores if is_number(value, facts) else None


def _is_by_row(value: ast.expr, mask: ast.expr, facts: Facts) -> bool:
    """True if the value is made of selected elements, each by itself, whatever their number."""
    function = facts.function(value)
    if not isinstance(mask, ast.Name) or not isinstance(function, ast.FunctionDef):
        return False
    run = Masked(facts, frozenset())
    try:
        seen = run.eval(value, Frame({mask.id: INDEX}, class_of(function, facts)))
    except NotRowWise:
        return False
    return isinstance(seen, Rows) and seen.exact and not run.notes and not run.copies


def _replaced(
    node: ast.If, path: str, value: ast.expr, mask: ast.expr, facts: Facts
) -> tuple[Applicability, str] | None:
    """The verdict on `x = x.masked_fill(mask, 0)`: the name gets another tensor of the same elements."""
    before = unchanged(path, node, facts)
    if isinstance(before, Refusal):
        return None
    changes = changed_later(path, node, facts)
    if (changes and not before.fresh) or (before.passed and maybe_no_grad(node, facts)):
        return None
    copy = "" if before.fresh and not changes else COPY
    if not meta(mask, facts).is_bool:
        return Applicability.UNSAFE, f"{BOOL} {copy}".strip()
    if not _within(meta(mask, facts), before.meta) or not _keeps_dtype(value, before.meta, facts):
        return Applicability.UNSAFE, f"{SHAPE} {copy}".strip()
    return (Applicability.UNSAFE, copy) if copy else (Applicability.SAFE, "")


def _store(node: ast.If, base: ast.expr, facts: Facts) -> tuple[Applicability, str] | None:
    """The verdict on a store that changes nothing: autograd still counts it as a change of the tensor."""
    given = definition_at(base.id, node, facts).value if isinstance(base, ast.Name) else None
    if given is not None and no_grad(given, facts) and is_fresh(given, facts):
        return Applicability.SAFE, ""
    name = facts.resolve(given.func) if isinstance(given, ast.Call) else None
    return None if (name or "").rpartition(".")[2] in NEED_RESULT else (Applicability.UNSAFE, SAVED)


def _filled(value: ast.expr, mask: ast.expr, holds: bool, facts: Facts) -> ast.expr | None:
    """The tensor that is left as it is where the mask is not `holds`."""
    name = facts.resolve(value.func) if isinstance(value, ast.Call) else None
    match value:
        case ast.Call(func=ast.Attribute(value=base), args=[index, fill]) if name == "torch.Tensor.masked_fill":
            return base if _selects(index, mask, holds, facts) and is_number(fill, facts) else None
        case ast.Call(args=[index, changed, kept]) if name == "torch.where" and _selects(index, mask, holds, facts):
            return kept if _harmless(changed, facts) else None
        case ast.Call(args=[index, then, other]) if name == "torch.where" and same(index, mask):
            return then if _harmless(other, facts) else None
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
