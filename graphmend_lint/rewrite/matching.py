"""`match` on the value of a tensor as a chain of `if`, which tensors can choose by."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import branch
from graphmend_lint.rewrite.comparison import is_plain, read
from graphmend_lint.rewrite.naming import value_name
from graphmend_lint.rewrite.select import Arm
from graphmend_lint.shapes import returned

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Compare the tensor in a chain of `if`"
PATTERNS: Final = Refusal("condition-not-simple", "a pattern is something else than a number")


def as_branches(node: ast.Match, facts: Facts) -> Fix | Refusal:
    """The chain of `if`, where each case does what a branch on a tensor may do."""
    tensor = node.subject if facts.kinds(node.subject) == TENSOR else read(node.subject, facts)
    numbers = [_numbers(case.pattern) for case in node.cases]
    if tensor is None:
        return Refusal("scalar-predicate", "the value was read from a tensor before")
    if not all(numbers[:-1]) or numbers[-1] is None or any(case.guard for case in node.cases) or not numbers[0]:
        return PATTERNS
    for case in node.cases:
        refusal = _refusal(case.body, node, facts)
        if refusal is not None:
            return refusal
    name = "" if isinstance(tensor, ast.Name) else value_name(tensor, facts)

    def edits(site: Site) -> tuple[Edit, ...]:
        value = name or site.code(tensor)
        lines = [f"{name} = {site.code(tensor)}"] if name else []
        for row, each in enumerate(numbers):
            tests = " or ".join(f"{value} == {number!r}" for number in each or ())
            lines += [f"{'elif' if row else 'if'} {tests}:" if tests else "else:", f"    CASE{row}"]
        return (site.replace(node, "\n".join(lines), **{f"CASE{row}": c.body for row, c in enumerate(node.cases)}),)

    return Fix(TITLE, Applicability.SAFE, edits, opens=True)


def _numbers(pattern: ast.pattern) -> list[float] | None:
    """The numbers that a pattern stands for, none of them for `_`; None if it is another pattern."""
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return []
        case ast.MatchOr(patterns=parts):
            found = [_numbers(each) for each in parts]
            return [number for each in found for number in each or ()] if all(found) else None
        case ast.MatchValue(value=ast.Constant(value=value)):
            return [value] if isinstance(value, int | float) and is_plain(value) else None
        case ast.MatchValue(value=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value))):
            return [-value] if isinstance(value, int | float) and is_plain(value) else None
    return None


def _refusal(body: list[ast.stmt], node: ast.Match, facts: Facts) -> Refusal | None:
    value = returned(body[0])
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    arms = [branch(body, node, facts) if each is None else Arm.of(each, facts) for each in parts]
    return next((each for each in arms if isinstance(each, Refusal)), None)
