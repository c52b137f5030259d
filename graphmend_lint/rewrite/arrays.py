"""Branches on NumPy's arrays that store elements under a condition. Dynamo traces arrays as tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import is_number, words
from graphmend_lint.facts.values import NDARRAY
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.changing import changed_paths
from graphmend_lint.rewrite.imports import name_of
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.template import call
from graphmend_lint.rewrite.used_up import is_in_loop
from graphmend_lint.shapes import assignment, dotted, names_read, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: functions and methods that compute, and neither warn nor fail but for shapes that do not fit
PLAIN: Final = words("""
    abs absolute all amax amin any argmax argmin clip count_nonzero cumsum flip isfinite isinf isnan logical_and
    logical_not logical_or max maximum mean min minimum negative prod round sign sum where astype copy
""")
#: give the dtype of the array that they are given
KEEP_DTYPE: Final = words("abs absolute flip negative copy")
SIGNS: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
CAVEAT: Final = (
    "Both sides are computed, the condition must be one number, and what is chosen is a new array, "
    "also where it used to be a number of NumPy's."
)


class Store(NamedTuple):
    """One statement of a branch: what is stored where."""

    target: ast.expr
    value: ast.expr
    sign: str  #: of an augmented assignment


def chosen_by_numpy(node: ast.If, facts: Facts) -> Fix | None:
    """Store always, what `np.where` chooses; None if the branches do anything else."""
    test, negated = node.test, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negated = test.operand, True
    numpy = name_of("numpy", facts.source.tree)
    if facts.kinds(test) != NDARRAY or numpy is None or is_local(numpy, node, facts):
        return None
    then, other = ([_store(each, facts) for each in block] for block in (node.body, node.orelse))
    pairs = _pairs([each for each in then if each], [each for each in other if each])
    if not all((*then, *other)) or pairs is None or not _is_independent(test, pairs):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        condition = f"{numpy}.logical_not({site.argument(test)})" if negated else site.argument(test)
        lines = [_line(site, numpy, condition, *pair, site.room(node)) for pair in pairs]
        return (site.replace(node, "\n".join(lines)),)

    return Fix("Choose with `np.where`", Applicability.UNSAFE, edits, CAVEAT)


def _pairs(then: list[Store], other: list[Store]) -> list[tuple[Store | None, Store | None]] | None:
    """The stores of both branches, paired by place; None if a branch stores twice in one place."""
    places = [ast.dump(each.target) for each in then], [ast.dump(each.target) for each in other]
    if any(len(set(each)) < len(each) for each in places):
        return None
    left = [each for each in other if ast.dump(each.target) not in places[0]]
    matching = {ast.dump(each.target): each for each in other}
    pairs: list[tuple[Store | None, Store | None]] = [(each, matching.get(ast.dump(each.target))) for each in then]
    return [*pairs, *((None, each) for each in left)]


def _is_independent(test: ast.expr, pairs: list[tuple[Store | None, Store | None]]) -> bool:
    """True if no value reads what was stored before it, and the test reads nothing that is stored."""
    done: list[ast.expr] = []
    for pair in pairs:
        found = [each for each in pair if each is not None]
        again = [test] if len(pairs) > 1 else []
        if any(_reads(each, stored) for each in (*again, *(each.value for each in found)) for stored in done):
            return False
        done.append(found[0].target)
    return len(pairs) == 1 or not any(isinstance(each, ast.Call | ast.NamedExpr) for each in walk(test))


def _reads(node: ast.expr, stored: ast.expr) -> bool:
    owner = stored.value if isinstance(stored, ast.Subscript) else stored
    return (dotted(owner) or "") in names_read(node)


def _store(statement: ast.stmt, facts: Facts) -> Store | None:
    """The statement as a store into an array, or into a name that holds one; None for any other."""
    parts = assignment(statement)
    if parts is None:
        return None
    op = parts.augmented.op if parts.augmented is not None else None
    if (op is not None and type(op) not in SIGNS) or not _is_plain(parts.value, facts):
        return None
    match parts.target:
        case ast.Subscript(value=owner, slice=index) if facts.kinds(owner) == NDARRAY and _is_fixed(index, facts):
            return Store(parts.target, parts.value, SIGNS[type(op)] if op else "") if dotted(owner) else None
        case ast.Name(id=name) if (
            op is None and _keeps(parts.value, name, facts) and not _changes_after(name, statement, facts)
        ):
            return Store(parts.target, parts.value, "")
    return None


def _changes_after(name: str, statement: ast.stmt, facts: Facts) -> bool:
    """True if the array may be changed in place after the statement: others would not see that on a new array."""
    if is_in_loop(statement, facts):
        return True
    function = facts.function(statement)
    later = [] if function is None else [each for each in walk_function(function) if _row(each) > statement.lineno]
    return any(name in changed_paths(each, facts) for each in later)


def _row(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _keeps(node: ast.expr, name: str, facts: Facts) -> bool:
    """True if the value is the array of that name with other elements and the same dtype."""
    match node:
        case ast.Name(id=found):
            return found == name and facts.kinds(node) == NDARRAY
        case ast.BinOp(left=left, right=ast.Constant(value=int())) if type(node.op) in SIGNS:
            return _keeps(left, name, facts)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _keeps(operand, name, facts)
        case ast.Call(func=ast.Attribute(attr=attr), args=[given], keywords=[]):
            return attr in KEEP_DTYPE and _is_numpy(node, facts) and _keeps(given, name, facts)
    return False


def _is_plain(node: ast.expr, facts: Facts) -> bool:
    """True if it does no harm to compute the value where the original does not."""
    match node:
        case _ if is_number(node, facts):
            return dotted(node) is not None or isinstance(node, ast.Constant | ast.UnaryOp | ast.Subscript)
        case ast.Name():
            return facts.kinds(node) == NDARRAY
        case ast.BinOp(left=left, op=op, right=right):
            const = facts.value(right).const
            divides = isinstance(op, ast.Div) and isinstance(const, int | float) and const != 0
            return (type(op) in SIGNS or divides) and _is_plain(left, facts) and _is_plain(right, facts)
        case ast.UnaryOp(op=ast.USub() | ast.Invert(), operand=operand):
            return _is_plain(operand, facts)
        case ast.Compare(left=left, comparators=[right]):
            return _is_plain(left, facts) and _is_plain(right, facts)
        case ast.Subscript(value=value, slice=index):
            return _is_plain(value, facts) and _is_whole(index, facts)
        case ast.Call(args=args) if _is_numpy(node, facts):
            method = isinstance(node.func, ast.Attribute) and facts.kinds(node.func.value) == NDARRAY
            given = [*([node.func.value] if method and isinstance(node.func, ast.Attribute) else []), *args]
            others = all(isinstance(each.value, ast.Constant | ast.Attribute) for each in node.keywords)
            return others and all(_is_plain(each, facts) for each in given)
    return False


def _is_numpy(node: ast.Call, facts: Facts) -> bool:
    owner, _, last = (facts.resolve(node.func) or "").rpartition(".")
    return owner in ("numpy", "numpy.ndarray") and last in PLAIN and all(each.arg != "out" for each in node.keywords)


def _is_fixed(index: ast.expr, facts: Facts) -> bool:
    """True for an index of plain numbers and slices of them."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    bounds = [
        bound
        for part in parts
        for bound in ((part.lower, part.upper, part.step) if isinstance(part, ast.Slice) else (part,))
    ]
    return all(each is None or isinstance(each, ast.Name | ast.Constant | ast.UnaryOp) for each in bounds) and all(
        each is None or is_number(each, facts) for each in bounds
    )


def _is_whole(index: ast.expr, facts: Facts) -> bool:
    """True for an index of slices: those are never out of range."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(isinstance(each, ast.Slice) for each in parts) and _is_fixed(index, facts)


def _line(site: Site, numpy: str, test: str, then: Store | None, other: Store | None, room: int) -> str:
    given = [each for each in (then, other) if each is not None]
    target = site.code(given[0].target)
    values = [_value(site, each, target) if each is not None else target for each in (then, other)]
    return f"{target} = {call(f'{numpy}.where', [test, *values], room - len(target) - 3)}"


def _value(site: Site, found: Store, target: str) -> str:
    return f"{target} {found.sign} {site.operand(found.value)}" if found.sign else site.argument(found.value)
