"""Branches that only scale tensors in place: `if norm > limit: g.mul_(share)`, scaled by 1 where the test is false."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.each import is_read_elsewhere, is_steady
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.template import indented
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import call_statement, names_bound, names_read, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Scale by one where the condition does not hold"
CAVEAT: Final = (
    "The tensors are written to whatever the condition, which autograd must allow, and they must take the factor's "
    "dtype; the gradient of the factor is zero where it used to be None, and what is complex and infinite becomes NaN."
)
METHODS: Final = frozenset({"mul_", "div_"})


class Scaled(NamedTuple):
    """A tensor, and what it is multiplied with or divided by in place."""

    tensor: ast.expr
    factor: ast.expr


def scaled_in_place(node: ast.If, facts: Facts) -> Fix | None:
    """The fix that scales always; None if the branch does anything else."""
    found, torch = _all_scaled(node.body, facts), torch_name(facts, node)
    if not found or node.orelse or torch is None:
        return None
    test = condition(node.test, facts, named=True)
    if isinstance(test, Refusal) or (test.static and test.joined is ast.Or):
        return None
    factor = found[0].factor
    if not all(same(each.factor, factor) for each in found) or not _may_be_computed(factor, node, facts):
        return None
    if any(facts.kinds(each.tensor) != TENSOR or _shares_name(each) for each in found):
        return None
    if is_read_elsewhere(_loop_names(node), node, facts):
        return None
    name = unused(("factor", "scale", "factor_"), node, facts)
    return Fix(
        TITLE,
        Applicability.UNSAFE,
        lambda site: _edits(site, node, test, found, torch, name),
        f"{CAVEAT} {test.tensor.doubt}".strip(),
        ("torch",),
    )


def _edits(site: Site, node: ast.If, test: Condition, found: list[Scaled], torch: str, name: str) -> tuple[Edit, ...]:
    known, lead = test.known(site), test.tensor.names(site)
    chosen = f"{torch}.where({test.tensor.code(site)}, {site.argument(found[0].factor)}, 1)"
    text = f"{lead}{name} = {chosen}\n" + "\n".join(_written(site, each, found, name) for each in node.body)
    return (site.replace(node, f"if {known}:\n    {indented(text)}" if known else text),)


def _written(site: Site, statement: ast.stmt, found: list[Scaled], name: str) -> str:
    """The statement with the name of the new factor."""
    if isinstance(statement, ast.For):
        block = "\n".join(_written(site, each, found, name) for each in statement.body)
        return f"for {site.code(statement.target)} in {site.code(statement.iter)}:\n    {indented(block)}"
    inside = {id(each) for each in walk(statement)}
    return site.code(statement, {each.factor: name for each in found if id(each.factor) in inside})


def _all_scaled(block: list[ast.stmt], facts: Facts) -> list[Scaled]:
    """All that a block does, also in loops; empty if that is not only scaling."""
    found: list[Scaled] = []
    for statement in block:
        match statement:
            case ast.For(iter=over, body=body, orelse=[]) if is_steady(over, facts):
                inner = _all_scaled(body, facts)
            case _:
                inner = _scaled(statement, facts)
        if not inner:
            return []
        found += inner
    return found


def _scaled(statement: ast.stmt, facts: Facts) -> list[Scaled]:
    match statement, call_statement(statement):
        case ast.AugAssign(target=target, op=ast.Mult() | ast.Div(), value=value), _:
            found = Scaled(target, value)
        case _, ast.Call(func=ast.Attribute(value=tensor, attr=name), args=[value], keywords=[]) if name in METHODS:
            found = Scaled(tensor, value)
        case _:
            return []
    return [found] if facts.kinds(found.factor) == TENSOR and not facts.value(found.factor).traits & BOOL else []


def _loop_names(node: ast.If) -> frozenset[str]:
    """Names that loops in the branch give values to."""
    return names_bound([each.target for each in walk(node) if isinstance(each, ast.For)])


def _may_be_computed(factor: ast.expr, node: ast.If, facts: Facts) -> bool:
    """True if the factor may be computed once, and always."""
    names = names_read(factor)
    if names_bound(node.body) & names or any(changed_later(name, node, facts) for name in names):
        return False
    doubts = effects(factor, facts)
    return doubts.refusal is None and (not doubts.nan_gradient or no_grad(node, facts))


def _shares_name(scaled: Scaled) -> bool:
    """True if scaling the tensor may change the factor."""
    return bool(names_read(scaled.tensor) & names_read(scaled.factor))
