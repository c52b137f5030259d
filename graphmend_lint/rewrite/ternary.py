"""Expressions that choose by a tensor: `a if c else b`, `a and b`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.branches import TITLE
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.in_place import changed_later, result_changed
from graphmend_lint.rewrite.number_uses import is_operand
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import Arm, doubted, judge, where
from graphmend_lint.rewrite.template import ONE_LINE
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.used_up import is_used_up
from graphmend_lint.shapes import dotted, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

ZERO: Final = (
    "Both sides are computed, and must have one dtype; where the constant is chosen, gradients are zero, not None."
)


def ternary(node: ast.IfExp, facts: Facts) -> Fix | Refusal:
    """`a if c else b` as `torch.where(c, a, b)`."""
    torch, test = torch_name(facts, node), condition(node.test, facts)
    then, other = Arm.of(node.body, facts), Arm.of(node.orelse, facts)
    if torch is None:
        return SHADOWED
    if isinstance(test, Refusal):
        return test
    if isinstance(then, Refusal):
        return then
    if isinstance(other, Refusal):
        return other
    verdict = _verdict(node, test, then, other, facts)
    if isinstance(verdict, Refusal):
        return verdict

    def edits(site: Site) -> tuple[Edit, ...]:
        code = where(torch, test.tensor.code(site), then.code(site), other.code(site), ONE_LINE)
        if test.static:
            code = _beside_static(site, node, test, code)
            code = code if isinstance(facts.parent(node), ast.stmt) else f"({code})"
        return (site.expression(node, code),)

    return Fix(TITLE, verdict[0], edits, verdict[1], ("torch",))


def _beside_static(site: Site, node: ast.IfExp, test: Condition, code: str) -> str:
    """`a if flag and t else b` as `torch.where(t, a, b) if flag else b`: Python knows the flag."""
    if test.joined is ast.And:
        return f"{code} if {test.known(site)} else {site.code(node.orelse)}"
    return f"{site.code(node.body)} if {test.known(site)} else {code}"


def _verdict(
    node: ast.IfExp, test: Condition, then: Arm, other: Arm, facts: Facts
) -> tuple[Applicability, str] | Refusal:
    if (then.number or other.number) and _escapes(node, facts):
        return Refusal("value-escapes", "the number is used as a Python value; a tensor could not take its place")
    if not (then.fresh and other.fresh) and _changed_later(node, facts):
        return Refusal("in-place-later", "the result is changed in place later, which must reach the original tensor")
    kept = not (then.passed or other.passed) or not _is_used_up(node, facts)
    verdict = judge(then, other, node, facts, operand=True, kept=kept)
    if not isinstance(verdict, Refusal) and any(_is_constant(each, facts) for each in (node.body, node.orelse)):
        return Applicability.UNSAFE, ZERO
    return verdict if isinstance(verdict, Refusal) else doubted(verdict, test.tensor.doubt)


def _is_used_up(node: ast.IfExp, facts: Facts) -> bool:
    """True if the value, or the list that it is an item of, gets a name that is only computed with."""
    statement = facts.parent(node)
    statement = facts.parent(statement) if isinstance(statement, ast.ListComp) else statement
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return is_used_up(name, statement, facts)
    return False


def _is_constant(node: ast.expr, facts: Facts) -> bool:
    """True for `torch.tensor(0.0)`, which no gradient comes from."""
    return isinstance(node, ast.Call) and facts.resolve(node.func) in ("torch.tensor", "torch.as_tensor")


def _escapes(node: ast.IfExp, facts: Facts) -> bool:
    """True unless the value, or the name it is given to, is only an operand of tensor arithmetic."""
    parent = facts.parent(node)
    if isinstance(parent, ast.BinOp):
        return not is_operand(node, facts)
    function = facts.function(node)
    if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name) or function is None:
        return True
    name = parent.targets[0].id
    uses = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name]
    loads = [each for each in uses if isinstance(each.ctx, ast.Load)]
    if len(uses) - len(loads) != 1 or not loads:
        return True
    return not all(is_operand(each, facts) for each in loads)


def _changed_later(node: ast.IfExp, facts: Facts) -> bool:
    """True if the name that the result is given to is changed in place somewhere, or the caller changes the result."""
    parent = facts.parent(node)
    if isinstance(parent, ast.Return):
        return result_changed(node, facts)
    if not isinstance(parent, ast.Assign):
        return False
    return any(changed_later(path, node, facts) for path in map(dotted, parent.targets) if path)


def logical(node: ast.BoolOp, facts: Facts) -> Fix | Refusal:
    """`a and b` as `a & b`, for 0-dim bool tensors."""
    for value in node.values:
        known = meta(value, facts)
        if facts.kinds(value) != TENSOR or not (known.is_0d and known.is_bool):
            return Refusal("predicate-not-a-tensor", "not every operand is known to be a 0-dim bool tensor")
    found = [effects(value, facts) for value in node.values[1:]]
    for each in found:
        if each.refusal:
            return each.refusal
    sign = " & " if isinstance(node.op, ast.And) else " | "
    total = all(each.total for each in found)
    return Fix(
        title=f"Combine with `{sign.strip()}`",
        applicability=Applicability.SAFE if total else Applicability.UNSAFE,
        edits=lambda site: (site.expression(node, sign.join(site.operand(each) for each in node.values)),),
        caveat="" if total else "Every operand is evaluated now, and may raise where it was skipped before.",
    )
