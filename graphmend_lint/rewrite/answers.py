"""Functions whose answer is a bool that only decides: when compiled, they return the tensor instead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.asked import only_asked
from graphmend_lint.rewrite.callers import calls_of
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import in_test
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Answer with the tensor while compiling"
CAVEAT: Final = "Compiled code of other files gets a tensor, where it used to get a bool."


def answered(node: ast.expr, facts: Facts) -> Fix | None:
    """The answer in two forms; None unless this file only asks whether the answer is true."""
    statement, function, torch = statement_of(node, facts), facts.function(node), torch_name(facts, node)
    if not isinstance(statement, ast.Return) or statement.value is None or torch is None:
        return None
    if not isinstance(function, ast.FunctionDef) or function.decorator_list or not _only_decides(function, facts):
        return None
    test = condition(statement.value, facts)
    if not isinstance(test, Condition):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        lines = [f"if {torch}.compiler.is_compiling():", f"    return {_written(site, test)}", "KEPT"]
        return (site.replace(statement, "\n".join(lines), KEPT=[statement]),)

    caveat = f"{CAVEAT} {test.tensor.doubt}".strip()
    return Fix(TITLE, Applicability.UNSAFE, edits, caveat, ("torch",), opens=True)


def _written(site: Site, test: Condition) -> str:
    """The code of the answer when compiled: the tensor, or a bool where Python alone decides."""
    code, known = test.tensor.code(site), test.known(site)
    if not known:
        return code
    return f"{code} if {known} else False" if test.joined is ast.And else f"True if {known} else {code}"


def _only_decides(function: ast.FunctionDef, facts: Facts) -> bool:
    """True if nothing is done with the function but to call it, and each call only decides something."""
    calls, named = calls_of(function, facts), [each for each in walk(facts.source.tree) if _names(each, function.name)]
    called = {id(each.func) for each in walk(facts.source.tree) if isinstance(each, ast.Call)}
    plain = bool(calls) and all(id(each) in called for each in named)
    return plain and all(in_test(each, facts.parent) or only_asked(each, facts) for each in calls)


def _names(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Load()) | ast.Attribute(attr=found):
            return found == name
    return False
