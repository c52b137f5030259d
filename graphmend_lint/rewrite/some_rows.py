"""None, all or some of the rows: three ways to compute what `torch.where` chooses row by row."""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.kept_out import keeps_from_nan
from graphmend_lint.rewrite.mask_shape import widened
from graphmend_lint.rewrite.rows import NOTES
from graphmend_lint.rewrite.rowwise import RowWise
from graphmend_lint.rewrite.rowwise_values import INDEX, Frame, NotRowWise, Rows, is_plain
from graphmend_lint.rewrite.template import call
from graphmend_lint.shapes import same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "Both are computed for all rows, and must have one dtype; the last digits may differ, and a value or a derivative "
    "that is NaN or infinite in a row that is not chosen makes gradients NaN"
)


class Ways(NamedTuple):
    """A name that is given one of three values."""

    name: str
    mask: ast.Name
    none: ast.expr  #: if no row is chosen
    every: ast.expr  #: if all are
    some: ast.expr  #: the rows that are chosen
    in_place: bool  #: they are stored into the first value


def by_row(node: ast.If, facts: Facts) -> Fix | None:
    """One `torch.where` in place of the three ways; None unless they are the same row by row."""
    ways, torch = _ways(node), torch_name(facts, node)
    if ways is None or torch is None or facts.kinds(ways.mask) != TENSOR:
        return None
    notes = _notes(ways, node, facts)
    if (
        notes is None
        or not same(of_all(ways.some, ways.mask.id), ways.every)
        or (ways.in_place and not is_fresh(ways.none, facts))
        or keeps_from_nan(ways.mask, ways.mask, [ways.some, ways.none], facts)
    ):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        room = site.room(node)
        given = [widened(ways.mask.id, ways.name), site.argument(ways.every), ways.name]
        chosen = call(f"{torch}.where", given, room - len(ways.name) - 3)
        return (site.replace(node, f"{ways.name} = {site.code(ways.none)}\n{ways.name} = {chosen}"),)

    caveat = "; ".join([CAVEAT, *(NOTES[each] for each in sorted(notes))]) + "."
    return Fix("Choose row by row with `torch.where`", Applicability.UNSAFE, edits, caveat, ("torch",))


def _ways(node: ast.If) -> Ways | None:
    """`if not mask.any(): ... elif mask.all(): ... else: ...`, or the first two the other way round."""
    match node.orelse:
        case [ast.If() as second] if second.orelse:
            pass
        case _:
            return None
    asked = {_asked(each.test): each.body for each in (node, second)}
    match asked.get("none"), asked.get("every"), second.orelse:
        case (
            [ast.Assign(targets=[ast.Name(id=name)], value=none)],
            [ast.Assign(targets=[ast.Name(id=other)], value=every)],
            [ast.Assign(targets=[ast.Name(id=begun)], value=same_none), ast.Assign() as last],
        ) if name == other == begun and same(none, same_none):
            stored = _stored(last, name)
            masks = [_mask(node.test), _mask(second.test)]
            if stored is not None and all(isinstance(each, ast.Name) and each.id == stored[0].id for each in masks):
                return Ways(name, stored[0], none, every, stored[1], isinstance(last.targets[0], ast.Subscript))
    return None


def _asked(test: ast.expr) -> str:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Attribute(attr="any"), args=[], keywords=[])):
            return "none"
        case ast.Call(func=ast.Attribute(attr="all"), args=[], keywords=[]):
            return "every"
    return ""


def _mask(test: ast.expr) -> ast.expr | None:
    call = test.operand if isinstance(test, ast.UnaryOp) else test
    return call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None


def _stored(statement: ast.Assign, name: str) -> tuple[ast.Name, ast.expr] | None:
    """The mask and the value of `x = x.index_put((mask,), value)`, or of `x[mask] = value`."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=found)],
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=tensor), attr="index_put"),
                args=[ast.Tuple(elts=[ast.Name() as mask]), value],
                keywords=[],
            ),
        ) if found == tensor == name:
            return mask, value
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=found), slice=ast.Name() as mask)], value=value) if (
            found == name
        ):
            return mask, value
    return None


def _notes(ways: Ways, node: ast.If, facts: Facts) -> set[str] | None:
    """What else changes while training; None if it cannot be proven that rows are computed one by one."""
    function = facts.function(node)
    cls = facts.parent(function) if function is not None else None
    run, owner = RowWise(facts, frozenset()), cls if isinstance(cls, ast.ClassDef) else None
    try:
        plain = run.eval(ways.none, Frame({}, owner))
        value = run.eval(ways.some, Frame({ways.mask.id: INDEX}, owner))
    except NotRowWise:
        return None
    proven = is_plain(plain) and isinstance(value, Rows) and value.exact and not run.copies
    return run.notes if proven else None


class _All(ast.NodeTransformer):
    """`x` for `x[mask]`."""

    def __init__(self, mask: str) -> None:
        self.mask = mask

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return node.value if isinstance(node.slice, ast.Name) and node.slice.id == self.mask else node


def of_all(some: ast.expr, mask: str) -> ast.expr:
    """The value for the rows that a mask selects, computed for all rows instead."""
    found: ast.expr = _All(mask).visit(copy.deepcopy(some))
    return found
