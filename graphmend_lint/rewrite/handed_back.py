"""Whether a call that is made while gradients are off may hand back a tensor that has a gradient all the same."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.rewrite.callers import called, given_for, parameters
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import dotted, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 3  #: names of names that are followed
SWITCHES: Final = frozenset({"enable_grad", "set_grad_enabled", "inference_mode", "requires_grad_"})


def hands_back_gradients(call: ast.expr, facts: Facts) -> bool:
    """False if all that a function returns is computed in it, or given to it without a gradient."""
    function = called(call, facts) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return True
    nodes = list(walk_function(function))
    if any((dotted(each) or "").rpartition(".")[2] in SWITCHES for each in nodes if isinstance(each, ast.expr)):
        return True
    returned = [each.value for each in nodes if isinstance(each, ast.Return)]
    return not returned or not all(each and _is_without(each, function, call, facts, LEVELS) for each in returned)


def _is_without(node: ast.expr, function: ast.FunctionDef, call: ast.Call, facts: Facts, levels: int) -> bool:
    """True if the value is computed in the function, or if all that gives the name its values is."""
    if isinstance(node, ast.BinOp | ast.UnaryOp) or is_fresh(node, facts):
        return facts.is_tensor(node)
    if not isinstance(node, ast.Name) or not levels:
        return False
    values, given = _values(node.id, function, facts), None
    if node.id in parameters(function):
        given = given_for(call, node.id, function, facts)
        if given is None or not no_grad_needed(given, facts):
            return False
    return bool(values or given) and all(
        each and _is_without(each, function, call, facts, levels - 1) for each in values
    )


def _values(name: str, function: ast.FunctionDef, facts: Facts) -> list[ast.expr | None]:
    """What the function gives to a name; None for what is not plain. Arithmetic in place has what it is done to."""
    found: list[ast.expr | None] = []
    for each in walk_function(function):
        if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load):
            statement = facts.parent(each)
            if not isinstance(statement, ast.AugAssign):
                plain = isinstance(statement, ast.Assign) and statement.targets == [each]
                found.append(statement.value if isinstance(statement, ast.Assign) and plain else None)
    return found
