"""Whether what a loop goes over may be an iterator: whoever else has it sees how many items were taken out."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.rewrite.callers import calls_of, given_for, parameters
from graphmend_lint.rewrite.lasting import ITERATORS, holds_iterator, is_iterator

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 3  #: callers of callers that are asked
SAYS_SO: Final = re.compile(r"\b(Iterator|Iterable|Generator)\b")


def may_be_iterator(node: ast.expr, facts: Facts, levels: int = LEVELS) -> bool:
    """True for the name of an iterator, of a parameter that is given one, and for `zip` and the like of such."""
    match node:
        case ast.Name():
            return holds_iterator(node, facts) or (levels > 0 and _is_given(node, facts, levels - 1))
        case ast.Attribute():
            return holds_iterator(node, facts)
        case ast.Call(func=ast.Name(id=name), args=given) if f"builtins.{name}" in ITERATORS:
            return any(may_be_iterator(each, facts, levels) for each in given)
    return False


def _is_given(node: ast.Name, facts: Facts, levels: int) -> bool:
    """True for a parameter that its annotation lets be an iterator, or that a call in this file passes one for."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or node.id not in parameters(function) or definition(node, facts).row:
        return False
    said = [
        each.annotation
        for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        if each.arg == node.id
    ]
    if any(each is not None and SAYS_SO.search(ast.unparse(each)) for each in said):
        return True
    given = (given_for(each, node.id, function, facts) for each in calls_of(function, facts))
    return any(
        each is not None and (is_iterator(each, facts) or may_be_iterator(each, facts, levels)) for each in given
    )
