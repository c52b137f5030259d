"""`x[mask] = f(x[mask])`: `f` of everything, stored where the mask holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.kept_out import keeps_from_nan
from graphmend_lint.rewrite.row_edits import row_edits
from graphmend_lint.rewrite.rows import (
    COST,
    NOTES,
    class_of,
    elsewhere,
    has_no_scopes,
    is_left,
    keep_apart,
    region_of,
    stores_of,
    without_guard,
)
from graphmend_lint.rewrite.rowwise import RowWise
from graphmend_lint.rewrite.rowwise_values import INDEX, Frame, NotRowWise, Seen
from graphmend_lint.rewrite.whether import is_none
from graphmend_lint.shapes import dotted, names_bound, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site


class Masked(RowWise):
    """The row-wise proof for a mask of unknown rank: it allows only what works for any number of dimensions."""

    masked = True

    def __init__(self, facts: Facts, stored: frozenset[str]) -> None:
        super().__init__(facts, stored)
        self.tests: list[ast.expr] = []  #: `mask.any()`
        self.empty: list[ast.expr] = []  #: `mask.sum() == 0`

    def asks(self, test: ast.expr, frame: Frame) -> bool | None:
        """Whether a test asks if nothing is selected (True), or anything is (False)."""
        if self._asks_any(test, frame):
            self.tests.append(test)
            return False
        if (none := self._counts(test, frame)) is not None:
            (self.empty if none else self.tests).append(test)
            return none
        return super().asks(test, frame) if isinstance(test, ast.UnaryOp | ast.BoolOp) else None

    @staticmethod
    def _counts(test: ast.expr, frame: Frame) -> bool | None:
        """`mask.sum() == 0`."""
        match test:
            case ast.Compare(
                left=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="sum"), args=[], keywords=[]),
                ops=[op],
                comparators=[ast.Constant(value=int(bound))],
            ) if frame.names.get(name) is INDEX:
                return is_none(op, bound)
        return None

    @staticmethod
    def _asks_any(test: ast.expr, frame: Frame) -> bool:
        match test:
            case ast.Call(func=ast.Attribute(value=ast.Call() as inner, attr="item"), args=[], keywords=[]):
                test = inner
            case ast.Call(func=ast.Name(id="bool"), args=[ast.Call() as inner], keywords=[]):
                test = inner
        match test:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="any"), args=[], keywords=[]):
                return frame.names.get(name) is INDEX
            case ast.Call(func=ast.Attribute(attr="any"), args=[ast.Name(id=name)], keywords=[]):
                return frame.names.get(name) is INDEX
        return False

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Seen:
        """Nothing may depend on the shape."""
        if node.attr in ("shape", "ndim"):
            self._plain([self.eval(node.value, frame)])
        return super()._attribute(node, frame)


def masked_rows(node: ast.Subscript, facts: Facts) -> Fix | None:
    """Compute everything; None unless each element of the mask is proven to have a result of its own."""
    function, mask = facts.function(node), node.slice
    if not isinstance(mask, ast.Name) or not isinstance(function, ast.FunctionDef) or torch_name(facts, node) is None:
        return None
    used = list(_selections(mask.id, function))
    if not any(isinstance(each.ctx, ast.Store) for each in used) or not has_no_scopes(function):
        return None
    if not all(facts.kinds(each.value) == TENSOR and facts.value(each.slice).traits & BOOL for each in used):
        return None
    bindings = sum(mask.id in names_bound([each]) for each in walk_function(function) if isinstance(each, ast.Assign))
    if bindings > 1 or changed_later(mask.id, node, facts):
        return None
    run = _proven(mask.id, used, function, facts)
    if run is None:
        return None
    torch = torch_name(facts, node) or "torch"

    def edits(site: Site) -> tuple[Edit, ...]:
        tests = [_asked_for_size(each, mask.id, site, facts) for each in dict.fromkeys(run.tests)]
        tests += [site.expression(each, f"{mask.id}.numel() == 0") for each in dict.fromkeys(run.empty)]
        return (*tests, *row_edits(run, mask.id, torch, site))

    caveat = "; ".join([COST, *(NOTES[each] for each in sorted(run.notes))]) + "."
    return Fix("Compute everything, and store where the mask holds", Applicability.UNSAFE, edits, caveat, ("torch",))


def _asked_for_size(test: ast.expr, name: str, site: Site, facts: Facts) -> Edit:
    """The question whether a mask selects anything becomes whether it has elements."""
    above = facts.parent(test)
    if isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not):
        return site.expression(above, f"{name}.numel() == 0")
    return site.expression(test, f"{name}.numel() > 0")


def _selections(name: str, function: ast.FunctionDef) -> Iterator[ast.Subscript]:
    for each in walk_function(function):
        match each:
            case ast.Subscript(slice=ast.Name(id=found)) if found == name:
                yield each


def _asks(test: ast.expr, name: str, facts: Facts) -> bool:
    """True if the test asks whether the mask selects any row, or none."""
    try:
        return Masked(facts, frozenset()).asks(test, Frame({name: INDEX}, None)) is not None
    except NotRowWise:
        return False


def _proven(name: str, used: list[ast.Subscript], function: ast.FunctionDef, facts: Facts) -> Masked | None:
    """The proof that the statements which use the mask go row by row; None if it fails."""
    tests = [each.test for each in walk_function(function) if isinstance(each, ast.If)]
    asking = [each for each in tests if _asks(each, name, facts)]
    block, region = region_of([*used, *asking], facts)
    rest = without_guard(region, block, name, facts, Masked)
    if not rest:
        return None
    stored = frozenset(dotted(each) or "" for each in stores_of(name, rest))
    run, frame = Masked(facts, stored), Frame({name: INDEX}, class_of(function, facts))
    try:
        if rest is not region and isinstance(region[0], ast.If):
            run.asks(region[0].test, frame)
        run.run(rest, frame)
    except NotRowWise:
        return None
    if frame.returns or is_left(name, run, frame, region, rest, elsewhere(region, block, facts)):
        return None
    if keeps_from_nan(used[0].slice, used[0].slice, rest, facts):
        return None
    keep_apart(run, rest, facts)
    run.notes |= {"guard"} if run.guarded or rest is not region else set()
    return run
