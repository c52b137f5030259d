"""Mixtures of experts: a loop in which each expert computes the rows that are sent to it, computed for all rows."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import definition, definition_at
from graphmend_lint.facts.values import MODULE
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.rows import NOTES
from graphmend_lint.rewrite.rowwise import RowWise
from graphmend_lint.rewrite.rowwise_values import INDEX, PLAIN, Frame, NotRowWise, Rows, Seen
from graphmend_lint.rewrite.sent_to import Hits, hits
from graphmend_lint.shapes import dotted, names_bound, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "Every expert computes all rows, which costs as much as if all were sent to it; the last digits may differ, what "
    "is infinite or NaN in a row that is not sent to an expert spreads, and an expert without rows has zero gradients"
)


class Added(NamedTuple):
    """`out.index_add_(0, row, value)`."""

    statement: ast.Expr
    target: ast.Name
    row: str
    value: ast.expr


@dataclass
class Plan:
    """A loop over experts, taken apart."""

    loop: ast.For
    made: ast.Assign  #: `slot, row = torch.where(mask)`
    mask: ast.expr
    row: str
    slot: str
    first: bool  #: the first dimension of the mask is that of the rows
    added: Added
    hits: Hits  #: how the loop gets its experts
    dropped: list[ast.stmt] = field(default_factory=list)  #: `if row.numel() == 0: continue`
    body: list[ast.stmt] = field(default_factory=list)
    weights: list[ast.Subscript] = field(default_factory=list)  #: `weights[row, slot]`
    loads: list[ast.Subscript] = field(default_factory=list)  #: `x[row]`
    notes: set[str] = field(default_factory=set)  #: what else changes while training
    flattened: dict[ast.expr, ast.Name] = field(default_factory=dict)  #: `x[None, row].reshape(-1, size)`, by `x`


class Experts(RowWise):
    """The proof that an expert treats rows one by one."""

    def __init__(self, plan: Plan, facts: Facts) -> None:
        super().__init__(facts, frozenset())
        self.plan = plan

    def eval(self, node: ast.expr, frame: Frame) -> Seen:
        match node:
            case ast.Name(id=name) if name == self.plan.slot:
                raise NotRowWise(node)
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(
                        value=ast.Name() as whole, slice=ast.Tuple(elts=[ast.Constant(value=None), ast.Name(id=index)])
                    ),
                    attr="reshape" | "view",
                ),
                args=[_, size],
            ) if index == self.plan.row and _is_flat(whole, size, self.facts):
                self.plan.flattened[node] = whole
                return Rows(2, True, False)
            case ast.Subscript(value=ast.Name(), slice=ast.Tuple(elts=[first, second, *rest])) if self._is_weight(
                first, second, rest
            ):
                self.plan.weights.append(node)
                return Rows(1 + len(rest), True, False)
        return super().eval(node, frame)

    def _is_weight(self, first: ast.expr, second: ast.expr, rest: list[ast.expr]) -> bool:
        names = [each.id if isinstance(each, ast.Name) else "" for each in (first, second)]
        return names == [self.plan.row, self.plan.slot] and all(_is_none(each) for each in rest) and len(rest) < 2


def _is_flat(whole: ast.Name, size: ast.expr, facts: Facts) -> bool:
    """True if the tensor has two dimensions, the last of this size."""
    match definition(whole, facts).value:
        case ast.Call(func=ast.Attribute(attr="reshape" | "view"), args=[ast.UnaryOp(), last]):
            return same(last, size) and dotted(size) is not None
    return False


def dense(node: ast.Call, facts: Facts) -> Fix | None:
    """Every expert on all rows, weighted with zero where a row is not sent to it; None for any other call."""
    plan = _plan(node, facts)
    function = facts.function(node)
    cls = facts.parent(function) if function is not None else None
    if plan is None or not isinstance(cls, ast.ClassDef) or not _is_proven(plan, cls, facts):
        return None
    if not _is_linear(plan, facts) or not _is_alone(plan, function, facts):
        return None
    name = unused(["share", "sent"], node, facts)
    return Fix(
        "Let every expert compute all rows",
        Applicability.UNSAFE,
        lambda site: _edits(plan, name, site),
        "; ".join([CAVEAT, *(NOTES[each] for each in sorted(plan.notes))]) + ".",
    )


def _plan(node: ast.Call, facts: Facts) -> Plan | None:
    """The loop around a search of the rows that an expert is sent, taken apart; None for any other loop."""
    made, mask = facts.parent(node), _searched(node, facts)
    loop = facts.parent(made) if made is not None else None
    match made:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)])]) if mask is not None:
            pass
        case _:
            return None
    if not isinstance(loop, ast.For) or made not in loop.body or loop.orelse:
        return None
    added, found = _added(loop.body[-1]), hits(loop, mask, facts)
    if added is None or added.row not in (one, other) or one == other or found is None:
        return None
    row, slot = added.row, other if added.row == one else one
    plan = Plan(loop, made, found.mask, row, slot, row == one, added, found)
    plan.body = [each for each in loop.body if each is not made]
    plan.dropped = [each for each in plan.body if _skips(each, row, slot)]
    plan.body = [each for each in plan.body if each not in plan.dropped]
    return plan


def _searched(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The mask of `torch.where(mask)`, `mask.nonzero(as_tuple=True)`."""
    name, words = facts.resolve(node.func) or "", [(each.arg, ast.unparse(each.value)) for each in node.keywords]
    if name == "torch.where" and len(node.args) == 1 and not words:
        return node.args[0]
    if words != [("as_tuple", "True")]:
        return None
    if name == "torch.nonzero" and len(node.args) == 1:
        return node.args[0]
    alone = name == "torch.Tensor.nonzero" and not node.args and isinstance(node.func, ast.Attribute)
    return node.func.value if alone and isinstance(node.func, ast.Attribute) else None


def _added(statement: ast.stmt) -> Added | None:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name() as target, attr="index_add_"),
                args=[ast.Constant(value=0), ast.Name(id=row), value],
                keywords=[],
            )
        ):
            return Added(statement, target, row, value)
    return None


def _skips(statement: ast.stmt, row: str, slot: str) -> bool:
    """True for `if row.numel() == 0: continue`."""
    match statement:
        case ast.If(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[zero]), body=[ast.Continue()], orelse=[]):
            asked = {f"{name}{what}" for name in (row, slot) for what in (".numel()", ".shape[0]", ".size(0)")}
            asked |= {f"len({name})" for name in (row, slot)}
            return ast.unparse(zero) == "0" and ast.unparse(left) in asked
    return False


def _is_proven(plan: Plan, cls: ast.ClassDef, facts: Facts) -> bool:
    """True if the body treats the rows one by one."""
    run, frame = Experts(plan, facts), Frame({plan.row: INDEX, plan.slot: PLAIN}, cls)
    try:
        run.run([each for each in plan.body if not _is_module(each, facts)], frame)
    except NotRowWise:
        return False
    plan.loads, plan.notes = run.loads, run.notes
    return run.stores == [plan.added.statement] and not run.guarded and not run.copies


def _is_module(statement: ast.stmt, facts: Facts) -> bool:
    """True for `layer = self.experts[i]`."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=ast.Subscript() as value):
            return facts.kinds(value) == MODULE
    return False


def _is_linear(plan: Plan, facts: Facts) -> bool:
    """True if what is added is a product with one weight: several slots of a row add up to one, then."""
    node = plan.added.value
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="to" | "type" | "type_as" | "float" | "contiguous")):
                node = inner
            case ast.Name():
                given = definition(node, facts).value
                if given is None:
                    return False
                node = given
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                weighted = [_is_weight(each, plan) for each in (left, right)]
                return len(set(plan.weights)) == 1 and sum(weighted) == 1
            case _:
                return False


def _is_weight(node: ast.expr, plan: Plan) -> bool:
    """True for the weight as it is, in another shape or dtype."""
    match node:
        case ast.Subscript():
            return node in plan.weights and _widens(node)
        case ast.Call(func=ast.Attribute(value=inner, attr="to" | "type_as" | "float")):
            return _is_weight(inner, plan)
        case ast.Call(func=ast.Attribute(value=inner, attr="unsqueeze" | "view" | "reshape"), args=given):
            return inner in plan.weights and [ast.unparse(each) for each in given] in (["-1"], ["1"], ["-1", "1"])
    return False


def _is_alone(plan: Plan, function: ast.AST | None, facts: Facts) -> bool:
    """True if nothing that the loop sets is read elsewhere, and what it reads and adds to is not one tensor."""
    inside, bound = {id(each) for each in walk(plan.loop)}, names_bound([plan.loop])
    outside = [each for each in walk(function) if id(each) not in inside] if function is not None else []
    if any(isinstance(each, ast.Name) and each.id in bound and isinstance(each.ctx, ast.Load) for each in outside):
        return False
    target = plan.added.target.id
    made = definition_at(target, plan.loop, facts).value
    return made is not None and is_fresh(made, facts) and target not in _read(plan)


def _read(plan: Plan) -> set[str | None]:
    """Tensors whose rows are read."""
    return {dotted(each.value) for each in (*plan.loads, *plan.weights)} | {each.id for each in plan.flattened.values()}


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _edits(plan: Plan, name: str, site: Site) -> tuple[Edit, ...]:
    """All rows, weighted with what is sent to the expert."""
    changed: dict[ast.expr, str] = {each: site.code(each.value) + _rest(each) for each in plan.loads}
    changed |= {each: site.code(whole) for each, whole in plan.flattened.items()}
    changed |= {each: f"{name}[:, None]" if _widens(each) else name for each in plan.weights}
    inside = set(walk(plan.added.statement))
    edits = [site.expression(each, text) for each, text in changed.items() if each not in inside]
    own = {each: text for each, text in changed.items() if each in inside}
    added = f"{plan.added.target.id}.add_({site.code(plan.added.value, own)})"
    edits.append(site.replace(plan.added.statement, added))
    mask = site.operand(plan.mask) if plan.first else f"{site.operand(plan.mask)}.T"
    weights = site.code(plan.weights[0].value)
    edits.append(site.replace(plan.made, f"{name} = ({weights} * {mask}).sum(-1)"))
    if plan.hits.masks is not None:
        edits.append(site.expression(plan.hits.place, f"range({site.code(plan.hits.masks)}.shape[0])"))
    return (*edits, *map(site.remove, plan.dropped))


def _rest(node: ast.Subscript) -> str:
    parts = node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []
    return f"[:, {', '.join(map(ast.unparse, parts))}]" if parts else ""


def _widens(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 3
