"""Loops of known length that a tensor may end early: every turn runs, and a flag says whether it still counts."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.meta import is_number, may_agree, meta
from graphmend_lint.facts.reaching import definition_at, is_bound
from graphmend_lint.facts.values import DATA, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.iterators import may_be_iterator
from graphmend_lint.rewrite.naming import fresh_name, unused
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.returns import Exit, between, judged, selected
from graphmend_lint.rewrite.safe_points import Risky, Safe
from graphmend_lint.rewrite.select import where
from graphmend_lint.rewrite.staying import Loop, as_one
from graphmend_lint.rewrite.template import ONE_LINE
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.traceable import test_is_traceable
from graphmend_lint.rewrite.turn import LATE, UNFIT, Added, Given, Kept, Leaving, Step, Turn
from graphmend_lint.rewrite.while_loop import looped
from graphmend_lint.shapes import assignment, block_of, dotted, names_bound, names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Run every turn, with a flag for those that count"
MASKED: Final = "Select in each turn what it changes"
CAVEAT: Final = (
    "Every turn of the loop runs, in eager mode too, and none may fail; shapes and dtypes must not change; results are "
    "new tensors, with zero gradients where they were None."
)
SUMS: Final = "Zeros are added for the turns that no longer count, which may round a sum in another way."
DIGITS: Final = "The last digits of gradients may differ."
FLAGS: Final = ("active", "going_on", "is_active", "active_")
UNDER: Final = ("current", "counts", "current_")
FOUND: Final = ("result", "found", "result_")


@dataclass(frozen=True)
class Masked:
    """A loop, its turn, and what goes around it."""

    turn: Turn
    torch: str
    flag: str  #: "" if nothing ends the loop early
    current: str  #: what says whether this turn still counts
    hit: str  #: what says that an exit is taken
    on: str  #: a tensor whose device the flag is made on
    exit: Exit | None = None  #: the two values that the function may return
    result: str = ""  #: a name for the value that is returned, if it must be taken in the loop

    @property
    def caveat(self) -> str:
        """What may change."""
        sums = any(isinstance(each, Added) for each in self.turn.steps)
        digits = any(isinstance(each, Given | Kept) and each.risky for each in self.turn.steps)
        return " ".join([CAVEAT, *([SUMS] if sums else []), *([DIGITS] if digits else [])])


def exit_as_flag(node: ast.If, facts: Facts) -> Fix | Refusal:
    """The fix for an `if` on a tensor that leaves a turn, a loop, or a function from inside of a loop."""
    loop = facts.parent(node)
    if not isinstance(loop, ast.For | ast.While) or node not in loop.body:
        return LATE
    endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)
    return looped(loop, facts) if endless else loop_with_flag(loop, facts)


def loop_with_flag(loop: Loop, facts: Facts) -> Fix | Refusal:
    """The fix for a loop of known length that a tensor may end early."""
    found = _masked(loop, facts)
    if isinstance(found, Refusal):
        return found
    title = TITLE if found.flag else MASKED
    return Fix(title, Applicability.UNSAFE, lambda site: _edits(site, found), found.caveat, ("torch",))


def _masked(loop: Loop, facts: Facts) -> Masked | Refusal:
    """The loop with its flag; a refusal if its turns cannot all be run."""
    torch, header = torch_name(facts, loop), _header(loop, facts)
    if loop.orelse or torch is None or isinstance(header, Refusal) or not is_static(loop, header, facts):
        return header if isinstance(header, Refusal) else LATE
    turn = Turn.of(loop, facts, header)
    if isinstance(turn, Refusal):
        return turn
    words = {each.word for each in turn.exits() if each.ends_loop} | ({ast.Break} if header else set())
    if words and isinstance(loop, ast.For) and may_be_iterator(loop.iter, facts):
        return UNFIT
    on = _anchor(turn, facts)
    if len(words) > 1 or (words and on is None) or not turn.steps:
        return UNFIT
    if words and isinstance(loop, ast.For) and _is_used_after(names_bound([loop.target]), loop, facts):
        return UNFIT
    flag = unused(FLAGS, loop, facts) if words else ""
    found = Masked(turn, torch, flag, unused(UNDER, loop, facts), fresh_name(loop, facts), on or "")
    return _returning(found, facts) if words == {ast.Return} else found


def _header(loop: Loop, facts: Facts) -> Condition | Refusal | None:
    """The condition of a `while` that asks a tensor; None for a `for`, and for a `while` that asks none."""
    if isinstance(loop, ast.For) or not facts.is_data(loop.test):
        return None
    test = condition(loop.test, facts)
    if isinstance(test, Refusal):
        return test
    bounded = test.static and test.joined is ast.And
    return test if bounded and test_is_traceable(loop.test, facts) else LATE


def is_static(loop: Loop, header: Condition | None, facts: Facts) -> bool:
    """True if how often the loop runs is known while tracing."""
    if isinstance(loop, ast.While):
        return any(_is_bound(each, loop, facts) for each in (header.static if header else [loop.test]))
    kinds = facts.kinds(loop.iter)
    return kinds == TENSOR or not kinds & (DATA | UNKNOWN)


def _is_bound(test: ast.expr, loop: ast.While, facts: Facts) -> bool:
    """True for `n < stop` where each turn counts `n` up, or `n > stop` where it counts down."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt() | ast.LtE()], comparators=[stop]):
            way: type[ast.operator] = ast.Add
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Gt() | ast.GtE()], comparators=[stop]):
            way = ast.Sub
        case _:
            return False
    made = [each for each in loop.body if name in names_bound([each])]
    steps = [assignment(each) for each in made]
    counts = [each.augmented for each in steps if each is not None and each.augmented is not None]
    up = all(isinstance(each.op, way) and _is_positive(each.value) for each in counts)
    return (
        len(made) == len(counts) == 1 and up and is_number(stop, facts) and not names_read(stop) & names_bound([loop])
    )


def _is_positive(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def _anchor(turn: Turn, facts: Facts) -> str | None:
    """A tensor that exists before the loop: the flag is made on its device."""
    targets = [each.target for each in turn.steps if isinstance(each, Given)]
    bases = [each.value if isinstance(each, ast.Subscript) else each for each in targets]
    reads = sorted((each for each in walk(turn.loop) if isinstance(each, ast.Name)), key=lambda each: each.lineno)
    known = [each for each in reads if isinstance(each.ctx, ast.Load) and facts.kinds(each) == TENSOR]
    names = {each.id for each in known}
    for each in [*bases, *known]:
        name = dotted(each)
        if name in names and is_bound(name, turn.loop, facts) and _is_tensor_before(name or "", turn.loop, facts):
            return name
    return None


def _is_tensor_before(name: str, loop: Loop, facts: Facts) -> bool:
    given = definition_at(name, loop, facts).value
    return given is None or facts.kinds(given) == TENSOR


def _is_used_after(names: frozenset[str], loop: Loop, facts: Facts) -> bool:
    """True if one of the names is used outside of the loop."""
    function, inside = facts.function(loop), {id(each) for each in walk(loop)}
    outside = [each for each in walk(function) if id(each) not in inside] if function else []
    return function is None or any(isinstance(each, ast.Name) and each.id in names for each in outside)


def _returning(found: Masked, facts: Facts) -> Masked | Refusal:
    """The loop with the two values that the function may return."""
    loop, exits = found.turn.loop, [each for each in found.turn.exits() if each.ends_loop]
    parent = facts.parent(loop)
    block = block_of(loop, parent) if parent is not None else []
    rest, value = block[block.index(loop) + 1 :] if block else [], exits[0].value
    last = rest[-1] if rest else None
    if len(exits) > 1 or value is None or not isinstance(last, ast.Return) or last.value is None:
        return Refusal("early-return", "the code after the loop does not end in a return")
    ends = Exit(exits[0].node, value, last.value, rest[:-1], last)
    checked = between(ends, facts)
    verdict = checked if isinstance(checked, Refusal) else judged(ends, facts)
    if isinstance(verdict, Refusal) and not _is_one_shape(verdict, ends, found.turn):
        return verdict
    bound = names_bound([loop])
    if not names_read(value) & bound - found.turn.kept - found.turn.again:
        return replace(found, exit=ends)
    blocked = effects(last.value, facts).refusal
    if ends.between or isinstance(value, ast.Tuple) or blocked or names_read(last.value) & bound:
        return Refusal("early-return", "what is returned from the loop is not there after it")
    return replace(found, exit=ends, result=unused(FOUND, loop, facts))


def _is_one_shape(verdict: Refusal, ends: Exit, turn: Turn) -> bool:
    """True if the two values look alike, given that each name the loop changes keeps its shape and dtype."""
    if verdict.reason != "shape-or-dtype-unknown" or isinstance(ends.then, ast.Tuple):
        return False
    then, other = (meta(each, turn.facts) for each in (ends.then, ends.other))
    for name in turn.kept:
        own = f"{name}@{turn.loop.lineno}"
        then, other = as_one(name, then, own, own), as_one(name, other, own, own)
    return may_agree(then, other)


def _edits(site: Site, found: Masked) -> tuple[Edit, ...]:
    turn, writer = found.turn, Writer(site, found)
    edits = [site.replace(each.node, writer.text(each)) for each in turn.steps]
    first = []
    if found.result and found.exit is not None:
        first.append(f"{found.result} = {site.code(found.exit.other)}")
    if found.flag:
        made = f"{found.torch}.ones((), dtype={found.torch}.bool, device={found.on}.device)"
        first.append(f"{found.flag} = {made}")
    test, lead = _asked(site, found)
    return (site.loop(turn.loop, "\n".join(first), edits, test, lead), *_last(site, found))


def _asked(site: Site, found: Masked) -> tuple[str, str]:
    """What a `while` still asks Python, and the line that asks the tensor; "" for both if no tensor is asked."""
    header = found.turn.header
    if header is None:
        return "", ""
    return header.known(site), f"{found.flag} = {found.flag} & {header.tensor.operand()(site)}"


def _last(site: Site, found: Masked) -> tuple[Edit, ...]:
    """The return after the loop."""
    if found.exit is None or found.exit.last is None:
        return ()
    last, swapped = found.exit.last, replace(found.exit, then=found.exit.other, other=found.exit.then)
    chosen = found.result or selected(site, swapped, found.torch, found.flag, site.room(last, len("return ")))
    return (site.replace(last, f"return {chosen}"),)


@dataclass
class Writer:
    """Writes the steps of a turn in order. `mask` is the condition under which a step counts; "" if it always does."""

    site: Site
    found: Masked
    mask: str = field(init=False)

    def __post_init__(self) -> None:
        self.mask = self.found.flag

    def text(self, step: Step) -> str:
        """The code for one step."""
        match step:
            case Given():
                return self._given(step, self.mask)
            case Kept(node=node):
                return self.site.code(node, self._made_safe(node, step.risky, self.mask))
            case Added(call=call):
                value = where(self.found.torch, self.mask, self.site.argument(call.args[0]), "0", ONE_LINE)
                return f"{self.site.code(call.func)}({value})" if self.mask else self.site.code(call)
        return self._next(step) if step.word is ast.Continue else self._end(step)

    def _given(self, step: Given, mask: str) -> str:
        target = self.site.code(step.target)
        changed = self._made_safe(step.value, step.risky, mask)
        value = self.site.argument(step.value, changed)
        value = f"{target} {step.sign} {self.site.operand(step.value, changed)}" if step.sign else value
        if not mask:
            return f"{target} = {value}"
        room = self.site.room(step.node, len(target) + 3)
        return f"{target} = {where(self.found.torch, mask, value, target, room)}"

    def _made_safe(self, node: ast.AST, risky: tuple[Risky, ...], mask: str) -> dict[ast.expr, str]:
        """What takes the place of operations whose gradient may be NaN where the mask does not hold."""
        return Safe(self.site, self.found.torch, mask, risky, self.found.turn.facts).changes(node) if mask else {}

    def _end(self, step: Leaving) -> str:
        """The code for a `break` or `return`: no later turn counts."""
        site, flag, result = self.site, self.found.flag, self.found.result
        test, names = step.test.tensor.operand()(site), step.test.tensor.names(site)
        more = self.mask != flag and self._follows(step)
        lines = []
        if step.before or result:
            lines += self._before(step, test)
            test = self.found.hit
        elif self.mask != flag:
            test = f"({self.mask} & {test})"
        lines.append(f"{flag} = {flag} & {_opposite(test)}")
        if more:
            lines.append(f"{self.mask} = {self.mask} & {flag}")
        return names + "\n".join(lines)

    def _before(self, step: Leaving, test: str) -> list[str]:
        """The lines for what the original does just before it leaves."""
        found, value = self.found, step.value
        lines = [f"{found.hit} = " + (f"{self.mask} & {test}" if self.mask else test)]
        lines += [self._given(each, found.hit) for each in step.before]
        if found.result and value is not None:
            code = self.site.argument(value)
            chosen = where(found.torch, found.hit, code, found.result, self.site.room(step.node, 20))
            lines.append(f"{found.result} = {chosen}")
        return lines

    def _next(self, step: Leaving) -> str:
        """The code for a `continue`: the rest of this turn does not count."""
        site, test = self.site, step.test.tensor.operand()(self.site)
        follows = self._follows(step)
        lines = []
        if step.before:
            lines += self._before(step, test)
            test = self.found.hit
        if follows:
            lines.append(f"{self.found.current} = " + (f"{self.mask} & " if self.mask else "") + _opposite(test))
            self.mask = self.found.current
        return step.test.tensor.names(site) + "\n".join(lines) if lines else ""

    def _follows(self, step: Leaving) -> bool:
        return step is not self.found.turn.steps[-1]


def _opposite(operand: str) -> str:
    """The opposite of a condition that binds tighter than `&`."""
    return operand[1:] if operand.startswith("~") else f"~{operand}"
