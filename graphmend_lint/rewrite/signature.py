"""A parameter more, with a default."""

from __future__ import annotations

import ast

import libcst as cst

from graphmend_lint.model import Edit
from graphmend_lint.rewrite.site import EditError, Site


def add_parameter(site: Site, function: ast.FunctionDef, name: str, default: str) -> Edit:
    """Put a parameter behind the positional ones, on a line of its own if the last of them has one.

    Raises:
        EditError: if the function is not found again, or what follows the last parameter leaves no place.
    """
    found = [
        each for each in site.parents
        if isinstance(each, cst.FunctionDef)
        and each.name.value == function.name
        and site.ranges[each.name].start.line == function.lineno
    ]  # fmt: skip
    if len(found) != 1 or not found[0].params.params or isinstance(found[0].params.star_arg, cst.Param):
        raise EditError(f"line {function.lineno} has parameters that no other one can be put behind")
    parameters = found[0].params
    *others, last = parameters.params
    added = cst.Param(cst.Name(name), default=cst.parse_expression(default), equal=cst.AssignEqual(NONE, NONE))
    if last.annotation is not None or any(each.annotation for each in others):
        added = added.with_changes(annotation=cst.Annotation(cst.Name("bool")), equal=cst.AssignEqual())
    if isinstance(last.comma, cst.Comma):
        added = added.with_changes(comma=last.comma)
    between = cst.Comma(whitespace_after=_space(parameters))
    return Edit(parameters, parameters.with_changes(params=[*others, last.with_changes(comma=between), added]))


NONE = cst.SimpleWhitespace("")


def _space(parameters: cst.Parameters) -> cst.BaseParenthesizableWhitespace:
    """What stands between two parameters."""
    *others, _ = parameters.params
    comma = others[-1].comma if others else None
    return comma.whitespace_after if isinstance(comma, cst.Comma) else cst.SimpleWhitespace(" ")
