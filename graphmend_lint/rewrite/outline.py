"""Branches as local functions: `torch.cond` runs the one that is taken, from inside the graph."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.grad_mode import maybe_no_grad, no_grad
from graphmend_lint.facts.meta import CONCRETE, meta, words
from graphmend_lint.facts.ranks import added, differ
from graphmend_lint.facts.values import MODULE, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.arms import changed_later, is_temporary, unchanged
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.handed_back import hands_back_gradients
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.naming import fresh_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import GRADIENTS_OFF, LAYOUT, Arm, is_fresh
from graphmend_lint.rewrite.stores import is_private
from graphmend_lint.rewrite.template import indented
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.traceable import is_new, runs
from graphmend_lint.rewrite.used_up import is_in_loop
from graphmend_lint.shapes import (
    assignment,
    block_of,
    dotted,
    mentions_inside,
    names_bound,
    names_read,
    returned,
    walk_function,
)
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Branch inside the graph with `torch.cond`"
ALIKE: Final = (
    "Compiling raises unless both branches can be traced, and give one shape, dtype and layout; the result is a new "
    "tensor, and gradients of the branch not taken are zero, not None."
)
#: reasons not to compute both sides that do not hold where one is run
TRIED: Final = frozenset({"nan-gradient", "index-may-fail", "branch-may-raise", "arm-not-simple", "early-return"})
#: functions whose results are new tensors that are laid out by columns
BY_COLUMNS: Final = words("""
    solve inv inverse cholesky cholesky_solve cholesky_inverse solve_triangular lu_solve
""")


class Body(NamedTuple):
    """What a branch does: names that it alone uses, then a value."""

    before: list[ast.stmt]
    value: ast.expr
    name: str = ""  #: what holds the value at the end, if `before` has set it


@dataclass(frozen=True)
class Outline:
    """A condition, two expressions, and where the one that is chosen goes."""

    node: ast.If
    test: Condition
    torch: str
    then: Body
    other: Body | None  #: None: the name keeps its value
    target: str  #: the name that is set; "" if the value is returned
    after: list[ast.stmt]  #: the other branch, if it is what comes after the `if`
    bind: str  #: a name for the condition

    def code(self, site: Site, facts: Facts) -> str:
        """The two functions and the choice between them."""
        then, other = self._arm(site, self.then, facts), self._arm(site, self.other, facts)
        (first, second), test = _names(self.node, facts), self.test.tensor.code(site)
        lead = f"{self.target} = " if self.target else "return "
        eager = f"{lead}{first}() if {self.bind} else {second}()"
        return "\n".join([
            *self.test.tensor.names(site).splitlines(),
            *([] if self.bind == test else [f"{self.bind} = {test}", ""]),
            f"def {first}():", *then, "",
            f"def {second}():", *other, "",
            f"if {self.torch}.compiler.is_compiling():",
            f"    {lead}{self.torch}.cond({self.bind}, {first}, {second})",
            *(["else:", f"    {eager}"] if self.target else [eager]),
        ])  # fmt: skip

    def _arm(self, site: Site, body: Body | None, facts: Facts) -> list[str]:
        """The lines of one function."""
        if body is None:
            return [f"    return {self.target}.clone()"]
        lines = [line for each in body.before for line in _line(site, each)]
        by_columns = _is_by_columns(body, facts)
        new = not by_columns and (is_fresh(body.value, facts) or is_new(body.value, facts))
        layout = f"memory_format={self.torch}.contiguous_format" if by_columns else ""
        result = site.code(body.value) if new else f"{site.operand(body.value)}.clone({layout})"
        result = f"{body.name}.clone()" if body.name else result
        return [indented(f"    {line}") for line in [*lines, f"return {result}"]]


def _line(site: Site, statement: ast.stmt) -> list[str]:
    parts = assignment(statement)
    return [site.code(statement) if parts is None else f"{dotted(parts.target)} = {site.code(parts.value)}"]


def _names(node: ast.If, facts: Facts) -> tuple[str, str]:
    """Names for the two functions that the function around does not use."""
    function = facts.function(node)
    taken = names_bound([function]) | names_read(function) if function is not None else set()
    taken |= {each.name for each in walk_function(function) if isinstance(each, ast.FunctionDef)} if function else set()
    endings = ["", *(f"_{number}" for number in range(2, 100))]
    ending = next(each for each in endings if not {f"if_true{each}", f"if_false{each}"} & taken)
    return f"if_true{ending}", f"if_false{ending}"


def outlined(node: ast.If, facts: Facts, reason: Refusal) -> Fix | Refusal:
    """The branch by `torch.cond`, where computing both sides was refused for `reason`; else that refusal."""
    found = _outline(node, facts)
    if found is None or stores(node, facts) or not all(_may_run(each, facts) for each in _arms(found)):
        return reason
    if not no_grad(node, facts) and any(_adds_up(each, facts) or _floors(each, facts) for each in _arms(found)):
        return reason
    if reason.reason not in TRIED and not any(_is_costly(each, facts) for each in _arms(found)):
        return reason
    if (changed := _changed(found, facts)) is not None:
        return Refusal("in-place-later", f"`{changed}` is changed in place later, which must reach the original")
    if maybe_no_grad(node, facts) and _passes_gradients(found, facts):
        return GRADIENTS_OFF
    if _differ(found, facts):
        return Refusal("shape-or-dtype-unknown", "the two sides have different dtypes, or numbers of dimensions")
    layout = LAYOUT if any(_is_by_columns(each, facts) for each in _arms(found)) else ""
    caveat = " ".join(filter(None, [ALIKE, layout, found.test.tensor.doubt]))
    return Fix(TITLE, Applicability.UNSAFE, lambda site: _edits(site, found, facts), caveat, ("torch",))


def _passes_gradients(found: Outline, facts: Facts) -> bool:
    """True if a side gives a tensor that may require grad even where gradients are off."""
    kept = unchanged(found.target, found.node, facts) if found.other is None else None
    passed = isinstance(kept, Arm) and kept.passed
    return passed or any(
        not no_grad_needed(each, facts) and hands_back_gradients(each, facts) for each in _passed(found, facts)
    )


def _passed(found: Outline, facts: Facts) -> list[ast.expr]:
    """The values that may be tensors which were there before."""
    return [each.value for each in _arms(found) if not (is_fresh(each.value, facts) or is_new(each.value, facts))]


def _changed(found: Outline, facts: Facts) -> str | None:
    """The name of a tensor that is passed on as it is, without `torch.cond`, and that is changed in place later."""
    values = _passed(found, facts)
    names = {name for each in values for name in names_read(each)}
    if found.target and (values or found.other is None):
        names.add(found.target)
    changed = (name for name in sorted(names) if changed_later(name, found.node, facts))
    return next((name for name in changed if not is_private(name, found.node, facts)), None)


def _outline(node: ast.If, facts: Facts) -> Outline | None:
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True)
    if torch is None or isinstance(test, Refusal) or test.static:
        return None
    plain = len(test.tests) == 1 and isinstance(test.tests[0], ast.Name) and _is_flag(test.tests[0], facts)
    name = node.test.id if plain and isinstance(node.test, ast.Name) else fresh_name(node, facts)
    for find in (_setting, _returning):
        parts = find(node, facts)
        if parts is not None:
            return Outline(node, test, torch, *parts, name)
    return None


def _is_flag(node: ast.expr, facts: Facts) -> bool:
    known = meta(node, facts)
    return known.is_0d and known.is_bool


Parts = tuple[Body, Body | None, str, list[ast.stmt]]


def _setting(node: ast.If, facts: Facts) -> Parts | None:
    """Both branches set one name, or one does and the other leaves it."""
    then, other = _last(node.body, node, facts), _last(node.orelse, node, facts)
    if then is None or (node.orelse and (other is None or other[0] != then[0])):
        return None
    if other is None and not _is_kept_tensor(then[0], node, facts):
        return None
    before = [*then[1].before, *(other[1].before if other else ())]
    inner = names_bound(before) - {then[0]}
    once = not is_in_loop(node, facts)  # in the next turn, the test or the other branch may read it
    if not all(is_temporary(name, node, facts) or (once and not _is_read_outside(name, node, facts)) for name in inner):
        return None
    return then[1], None if other is None else other[1], then[0], []


def _is_kept_tensor(name: str, node: ast.If, facts: Facts) -> bool:
    kept = unchanged(name, node, facts)
    return not isinstance(kept, Refusal) and kept.number is None


def _last(block: list[ast.stmt], node: ast.If, facts: Facts) -> tuple[str, Body] | None:
    """The name that a block sets at its end, and how it gets there."""
    parts = assignment(block[-1]) if block else None
    if parts is not None:
        plain = isinstance(parts.target, ast.Name) and not parts.augmented and _is_local(block[:-1])
        return (dotted(parts.target) or "", Body(block[:-1], parts.value)) if plain else None
    if not block or not _is_local(block):
        return None
    names = [name for name in names_bound(block) if _is_read_outside(name, node, facts)]
    given = [each for each in map(assignment, block[-1].body) if each] if isinstance(block[-1], ast.For) else []
    values = [each.value for each in given if isinstance(each.target, ast.Name) and [each.target.id] == names]
    return (names[0], Body(block, values[-1], names[0])) if values else None


def _is_read_outside(name: str, node: ast.If, facts: Facts) -> bool:
    function, inside = facts.function(node), {id(each) for each in walk(node)}
    uses = mentions_inside(function, name) if function else []
    return any(isinstance(each.ctx, ast.Load) and id(each) not in inside for each in uses)


def _is_local(block: list[ast.stmt]) -> bool:
    """True if the statements only set names, none of which they read before they set it."""
    return _reads(block, set()) is not None


def _reads(block: list[ast.stmt], own: set[str]) -> set[str] | None:
    """Names that the block reads before it sets them; None if it does more than set names. Adds those to `own`."""
    read = set[str]()
    for statement in block:
        parts, loop = assignment(statement), statement if isinstance(statement, ast.For) else None
        if loop is not None and not loop.orelse:
            read |= names_read(loop.iter) - own
            own |= names_bound([loop.target])
            inner = _reads(loop.body, own)
            read |= inner or set()
        elif parts is not None and not parts.augmented and isinstance(parts.target, ast.Name):
            inner = names_read(parts.value) - own
            read |= inner
            own.add(parts.target.id)
        else:
            return None
        if inner is None or own & read:
            return None
    return read


def _returning(node: ast.If, facts: Facts) -> Parts | None:
    """Both branches return, or what comes after the `if` does."""
    then, parent = _returned(node.body), facts.parent(node)
    if then is None or parent is None:
        return None
    after = [] if node.orelse else block_of(node, parent)
    after = after[after.index(node) + 1 :] if after else []
    other = _returned(node.orelse or after)
    inside = names_bound(then.before) | names_bound(other.before if other else [])
    if other is None or inside & names_read_above(node, facts):
        return None
    return then, other, "", after


def names_read_above(node: ast.If, facts: Facts) -> set[str]:
    """Names that the function uses before the `if`, or that its test reads."""
    function = facts.function(node)
    above = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function else []
    return {each.id for each in above if each.lineno < node.body[0].lineno}


def _returned(block: list[ast.stmt]) -> Body | None:
    value = returned(block[-1]) if block else None
    return None if value is None or not _is_local(block[:-1]) else Body(block[:-1], value)


def _arms(found: Outline) -> list[Body]:
    return [each for each in (found.then, found.other) if each is not None]


def _is_costly(body: Body, facts: Facts) -> bool:
    """True if a branch runs a module or a function of the project: plain arithmetic is not worth a `cond`."""
    called = [
        facts.value(each.func)
        for part in (*body.before, body.value)
        for each in walk(part)
        if isinstance(each, ast.Call)
    ]
    return any(each.kinds & MODULE or isinstance(each.target, FunctionDef) for each in called)


def _adds_up(body: Body, facts: Facts) -> bool:
    """True if a branch sums up a tensor from outside: its gradient is one number, expanded, which `cond` rejects."""
    own = names_bound(body.before)
    calls = [each for part in (*body.before, body.value) for each in walk(part) if isinstance(each, ast.Call)]
    paths = [_summed(each, facts) for each in calls]
    return any(path.partition(".")[0] not in own for path in paths if path is not None)


def _floors(body: Body, facts: Facts) -> bool:
    """True if a branch uses `//`: inside `cond` that has no gradient, whichever branch is taken."""
    nodes = [each for part in (*body.before, body.value) for each in walk(part)]
    return any(
        (isinstance(each, ast.BinOp) and isinstance(each.op, ast.FloorDiv) and facts.is_tensor(each))
        or (isinstance(each, ast.Call) and (facts.resolve(each.func) or "").endswith(".floor_divide"))
        for each in nodes
    )


def _summed(call: ast.Call, facts: Facts) -> str | None:
    """The path of the tensor whose elements a call sums up, all of them."""
    owner, _, name = (facts.resolve(call.func) or "").rpartition(".")
    if name not in ("sum", "mean") or owner not in ("torch", "torch.Tensor"):
        return None
    given = [
        *([call.func.value] if owner == "torch.Tensor" and isinstance(call.func, ast.Attribute) else []),
        *call.args,
    ]
    return dotted(given[0]) if len(given) == 1 and not call.keywords else None


def _differ(found: Outline, facts: Facts) -> bool:
    """True if the branches are proven to give tensors that no operator takes for one another."""
    if names_bound([each for arm in _arms(found) for each in arm.before]):
        return False
    then, step = found.then.value, added(found.then.value, facts)
    if found.other is None:
        return step is not None and step[0] == found.target and step[1] != 0
    other = found.other.value
    one, two = meta(then, facts).dtype, meta(other, facts).dtype
    return (one in CONCRETE and two in CONCRETE and one != two) or differ(then, other, facts)


def _is_by_columns(body: Body, facts: Facts) -> bool:
    """True if a branch gives what linear algebra makes: laid out by columns, which the other branch's is not."""
    called = [each.func for each in walk(body.value) if isinstance(each, ast.Call)]
    return any((facts.resolve(each) or "").rpartition(".")[2] in BY_COLUMNS for each in called)


def _may_run(body: Body, facts: Facts) -> bool:
    return facts.kinds(body.value) == TENSOR and all(
        runs(each, facts, picking=True) for each in [*body.before, ast.Return(body.value)]
    )


def stores(node: ast.stmt, facts: Facts) -> bool:
    """True if the function, or another method of its class, stores attributes: torch may lose such stores."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or facts.function(function) is not None:
        return True
    above = facts.parent(function)
    around = above.body if isinstance(above, ast.ClassDef) else [function]
    methods = [each for each in around if isinstance(each, ast.FunctionDef) and each.name != "__init__"]
    return any("." in path for path in names_bound(methods)) or any(_is_nonlocal(each) for each in methods)


def _is_nonlocal(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Global | ast.Nonlocal) for each in walk_function(function))


def _edits(site: Site, found: Outline, facts: Facts) -> tuple[Edit, ...]:
    gone = (site.remove(each) for each in found.after)
    return (site.replace(found.node, found.code(site, facts)), *gone)
