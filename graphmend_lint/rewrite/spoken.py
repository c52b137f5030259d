"""What a branch says before it does something: said in eager mode, where the condition holds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.defer import has_effect, is_text
from graphmend_lint.rewrite.policy import REPORTED
from graphmend_lint.rewrite.read_again import is_read_again
from graphmend_lint.shapes import names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

SILENT: Final = "What the branch says is not emitted when compiled."


def spoken(statement: ast.stmt, facts: Facts) -> list[ast.stmt] | Refusal | None:
    """The statements if they only speak, or run in eager mode only; None if they do more."""
    eager = _eager(statement, facts)
    if eager is not None:
        left = any(isinstance(each, LEAVES) for child in eager for each in walk(child))
        return None if left or names_bound(eager) else eager
    if not is_text(statement, facts) or has_effect(statement, facts) or is_read_again(statement, facts):
        return None
    return REPORTED if facts.side_effects == "report" else [statement]


def _eager(statement: ast.stmt, facts: Facts) -> list[ast.stmt] | None:
    """The body of `if not torch.compiler.is_compiling():`; None for any other statement."""
    match statement:
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=function)), body=body, orelse=[]):
            return body if facts.resolve(function) == "torch.compiler.is_compiling" else None
    return None


LEAVES: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)


def said(torch: str, test: str, place: str) -> str:
    """The lines that speak where the test holds; `place` stands for the statements."""
    return f"if not {torch}.compiler.is_compiling() and {test}:\n    {place}"
