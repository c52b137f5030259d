"""Rows that a mask selects, computed and stored back: all rows are computed, and stored where the mask holds.

`index = torch.where(mask)[0]; x[index] = f(x[index])`, also where a function that is called is given the index.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.reaching import definition_at, statement_of
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.callers import called, calls_of, given_for, is_open, parameters, stored_as
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.kept_out import keeps_from_nan
from graphmend_lint.rewrite.row_edits import adds, row_edits
from graphmend_lint.rewrite.rowwise import RowWise, bound_to_rows
from graphmend_lint.rewrite.rowwise_calls import MODULES, torch_function
from graphmend_lint.rewrite.rowwise_values import INDEX, Frame, NotRowWise
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.shapes import block_of, dotted, names_bound, same, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

LEVELS: Final = 2  #: calls that indices are followed into
SEARCHES: Final = frozenset(
    f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("nonzero", "argwhere")
) | {"torch.where"}
COST: Final = (
    "All rows are computed: what is indexed must have as many rows as the mask, the last digits may differ, values of "
    "another dtype than the tensor's are cast where they used to raise, and a value or a derivative that is NaN or "
    "infinite in a row that is not selected makes gradients NaN"
)
ONCE: Final = "a row that several elements of the mask select counts once in the gradient"
NOTES: Final = {
    "guard": "where nothing is selected, gradients that used to be None are zero",
    "batch": "while training, batch normalization takes its statistics from all rows",
    "activation": "the activation, which the code does not name, is taken to treat every element alike",
    "random": "while training, dropout draws other random numbers",
}


class Maker(NamedTuple):
    """Where a mask becomes indices."""

    whole: ast.expr  #: what gives the indices of rows, and will give the mask
    mask: ast.expr
    flat: bool  #: the mask has one dimension
    statement: ast.Assign
    name: str


class Indexed(RowWise):
    """The row-wise proof for rows of an index, which are also taken by methods: `x.index_select(0, index)`."""

    takes_calls = True


@dataclass
class Plan:
    """Everything that is to change."""

    facts: Facts
    mask: ast.expr  #: of which the indices are made
    flat: bool  #: no row is selected twice
    runs: list[tuple[RowWise, str]] = field(default_factory=list)  #: with what the mask is called there
    given: set[ast.expr] = field(default_factory=set)  #: where the indices are passed to a function
    passed: set[str] = field(default_factory=set)  #: parameters that are given a mask from now on


def selected_rows(node: ast.Call, facts: Facts) -> Fix | None:
    """Compute all rows; None unless it is proven that each is computed from itself alone."""
    if facts.resolve(node.func) not in SEARCHES:
        return None
    maker, function = _maker(node, facts), facts.function(node)
    if maker is None or not isinstance(function, ast.FunctionDef) or torch_name(facts, node) is None:
        return None
    plan = Plan(facts, maker.mask, maker.flat)
    loads = _loads(maker, function)
    if not loads or not has_no_scopes(function) or not _follow(maker.name, loads, function, plan, LEVELS):
        return None
    if not _all_callers_pass_it(plan) or not any(run.stores for run, _ in plan.runs):
        return None
    if not maker.flat and any(adds(each) for run, _ in plan.runs for each in run.stores):
        return None  # a row could have been added twice
    torch = torch_name(facts, node) or "torch"

    def edits(site: Site) -> tuple[Edit, ...]:
        made = [site.replace(maker.statement, f"{maker.name} = {_row_mask(maker, site, facts)}")]
        for run, name in plan.runs:
            made += row_edits(run, name, torch, site)
        return tuple(made)

    return Fix("Compute all rows, and store those of the mask", Applicability.UNSAFE, edits, _caveat(plan), ("torch",))


def has_no_scopes(function: ast.FunctionDef) -> bool:
    scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
    return not any(isinstance(each, scopes) for each in walk_function(function))


def _caveat(plan: Plan) -> str:
    notes = sorted({note for run, _ in plan.runs for note in run.notes})
    parts = [COST, "the mask must have one dimension", *(NOTES[each] for each in notes), *([] if plan.flat else [ONCE])]
    if plan.passed:
        names = ", ".join(f"`{each}`" for each in sorted(plan.passed))
        parts.append(f"who calls or overrides these functions elsewhere has to pass a mask of rows as {names}")
    return "; ".join(parts) + "."


# Where the indices come from


def _maker(node: ast.Call, facts: Facts) -> Maker | None:
    """The assignment of indices of rows to a name."""
    mask, several = _searched(node, facts)
    if mask is None:
        return None
    whole, flat = _rows_of(node, several, facts)
    statement = facts.parent(whole)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if several and whole is node:
        match target:
            case ast.Tuple(elts=[ast.Name() as only]) | ast.List(elts=[ast.Name() as only]):
                target, flat = only, True
            case _:
                return None
    if not isinstance(target, ast.Name) or (not several and whole is node):
        return None
    if not is_fresh(mask, facts) and (dotted(mask) is None or changed_later(dotted(mask) or "", node, facts)):
        return None
    return Maker(whole, mask, flat, statement, target.id)


def _searched(node: ast.Call, facts: Facts) -> tuple[ast.expr | None, bool]:
    """The mask in which a call looks for what is not zero, and whether it gives a tuple of indices."""
    words, last = [word.arg for word in node.keywords], (facts.resolve(node.func) or "").rpartition(".")[2]
    method = (facts.resolve(node.func) or "").startswith("torch.Tensor.")
    given = [node.func.value, *node.args] if method and isinstance(node.func, ast.Attribute) else node.args
    several = last == "where"
    if last == "nonzero" and words == ["as_tuple"] and isinstance(value := node.keywords[0].value, ast.Constant):
        several, words = value.value is True, []
    if len(given) != 1 or words or facts.kinds(given[0]) != TENSOR:
        return None, False
    return given[0], several


def _rows_of(node: ast.Call, several: bool, facts: Facts) -> tuple[ast.expr, bool]:
    """The expression around a search that takes the row indices from it, and whether that proves one dimension."""
    above = facts.parent(node)
    match above:
        case ast.Subscript(value=value, slice=ast.Constant(value=0)) if value is node and several:
            return above, False
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Slice() as rows, ast.Constant(value=0)])):
            whole = rows.lower is rows.upper is rows.step is None and value is node and not several
            return (above, False) if whole else (node, False)
        case ast.Attribute(attr=name):
            around = facts.parent(above)
            if not several and isinstance(around, ast.Call) and around.func is above and _drops(name, around):
                return around, True
    return node, False


def _drops(name: str, node: ast.Call) -> bool:
    """True for `.squeeze(1)`, `.flatten()`, `.view(-1)`."""
    given = [ast.unparse(each) for each in node.args]
    allowed = {"squeeze": (["1"], ["-1"]), "flatten": ([],), "view": (["-1"],), "reshape": (["-1"],)}
    return not node.keywords and given in allowed.get(name, ())


def _row_mask(maker: Maker, site: Site, facts: Facts) -> str:
    """One bool for each row."""
    is_bool = bool(facts.value(maker.mask).traits & BOOL) or meta(maker.mask, facts).is_bool
    if maker.flat:
        return site.code(maker.mask) if is_bool else f"{site.operand(maker.mask)} != 0"
    code = site.operand(maker.mask) if is_bool else f"({site.operand(maker.mask)} != 0)"
    return f"{code}.unsqueeze(-1).flatten(1).any(1)"


def _loads(maker: Maker, function: ast.FunctionDef) -> list[ast.Name]:
    """Where the name is read; empty if it may hold anything but these indices, or None."""
    names = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == maker.name]
    if maker.name in parameters(function):
        return []
    for each in walk_function(function):
        match each:
            case ast.Assign(targets=[ast.Name(id=maker.name)], value=ast.Constant(value=None)):
                names = [name for name in names if name is not each.targets[0]]
    loads = [each for each in names if isinstance(each.ctx, ast.Load)]
    return loads if len(names) - len(loads) == 1 else []


# What is done with them


def _follow(name: str, loads: list[ast.Name], function: ast.FunctionDef, plan: Plan, levels: int) -> bool:
    """Add to the plan what is to change where the indices are used; False if that cannot be done."""
    used = []
    for load in loads:
        target = _passed_to(load, plan.facts)
        if target is None:
            used.append(load)
            continue
        callee, parameter = target
        plan.given.add(load)
        if parameter in plan.passed:
            continue
        inner = [each for each in walk_function(callee) if isinstance(each, ast.Name) and each.id == parameter]
        if not levels or not is_open(callee) or any(not isinstance(each.ctx, ast.Load) for each in inner):
            return False
        plan.passed.add(parameter)
        if not _follow(parameter, inner, callee, plan, levels - 1):
            return False
    return not used or _prove(name, used, function, plan)


def _passed_to(load: ast.Name, facts: Facts) -> tuple[ast.FunctionDef, str] | None:
    """The function of this file that is given the name, and its parameter for it."""
    above = facts.parent(load)
    around = facts.parent(above) if isinstance(above, ast.keyword) else above
    if not isinstance(around, ast.Call) or load is around.func:
        return None
    function = called(around, facts)
    if not isinstance(function, ast.FunctionDef) or facts.function(load) is function or facts.parent(function) is None:
        return None
    found = [each for each in parameters(function) if given_for(around, each, function, facts) is load]
    return (function, found[0]) if found else None


def _all_callers_pass_it(plan: Plan) -> bool:
    """True if no call passes other indices to a parameter that takes a mask from now on."""
    functions = {target for load in plan.given if (target := _passed_to(load, plan.facts))}  # type: ignore[arg-type]
    for function, parameter in functions:
        for each in calls_of(function, plan.facts):
            given = given_for(each, parameter, function, plan.facts)
            nothing = given is None or (isinstance(given, ast.Constant) and given.value is None)
            if not nothing and given not in plan.given:
                return False
    return True


def _prove(name: str, loads: list[ast.Name], function: ast.FunctionDef, plan: Plan) -> bool:
    """Run the statements that use the indices; True if they go row by row, and nothing else depends on them."""
    block, region = region_of(loads, plan.facts)
    rest = without_guard(region, block, name, plan.facts)
    if not rest:
        return False
    stored = frozenset(dotted(each) or "" for each in stores_of(name, rest))
    run, frame = Indexed(plan.facts, stored), Frame({name: INDEX}, class_of(function, plan.facts))
    try:
        run.run(rest, frame)
    except NotRowWise:
        return False
    if frame.returns or is_left(name, run, frame, region, rest, elsewhere(region, block, plan.facts)):
        return False
    if keeps_from_nan(plan.mask, loads[0], rest, plan.facts):
        return False
    keep_apart(run, rest, plan.facts)
    run.notes |= {"guard"} if run.guarded or rest is not region else set()
    plan.runs.append((run, name))
    return True


def keep_apart(run: RowWise, region: list[ast.stmt], facts: Facts) -> None:
    """Have rows copied, as indexing does, if a store might change the tensor that they are taken from."""
    others = bool(run.selects) or any(dotted(each.value) not in run.stored for each in run.loads)
    run.copies |= others and not all(_is_own(path, region[0], run, facts) for path in run.stored)


def _is_own(path: str, before: ast.stmt, run: RowWise, facts: Facts) -> bool:
    """True if the name holds a tensor that shares no memory with others."""
    value = definition_at(path, before, facts).value
    if value is None or is_fresh(value, facts):
        return value is not None
    match value, facts.parent(facts.function(before) or before):
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)), ast.ClassDef() as cls:
            made = [each.func for each in stored_as(name, cls) if isinstance(each, ast.Call)]
            names = {(torch_function(each, run) or "").removeprefix("torch.nn.") for each in made}
            return bool(names) and names <= MODULES
    return False


def is_left(
    name: str, run: RowWise, frame: Frame, region: list[ast.stmt], rest: list[ast.stmt], others: list[ast.stmt]
) -> bool:
    """True if other code reads a name that depends on the rows, or that is only set where some are selected."""
    read = _read(others)
    if (bound_to_rows(rest, frame.names) - {name}) & read:
        return True
    if len(rest) < len(region) and names_bound(rest) & read:
        return True
    return any(names_bound(each.body) & (read | _read(region, each.end_lineno or 0)) for each in run.guarded)


def _read(statements: list[ast.stmt], beyond: int = 0) -> set[str]:
    """Names that the statements read after a row of the file."""
    nodes = (each for statement in statements for each in walk(statement) if isinstance(each, ast.Name))
    return {each.id for each in nodes if isinstance(each.ctx, ast.Load) and each.lineno > beyond}


def _places(node: ast.AST, facts: Facts) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """The statements around a node and the blocks that they stand in, innermost first."""
    statement = statement_of(node, facts)
    while statement is not None and not isinstance(statement, ast.FunctionDef):
        parent = facts.parent(statement)
        if parent is None:
            return
        if block := block_of(statement, parent):
            yield block, statement
        statement = statement_of(parent, facts)


def region_of(loads: Sequence[ast.AST], facts: Facts) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The innermost block around all uses, and its statements from the first to the last of them."""
    paths = [list(_places(each, facts)) for each in loads]
    for block, _ in paths[0]:
        here = [[each for inner, each in path if inner is block] for path in paths]
        if all(here):
            at = [block.index(found[0]) for found in here]
            return block, block[min(at) : max(at) + 1]
    return [], []


def without_guard(
    region: list[ast.stmt], block: list[ast.stmt], name: str, facts: Facts, make: type[RowWise] = RowWise
) -> list[ast.stmt]:
    """The statements behind a leading `if len(index) == 0: return x`; the region itself without such a guard."""
    match region:
        case [ast.If(test=test, body=[ast.Continue() | ast.Return() as leave], orelse=[]), *rest] if rest:
            if not _asks_none(test, name, facts, make):
                return region
            if isinstance(leave, ast.Continue):
                return rest if region[-1] is block[-1] else []
            end = block[block.index(region[-1]) + 1 :]
            kept = isinstance(leave.value, ast.Name) and leave.value.id not in names_bound(rest)
            return rest if kept and len(end) == 1 and same(end[0], leave) else []
    return region


def _asks_none(test: ast.expr, name: str, facts: Facts, make: type[RowWise]) -> bool:
    try:
        return make(facts, frozenset()).asks(test, Frame({name: INDEX}, None)) is True
    except NotRowWise:
        return False


def stores_of(name: str, region: list[ast.stmt]) -> Iterator[ast.expr]:
    """The tensors that rows are stored into."""
    for each in (each for statement in region for each in walk(statement)):
        match each:
            case ast.Subscript(value=tensor, slice=ast.Name(id=found), ctx=ast.Store()) if found == name:
                yield tensor
            case ast.Call(func=ast.Attribute(value=tensor, attr=attr)) if attr in ("index_add_", "index_copy_"):
                yield tensor


def class_of(function: ast.FunctionDef, facts: Facts) -> ast.ClassDef | None:
    above = facts.parent(function)
    is_method = bool(function.args.args) and function.args.args[0].arg == "self"
    return above if isinstance(above, ast.ClassDef) and is_method else None


def elsewhere(region: list[ast.stmt], block: list[ast.stmt], facts: Facts) -> list[ast.stmt]:
    """The statements that may run after the region; in a loop, those before it as well."""
    places = list(_places(region[0], facts))
    looped = any(isinstance(each, ast.For | ast.While) for _, each in places)
    found = []
    for around, statement in places:
        first, last = (region[0], region[-1]) if around is block else (statement, statement)
        found += around[around.index(last) + 1 :]
        found += around[: around.index(first)] if looped else []
    return found
