"""Loops of known length that a tensor may end early: all turns run, and a flag says whether they still count."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects, no_grad
from graphmend_lint.facts.meta import may_agree, meta, meta_of
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.facts.values import DATA, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import where
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.traceable import is_traceable
from graphmend_lint.shapes import Assignment, assignment, dotted, names_bound, names_read, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Run every turn, with a flag for those that count"
CAVEAT: Final = "Every turn of the loop runs, in eager mode too, and none may fail; shapes and dtypes must not change."
LATE: Final = Refusal("break-in-loop", "the loop is left from inside of another statement, or its length is not known")
UNFIT: Final = Refusal("break-in-loop", "the loop does more than give values to tensors of fixed shape")


@dataclass(frozen=True)
class Loop:
    """A loop that one of its statements leaves."""

    loop: ast.For
    node: ast.If
    test: Condition
    torch: str
    flag: str
    kept: list[tuple[ast.stmt, Assignment]]  #: what must not change once the loop is over
    on: str  #: a tensor whose device the flag is made on


def leaves(node: ast.If) -> bool:
    """True for `if test: break`."""
    return len(node.body) == 1 and isinstance(node.body[0], ast.Break) and not node.orelse


def flagged(node: ast.If, facts: Facts) -> Fix | Refusal:
    """The fix for `if test: break` in a loop of known length."""
    found = _loop(node, facts)
    if isinstance(found, Refusal):
        return found
    return Fix(TITLE, Applicability.UNSAFE, lambda site: (_edit(site, found),), CAVEAT, ("torch",))


def _loop(node: ast.If, facts: Facts) -> Loop | Refusal:
    loop, torch, test = facts.parent(node), torch_name(facts, node), condition(node.test, facts)
    if not isinstance(loop, ast.For) or node not in loop.body or loop.orelse or torch is None:
        return LATE
    if isinstance(test, Refusal):
        return test
    if test.static or facts.kinds(loop.iter) & (DATA | UNKNOWN) or not is_traceable(node.test, facts):
        return LATE
    kept = [(each, assignment(each)) for each in loop.body if each is not node]
    plain = [(each, parts) for each, parts in kept if parts is not None and not parts.augmented]
    if len(plain) < len(kept) or not all(_is_plain(parts, facts) for _, parts in plain):
        return UNFIT
    counted = [(each, parts) for each, parts in plain if not _is_inner(parts.target, loop, facts)]
    if not counted or not all(_may_stay(parts, loop, facts) for _, parts in counted) or _escapes(loop, facts):
        return UNFIT
    owner = counted[0][1].target
    on = owner.value if isinstance(owner, ast.Subscript) else owner
    return Loop(loop, node, test, torch, _flag(loop, facts), counted, dotted(on) or "")


def _is_plain(parts: Assignment, facts: Facts) -> bool:
    """True if the value may be computed although the loop is over."""
    found = effects(parts.value, facts)
    hazard = (found.nan_gradient or found.overflows) and not no_grad(parts.value, facts)
    return isinstance(parts.target, ast.Name | ast.Subscript) and is_traceable(parts.value, facts) and not hazard


def _is_inner(target: ast.expr, loop: ast.For, facts: Facts) -> bool:
    """True for a name that each turn sets before it reads it, and that nothing outside of the loop reads."""
    function = facts.function(loop)
    if not isinstance(target, ast.Name) or function is None:
        return False
    inside = {id(each) for each in walk(loop)}
    uses = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == target.id]
    if any(id(each) not in inside for each in uses):
        return False
    first = next(each for each in loop.body if target.id in names_bound([each]) | names_read(each))
    return target.id in names_bound([first]) and target.id not in names_read(getattr(first, "value", first))


def _may_stay(parts: Assignment, loop: ast.For, facts: Facts) -> bool:
    """True if the target holds a tensor before, and what it is given looks like one of the same kind."""
    target = parts.target
    if facts.kinds(parts.value) != TENSOR:
        return False
    if isinstance(target, ast.Subscript):
        return isinstance(target.value, ast.Name) and facts.kinds(target.value) == TENSOR and _is_fixed(target, facts)
    assert isinstance(target, ast.Name)
    before = definition_at(target.id, loop, facts)
    loads = [each for each in walk(loop) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    known = [facts.kinds(each) for each in loads if each.id == target.id]
    known += [facts.kinds(before.value)] if before.value is not None else []
    inside = meta_of(target.id, definition_at(target.id, loop.body[0], facts), facts)
    return bool(known) and all(kinds == TENSOR for kinds in known) and may_agree(meta(parts.value, facts), inside)


def _is_fixed(target: ast.Subscript, facts: Facts) -> bool:
    """True if the index is known while tracing, and evaluating it twice is the same as once."""
    return is_traceable(target.slice, facts) and not any(
        isinstance(each, ast.expr) and facts.kinds(each) & (DATA | UNKNOWN) for each in _indices(target.slice)
    )


def _indices(index: ast.expr) -> list[ast.expr]:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return [each for each in parts if not isinstance(each, ast.Slice)]


def _escapes(loop: ast.For, facts: Facts) -> bool:
    """True if what the loop counts is used outside of it."""
    function = facts.function(loop)
    inside = {id(each) for each in walk(loop)}
    outside = [each for each in walk_function(function) if id(each) not in inside] if function else []
    counted = names_bound([loop.target])
    return function is None or any(isinstance(each, ast.Name) and each.id in counted for each in outside)


def _flag(loop: ast.For, facts: Facts) -> str:
    function = facts.function(loop)
    taken = names_bound([function]) | names_read(function) if function is not None else set()
    return next(name for name in ("active", "going_on", "is_active", "active_") if name not in taken)


def _edit(site: Site, found: Loop) -> Edit:
    """The loop with its statements replaced, and the flag set before it."""
    made = f"{found.flag} = {found.torch}.ones((), dtype={found.torch}.bool, device={found.on}.device)"
    edits = [site.replace(each, _selected(site, found, each, parts)) for each, parts in found.kept]
    edits.append(site.replace(found.node, f"{found.flag} = {found.flag} & ~{found.test.tensor.operand()(site)}"))
    return site.loop(found.loop, made, edits)


def _selected(site: Site, found: Loop, node: ast.stmt, parts: Assignment) -> str:
    target = site.code(parts.target)
    room = site.room(node, len(target) + 3)
    return f"{target} = {where(site, found.torch, found.flag, site.argument(parts.value), target, room)}"
