"""What is written for rows that are selected: the whole tensors, and stores that choose."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.model import Edit
from graphmend_lint.rewrite.mask_shape import fitting
from graphmend_lint.rewrite.rowwise import RowWise, target_of
from graphmend_lint.rewrite.stores import OPERATORS
from graphmend_lint.rewrite.template import call
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.rewrite.site import Site


def row_edits(run: RowWise, name: str, torch: str, site: Site) -> list[Edit]:
    """Rows become the whole tensors, and stores choose."""
    changed: dict[ast.expr, str] = {}
    changed |= {each: _whole(each, run, site) for each in run.loads}
    changed |= {each: _whole(each, run, site) for each in run.selects}
    dimensions = f"{name}.ndim" if run.masked else "1"
    inside = {each for statement in run.stores for each in walk(statement)}
    edits = [site.expression(each, text) for each, text in changed.items() if each not in inside]
    for statement in run.stores:
        if _is_filled(statement, name, run):
            continue
        inner = set(walk(statement))
        own = {each: text for each, text in changed.items() if each in inner}
        fits = run.masked and _fits(statement, run)
        edits.append(site.replace(statement, _stored(statement, name, "" if fits else dimensions, torch, own, site)))
    return edits


def _is_filled(statement: ast.stmt, name: str, run: RowWise) -> bool:
    """True for `x[index] = 1.0`: the graph stores one number under a mask as it stands."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(slice=ast.Name(id=index))], value=value):
            return index == name and isinstance(run.facts.value(value).const, int | float)
    return False


def _fits(statement: ast.stmt, run: RowWise) -> bool:
    """True if the mask has the shape of what is stored to."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=tensor, slice=mask)]):
            return fitting(tensor, mask, run.facts)
    return False


def adds(statement: ast.stmt) -> bool:
    """True for `x.index_add_(...)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "index_add_"


def _whole(node: ast.Subscript | ast.Call, run: RowWise, site: Site) -> str:
    """`x[index, 1:]` of all rows: `x[:, 1:]`."""
    if isinstance(node, ast.Call):
        tensor = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        return f"{site.code(tensor)}{'.clone()' if run.copies or dotted(tensor) in run.stored else ''}"
    path = site.code(node.value)
    rest = ", ".join(site.code(each) for each in node.slice.elts[1:]) if isinstance(node.slice, ast.Tuple) else ""
    copied = run.copies or dotted(node.value) in run.stored
    return f"{path}{f'[:, {rest}]' if rest else ''}{'.clone()' if copied else ''}"


def _stored(
    statement: ast.Assign | ast.AugAssign | ast.Expr,
    name: str,
    dimensions: str,
    torch: str,
    changed: dict[ast.expr, str],
    site: Site,
) -> str:
    """`x[index] = value`, where the mask holds; it has as many dimensions as is said, or "" for all."""
    tensor, value = target_of(statement)
    path, text, room = site.code(tensor), site.code(value, changed), site.room(statement)
    if isinstance(statement, ast.AugAssign):
        operand = text if isinstance(value, ast.Name | ast.Call | ast.Attribute | ast.Subscript) else f"({text})"
        text = f"{path}.clone() {OPERATORS[type(statement.op)]} {operand}"
    is_sum = adds(statement)
    mask = f"{name}.reshape({name}.shape + (1,) * ({path}.ndim - {dimensions}))" if dimensions else name
    function = f"{path}.add_" if is_sum else f"{path}.copy_"
    inner = call(f"{torch}.where", [mask, text, "0" if is_sum else path], room - len(function) - 2)
    return f"{function}({inner})" if "\n" not in inner else call(function, [inner], room)
