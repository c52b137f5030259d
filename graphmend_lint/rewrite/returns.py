"""An `if` on a tensor whose branches return becomes one `return torch.where(...)`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.branches import TITLE, under_known
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.in_place import result_changed
from graphmend_lint.rewrite.naming import fresh_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import SHAPES, Arm, doubted, judge, where, worst
from graphmend_lint.rewrite.spoken import SILENT, said, spoken
from graphmend_lint.rewrite.template import ONE_LINE
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import assignment, block_of, names_bound, names_read, returned, same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site


@dataclass(frozen=True)
class Exit:
    """An `if` that returns, and the statement that returns otherwise."""

    node: ast.If
    then: ast.expr
    other: ast.expr
    between: list[ast.stmt]  #: what runs before the other return, with no effect
    last: ast.Return | None  #: the other return, if it comes after the `if`
    first: tuple[ast.stmt, ...] = ()  #: what runs before the return of the `if`, with no effect
    said: tuple[ast.stmt, ...] = ()  #: what is said before it returns
    otherwise: tuple[ast.stmt, ...] = ()  #: what its `else` says


def returns(node: ast.If, facts: Facts) -> Fix | Refusal | None:
    """The fix for an `if` that returns; None if it does not."""
    found = _exit(node, facts)
    if found is None or isinstance(found, Refusal):
        return found
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True)
    if torch is None:
        return SHADOWED
    if isinstance(test, Refusal):
        return test
    if (found.between or found.first or found.said or found.otherwise) and test.static:
        return Refusal("early-return", "code between the returns runs under a Python condition")
    verdict = judged(found, facts)
    if isinstance(verdict, Refusal):
        return verdict
    level, caveat = doubted(doubted(verdict, test.tensor.doubt), SILENT if found.said or found.otherwise else "")
    several = found.between or found.first or found.said or found.otherwise or len(_parts(found.then)) > 1
    bind = fresh_name(node, facts) if several else ""
    return Fix(TITLE, level, lambda site: _edits(site, found, test, torch, bind), caveat, ("torch",))


def _exit(node: ast.If, facts: Facts) -> Exit | Refusal | None:
    """The `if` with the values that it and the code after it return; None if its body does not end in `return`."""
    if not isinstance(node.body[-1], ast.Return):
        return None
    then, parent = returned(node.body[-1]), facts.parent(node)
    said, first = _said(node.body[:-1], facts), node.body[:-1]
    if then is None or parent is None or isinstance(said, Refusal):
        return (
            said if isinstance(said, Refusal) else Refusal("arm-not-simple", "a branch does more than return a value")
        )
    first = first[len(said) :]
    if node.orelse:
        other, otherwise = returned(node.orelse[-1]), _said(node.orelse[:-1], facts)
        if other is None or isinstance(otherwise, Refusal):
            return Refusal("arm-not-simple", "the other branch does more than return a value")
        rest, last = node.orelse[len(otherwise) : -1], None
    else:
        after, otherwise = _after(node, facts), []
        if not after or not isinstance(after[-1], ast.Return) or after[-1].value is None:
            return Refusal("early-return", "the code after the early return does not end in a return")
        rest, other, last = after[:-1], after[-1].value, after[-1]
    return between(Exit(node, then, other, rest, last, tuple(first), tuple(said), tuple(otherwise)), facts)


def _after(node: ast.If, facts: Facts) -> list[ast.stmt]:
    """The statements that run if the `if` does not return; for the last `elif`, those behind the whole chain."""
    parent = facts.parent(node)
    block = block_of(node, parent) if parent is not None else []
    after = block[block.index(node) + 1 :] if block else []
    if (
        after
        or not isinstance(parent, ast.If)
        or parent.orelse != [node]
        or not isinstance(parent.body[-1], ast.Return)
    ):
        return after
    behind = _after(parent, facts)
    return behind if len(behind) == 1 else []


def _said(block: list[ast.stmt], facts: Facts) -> list[ast.stmt] | Refusal:
    """The first statements of a branch, as far as they only speak."""
    found: list[ast.stmt] = []
    for statement in block:
        each = spoken(statement, facts)
        if each is None:
            break
        if isinstance(each, Refusal):
            return each
        found.append(statement)
    return found


def between(found: Exit, facts: Facts) -> Exit | Refusal:
    """The exit, if it does no harm to always run the code between the two returns; a refusal if it may."""
    for statement in (*found.first, *found.between):
        parts = assignment(statement)
        if parts is None or parts.augmented or not isinstance(parts.target, ast.Name):
            return Refusal("early-return", "the code before a return does more than give values to names")
        doubts = effects(parts.value, facts)
        if doubts.refusal:
            return doubts.refusal
        if doubts.nan_gradient and not no_grad(found.node, facts):
            return Refusal("nan-gradient", "the gradient of what follows the early return may be NaN, and would spread")
    if _reads([found.then]) & names_bound(found.between):
        return Refusal("early-return", "the code after the early return changes what is returned early")
    if names_bound(found.first) & (_reads([*found.between, found.other]) | names_bound(found.between)):
        return Refusal("early-return", "both sides use names for values of their own")
    return found


def _reads(nodes: Sequence[ast.AST]) -> set[str]:
    return set().union(*map(names_read, nodes))


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def judged(found: Exit, facts: Facts) -> tuple[Applicability, str] | Refusal:
    """How far selecting between the two returned values is the same as returning early."""
    then, other = _parts(found.then), _parts(found.other)
    if len(then) != len(other) or isinstance(found.then, ast.Tuple) != isinstance(found.other, ast.Tuple):
        return Refusal("arms-differ", "the two sides return a different number of values")
    verdicts = []
    for a, b in zip(then, other, strict=True):
        if not same(a, b) or len(then) == 1:
            verdict = _judge_pair(a, b, found.node, facts)
            if isinstance(verdict, Refusal):
                return verdict
            verdicts.append(verdict)
    if not verdicts:
        return Refusal("arms-equal", "both sides return the same")
    level, caveat = worst(verdicts)
    total = all(
        effects(each.value, facts).total for each in (*found.first, *found.between) if isinstance(each, ast.Assign)
    )
    return (level, caveat) if total or level is not Applicability.SAFE else (Applicability.UNSAFE, SHAPES)


def _judge_pair(a: ast.expr, b: ast.expr, node: ast.If, facts: Facts) -> tuple[Applicability, str] | Refusal:
    then, other = Arm.of(a, facts), Arm.of(b, facts)
    if isinstance(then, Refusal):
        return then
    if isinstance(other, Refusal):
        return other
    if then.number or other.number:
        return Refusal("value-escapes", "a Python number is returned; it would become a tensor")
    if not (then.fresh and other.fresh) and result_changed(node, facts):
        return Refusal("in-place-later", "a caller changes the result in place, which must reach the original tensor")
    return judge(then, other, node, facts)


def _edits(site: Site, found: Exit, test: Condition, torch: str, bind: str) -> tuple[Edit, ...]:
    """The new `return`, with the code between the old ones, and what the sides say, before it."""
    code = test.tensor.code(site)
    binding = test.tensor.names(site) + (f"{bind} = {code}\n" if bind else "")
    depth = 1 if test.static else 0
    room = site.room(found.node, 4 * depth + len("return "))
    line = f"return {selected(site, found, torch, bind or code, room)}"
    above = site.comments(found.last) if found.last is not None and not found.between else ""
    first = "".join(each + "\n" for each in _first(found, torch, bind))
    kept: dict[str, list[ast.stmt]] = {"FIRST": list(found.first), "BETWEEN": found.between}
    kept |= {"SAID": _lines(found.said), "OTHERWISE": _lines(found.otherwise)}
    if found.between and found.last is not None:
        return site.replace(found.node, (binding + first).rstrip(), **kept), site.replace(found.last, line)
    gone = (site.remove(found.last),) if found.last is not None else ()
    if first:
        return (site.replace(found.node, binding + first + above + line, **kept), *gone)
    if test.static:
        still = gone if test.joined is ast.Or else ()
        return (under_known(site, found.node, test, binding + (above if still else "") + line), *still)
    return (site.replace(found.node, binding + above + line), *gone)


def _first(found: Exit, torch: str, bind: str) -> list[str]:
    """The lines before the return: what the sides say, and what they prepare."""
    lines = [said(torch, bind, "SAID")] if found.said else []
    lines += [said(torch, f"not {bind}", "OTHERWISE")] if found.otherwise else []
    lines += ["FIRST"] if found.first else []
    return [*lines, *(["BETWEEN"] if found.between and found.last is None else [])]


def _lines(block: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements themselves, without the `if` that keeps them for eager mode."""
    return [line for each in block for line in (each.body if isinstance(each, ast.If) else [each])]


def selected(site: Site, found: Exit, torch: str, test: str, room: int) -> str:
    """What to return instead: each value selected by `test`."""
    pairs = list(zip(_parts(found.then), _parts(found.other), strict=True))
    if len(pairs) == 1:
        return where(torch, test, site.argument(pairs[0][0]), site.argument(pairs[0][1]), room)
    return ", ".join(
        site.code(a) if same(a, b) else where(torch, test, site.argument(a), site.argument(b), ONE_LINE)
        for a, b in pairs
    )
