"""Numbers whose value is certain where an optional argument is left out: they need not be read there.

Without a mask, say, the code makes one that is True everywhere, and then reads `mask.all()`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.bounded import Bounded
from graphmend_lint.rewrite.bounded_calls import FULL, ONES, ZEROS
from graphmend_lint.rewrite.bounds import FALSE, NONE, TRUE, Bounds, Known, truth
from graphmend_lint.rewrite.callers import calls_of, given_for, parameters
from graphmend_lint.shapes import in_test, names_bound, names_read, walk_function
from graphmend_lint.syntax import defaults, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CANDIDATES: Final = 6  #: parameters of one function that are thought of
REDUCES: Final = frozenset({"any", "all", "max", "min", "amax", "amin", "sum", "count_nonzero"})
CAVEAT: Final = "It is taken that {methods} change no mask in place, and that no class elsewhere overrides them."


class Case(NamedTuple):
    """Where a value is known: if all of these parameters of a function are None."""

    function: ast.FunctionDef
    parameters: tuple[str, ...]
    call: ast.Call | None  #: what passes it on to the function that reads it; None if that is the same
    truth: bool
    methods: frozenset[str]  #: that were looked into


def by_default(node: ast.expr, facts: Facts) -> Fix | None:
    """Read the number only if one of the arguments that it depends on was given."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or not _may_be_one(node) or _is_guarded(node, facts):
        return None
    cases = list(_cases(node, function, facts))
    if not cases or len({each.truth for each in cases}) > 1:
        return None
    if any(isinstance(each, ast.Nonlocal) for case in cases for one in (case.function, function) for each in walk(one)):
        return None
    flag = _flag(cases)
    if any(flag in _names(each.function) for each in cases) or flag in _names(function):
        return None
    methods = sorted(frozenset[str]().union(*(each.methods for each in cases)))
    listed = " and ".join(f"`{each}`" for each in methods)
    return Fix(
        title="Read it only if an argument was given",
        applicability=Applicability.UNSAFE if methods else Applicability.SAFE,
        edits=lambda site: tuple(_edits(site, node, function, cases, flag, facts)),
        caveat=CAVEAT.format(methods=listed) if methods else "",
        lessens=True,
    )


def _may_be_one(node: ast.expr) -> bool:
    """False if the expression reads no such number: a quick look, since the proof takes its time."""
    return any(isinstance(each, ast.Name | ast.Attribute) and _reduces(each, node) for each in walk(node))


def _reduces(each: ast.Name | ast.Attribute, node: ast.expr) -> bool:
    return each is node or (isinstance(each, ast.Attribute) and each.attr in REDUCES)


def _is_guarded(node: ast.expr, facts: Facts) -> bool:
    """True if the number is already read under such a condition."""
    above = facts.parent(node)
    return isinstance(above, ast.BoolOp) and above.values[0] is not node


def _names(function: ast.FunctionDef) -> set[str]:
    return {each.id for each in walk_function(function) if isinstance(each, ast.Name)} | set(parameters(function))


# The proof


def _cases(node: ast.expr, function: ast.FunctionDef, facts: Facts) -> Iterator[Case]:
    """A case for each function that makes the number certain by leaving an argument to its default."""
    is_here, calls = _may_make(function, facts), list(_callers(function, facts))
    needed = _slice(names_read(node), function) if is_here or calls else set()
    for chosen in _choices(function, needed) if is_here else ():
        run = Bounded(facts, node)
        run.run(function, dict.fromkeys(chosen, NONE))
        found = _truth(run.seen, node, facts)
        if found is not None:
            yield Case(function, chosen, None, found, frozenset(run.entered))
            return
    for call, caller in calls if not needed.isdisjoint(parameters(function)) else ():
        yield from _passed(node, function, call, caller, needed, facts)


def _callers(function: ast.FunctionDef, facts: Facts) -> Iterator[tuple[ast.Call, ast.FunctionDef]]:
    """The calls of a function by others that may make a mask."""
    for call in calls_of(function, facts) if MAKES.search(facts.source.text) else ():
        caller = facts.function(call)
        if isinstance(caller, ast.FunctionDef) and caller is not function and _may_make(caller, facts):
            yield call, caller


def _may_make(function: ast.FunctionDef, facts: Facts) -> bool:
    """False if the text of a function shows that it makes no mask: a quick look."""
    text = "".join(facts.source.lines[function.lineno - 1 : function.end_lineno])
    return MAKES.search(text) is not None and "None" in text


MAKES: Final = re.compile(r"(?:ones|zeros|full)(?:_like)?\(")
MAKERS: Final = ONES | ZEROS | FULL


def _masks(function: ast.FunctionDef) -> dict[str, set[str]]:
    """Parameters for which a tensor of known elements is made if they are None, and the names that are given it."""
    found: dict[str, set[str]] = {}
    for each in walk_function(function):
        match each:
            case ast.If(test=test, body=body, orelse=orelse):
                made = [one for one in (*body, *orelse) if isinstance(one, ast.Assign) and _makes(one.value)]
            case ast.Assign(value=ast.IfExp(test=test) as value) if _makes(value):
                made = [each]
            case _:
                continue
        for name in _tested(test) if made else ():
            found.setdefault(name, set()).update(names_bound(made))
    return found


def _makes(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr in MAKERS for each in walk(node))


def _tested(test: ast.expr) -> Iterator[str]:
    """Names that are compared with None."""
    for each in walk(test):
        match each:
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]):
                if isinstance(op, ast.Is | ast.IsNot):
                    yield name


def _passed(
    node: ast.expr, function: ast.FunctionDef, call: ast.Call, caller: ast.FunctionDef, needed: set[str], facts: Facts
) -> Iterator[Case]:
    """The case in which a caller leaves arguments out, so that what it passes makes the number certain."""
    if facts.parent(caller) is None:
        return
    given = [given_for(call, name, function, facts) for name in needed.intersection(parameters(function))]
    names = set().union(*(names_read(each) for each in given if each is not None))
    for chosen in _choices(caller, _slice(names, caller)):
        outer = Bounded(facts, call)
        outer.run(caller, dict.fromkeys(chosen, NONE))
        if len(outer.passed) != 1 or not any(_is_known(each) for each in outer.passed[0].values()):
            continue
        run = Bounded(facts, node)
        run.run(function, outer.passed[0])
        found = _truth(run.seen, node, facts)
        if found is not None:
            yield Case(caller, chosen, call, found, frozenset(outer.entered | run.entered))
            return


def _is_known(value: Known) -> bool:
    return isinstance(value, Bounds) and not value.is_number


def _truth(seen: list[Known], node: ast.expr, facts: Facts) -> bool | None:
    """The truth of what was read, if it was the same each time; None if it differs or is not known."""
    asked = in_test(node, facts.parent)
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    found = {_bool(each, asked and not isinstance(node, ast.Call)) for each in seen}
    return True if found == {TRUE} else False if found == {FALSE} else None


def _bool(value: Known, asked: bool) -> Bounds | None:
    """The truth of one thing that was read; None if no tensor is needed for it, or if it is kept as a number."""
    if not isinstance(value, Bounds) or (asked and value.is_number) or not (asked or value.is_bool):
        return None
    return truth(value)


def _slice(names: set[str], function: ast.FunctionDef) -> set[str]:
    """The names that these depend on."""
    reads: list[tuple[frozenset[str], set[str]]] = []
    for each in walk_function(function):
        match each:
            case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                reads.append((names_bound([each]), names_read(value)))
            case ast.If(test=test, body=body, orelse=orelse):
                reads.append((names_bound([*body, *orelse]), names_read(test)))
    found, more = set[str](), names
    while more - found:
        found |= more
        more = set().union(*(read for bound, read in reads if bound & found))
    return found


def _choices(function: ast.FunctionDef, needed: set[str]) -> Iterator[tuple[str, ...]]:
    """Sets of parameters that may be left out together: one for which a mask is made, alone or with another one."""
    given = defaults(function.args).items()
    optional = {name for name, value in given if isinstance(value, ast.Constant) and value.value is None}
    masks = {name for name, made in _masks(function).items() if made & needed and name in optional} if optional else ()
    if not masks:
        return
    yield from ((name,) for name in sorted(masks))
    tests = [each.test for each in walk_function(function) if isinstance(each, ast.If | ast.IfExp)]
    others = sorted({name for test in tests for name in _tested(test)} & optional & needed)[:CANDIDATES]
    yield from ((name, other) for name in sorted(masks) for other in others if other not in masks or name < other)


# What is written


def _edits(
    site: Site, node: ast.expr, function: ast.FunctionDef, cases: list[Case], flag: str, facts: Facts
) -> Iterator[Edit]:
    """The reading under a condition, and the flag in every function that it comes through."""
    from graphmend_lint.rewrite.signature import add_parameter

    local = [each for each in cases if each.call is None]
    inline = local[0] if local and not _is_rebound(local[0]) else None
    first = _condition(flag, inline, cases[0].truth)
    yield site.expression(node, _guarded(node, first, cases[0].truth, site, facts))
    for case in cases:
        if case.call is not None:
            yield site.keyword(case.call, flag, _test(case) if not _is_rebound(case) else flag)
        if _is_rebound(case):
            begin = _first_binding(case)
            yield site.replace(begin, f"{flag} = {_test(case)}\nkept", kept=[begin])
    if not local:
        yield add_parameter(site, function, flag, "True")


def _flag(cases: list[Case]) -> str:
    names = {each.parameters for each in cases}
    only = next(iter(names))
    return f"{only[0]}_given" if len(names) == 1 and len(only) == 1 else "any_given"


def _test(case: Case) -> str:
    return " or ".join(f"{each} is not None" for each in case.parameters)


def _is_rebound(case: Case) -> bool:
    return any(set(case.parameters) & names_bound([each]) for each in case.function.body)


def _first_binding(case: Case) -> ast.stmt:
    return next(each for each in case.function.body if set(case.parameters) & names_bound([each]))


def _condition(flag: str, inline: Case | None, truth: bool) -> str:
    """What is asked first: whether an argument was given; if the answer is True otherwise, whether none was."""
    if inline is None:
        return f"not {flag}" if truth else flag
    several = len(inline.parameters) > 1
    if truth:
        return " and ".join(f"{each} is None" for each in inline.parameters)
    return f"({_test(inline)})" if several else _test(inline)


def _guarded(node: ast.expr, condition: str, truth: bool, site: Site, facts: Facts) -> str:
    """`flag and x.any()`, or `not flag or x.all()`."""
    code = site.code(node) if isinstance(node, ATOMS) else f"({site.code(node)})"
    text = f"{condition} {'or' if truth else 'and'} {code}"
    above = facts.parent(node)
    plain = isinstance(above, ast.stmt | ast.keyword) or (isinstance(above, ast.Call) and above.func is not node)
    plain |= isinstance(above, ast.IfExp) and above.test is node
    return text if plain else f"({text})"


ATOMS: Final = (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Compare, ast.UnaryOp)
