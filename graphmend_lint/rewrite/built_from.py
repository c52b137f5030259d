"""Numbers that are read back out of a tensor which was made of a Python list: the list itself serves as well.

A function that loops over the rows of such a tensor is given the list by its callers instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import CONSTANT, CONTAINER, SYMINT, TENSOR, Value
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.callers import calls_of, given_for, is_open, parameters
from graphmend_lint.shapes import in_test, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

LEVELS: Final = 3  #: calls that a list is followed through
NUMBERS: Final = 16  #: names that hold numbers made of the elements
CAVEAT: Final = (
    "Numbers are computed in Python's precision; who calls or overrides these functions elsewhere has to go along: "
    "the list that is passed must be the one that the tensor was made of."
)
MAKERS: Final = frozenset({"torch.tensor", "torch.as_tensor"})
INTEGERS: Final = words("torch.long torch.int torch.int64 torch.int32 torch.int16 torch.short")
#: functions of torch that take a number for a tensor without dimensions, whatever the place
TAKES: Final = words("""
    arange linspace zeros ones empty full rand randn view reshape expand split narrow repeat chunk unflatten unfold
    new_zeros new_ones new_empty new_full interpolate clamp masked_fill pow roll
""")
PLAIN: Final = frozenset(f"builtins.{name}" for name in words("int float range min max abs round"))


class Loop(NamedTuple):
    """A loop over the rows of a tensor, and the names that hold a row's elements."""

    node: ast.For
    tensor: ast.Name
    elements: frozenset[str]


def from_list(node: ast.expr, facts: Facts) -> Fix | None:
    """A loop over the list that the tensor was made of, found here or in the callers; None if there is none."""
    loop, function = _loop(node, facts), facts.function(node)
    if loop is None or not isinstance(function, ast.FunctionDef) or not is_open(function):
        return None
    if not _numbers_do(loop, function, facts):
        return None
    places = list(_places(loop, function, facts))
    named = [(place, _list(place, facts, LEVELS)) for place in places]
    if not named or any(name is None for _, name in named):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return tuple(site.expression(place, name or "") for place, name in named)

    return Fix("Use the list that the tensor was made of", Applicability.UNSAFE, edits, CAVEAT)


def _loop(node: ast.expr, facts: Facts) -> Loop | None:
    """The loop over the rows of a tensor whose elements `node` uses."""
    names = {each.id for each in walk(node) if isinstance(each, ast.Name)}
    above = facts.parent(node)
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        if isinstance(above, ast.For) and (found := _rows(above, facts)) is not None and found.elements & names:
            return found
        above = facts.parent(above)
    return None


def _rows(node: ast.For, facts: Facts) -> Loop | None:
    """`for a, b in tensor`, or with `enumerate`."""
    over, target = node.iter, node.target
    match over, target:
        case ast.Call(args=[inner], keywords=[]), ast.Tuple(elts=[ast.Name(), element]) if (
            facts.resolve(over.func) == "builtins.enumerate"
        ):
            over, target = inner, element
    names = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
    elements = frozenset(each.id for each in names if isinstance(each, ast.Name))
    if not isinstance(over, ast.Name) or facts.kinds(over) != TENSOR or len(elements) != len(names) or not names:
        return None
    return Loop(node, over, elements)


# What is done with the numbers


def _numbers_do(loop: Loop, function: ast.FunctionDef, facts: Facts) -> bool:
    """True if a Python number serves wherever an element goes, and the tensor itself is only looped over."""
    used = [each for each in walk_function(function) if isinstance(each, ast.Name)]
    rest = [each for each in used if each.id == loop.tensor.id and each is not loop.tensor]
    if any(_is_looped_over(each, facts) is None for each in rest):
        return False
    loops = [loop, *(found for each in rest if (found := _is_looped_over(each, facts)) is not None)]
    names, queue = set[str](), [name for each in loops for name in each.elements]
    while queue:
        name = queue.pop()
        if name in names or len(names) >= NUMBERS:
            continue
        names.add(name)
        for load in (each for each in used if each.id == name and isinstance(each.ctx, ast.Load)):
            given = _goes(load, facts)
            if given is None:
                return False
            queue += given
    return True


def _is_looped_over(name: ast.Name, facts: Facts) -> Loop | None:
    above = facts.parent(name)
    above = facts.parent(above) if isinstance(above, ast.Call) else above
    found = _rows(above, facts) if isinstance(above, ast.For) else None
    return found if found is not None and found.tensor is name else None


def _goes(node: ast.expr, facts: Facts) -> list[str] | None:
    """The names that are given a number computed from this one; None if it goes where only a tensor will do."""
    above = facts.parent(node)
    match above:
        case ast.BinOp(left=left, right=right):
            other = right if left is node else left
            return [] if facts.kinds(other) == TENSOR and not _is_made_of_numbers(other, facts) else _goes(above, facts)
        case ast.UnaryOp():
            return _goes(above, facts)
        case ast.Slice():
            return []
        case ast.Compare():
            return [] if in_test(above, facts.parent) else None
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Call(func=called) if called is not node:
            return _goes_into(above, facts)
        case ast.keyword():
            around = facts.parent(above)
            return _goes_into(around, facts) if isinstance(around, ast.Call) else None
        case ast.Tuple() | ast.List():
            around = facts.parent(above)
            return _goes_into(around, facts) if isinstance(around, ast.Call) else None
    return None


def _goes_into(call: ast.Call, facts: Facts) -> list[str] | None:
    name = facts.resolve(call.func) or ""
    if name in PLAIN:
        return _goes(call, facts)
    return [] if name.startswith("torch.") and name.rpartition(".")[2] in TAKES else None


def _is_made_of_numbers(node: ast.expr, facts: Facts) -> bool:
    """True if the expression reads no tensor but perhaps by a plain name, which may hold an element of the loop."""
    inner = [each for each in walk(node) if isinstance(each, ast.Subscript | ast.Call | ast.Attribute)]
    return not any(facts.kinds(each) == TENSOR for each in inner if isinstance(each, ast.expr))


# Where the list comes from


def _places(loop: Loop, function: ast.FunctionDef, facts: Facts) -> Iterator[ast.expr]:
    """The expressions that the list takes the place of: what is looped over, or what every caller here passes."""
    if loop.tensor.id not in parameters(function):
        yield loop.tensor
    elif not _is_set(loop.tensor.id, function):
        yield from (
            given for call in calls_of(function, facts) if (given := given_for(call, loop.tensor.id, function, facts))
        )


def _is_set(name: str, function: ast.FunctionDef) -> bool:
    """True if the function gives the name another value, or changes what it holds."""
    return any(_touches(each, name) for each in walk_function(function))


CHANGES: Final = words("append extend insert pop remove clear sort reverse")


def _changes(attribute: str) -> bool:
    return attribute in CHANGES or attribute.endswith("_")


def _list(node: ast.expr, facts: Facts, levels: int) -> str | None:
    """The name of the list that the tensor was made of, as it is known at `node`."""
    function = facts.function(node)
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef) or not levels:
        return None
    if node.id in parameters(function):
        return None if _is_set(node.id, function) else _passed_along(node.id, function, facts, levels)
    made = definition(node, facts).value
    match made:
        case ast.Call(args=[ast.Name() as numbers]) if facts.resolve(made.func) in MAKERS and _keeps(made, facts):
            plain = _are_ints(facts.value(numbers)) and not changed_later(node.id, node, facts)
            return numbers.id if plain and _is_steady(numbers, node, function, facts) else None
    return None


def _keeps(made: ast.Call, facts: Facts) -> bool:
    """True if the tensor holds the very numbers of the list, and not rounded ones."""
    dtypes = [each.value for each in made.keywords if each.arg == "dtype"]
    others = {each.arg for each in made.keywords} - {"dtype", "device"}
    return not others and all(facts.resolve(each) in INTEGERS for each in dtypes)


def _are_ints(value: Value) -> bool:
    """True for a list of sizes, or of lists of sizes."""
    if value.kinds == CONTAINER and value.element is not None:
        return _are_ints(value.element)
    return bool(value.kinds & SYMINT) and not value.kinds & ~(SYMINT | CONSTANT)


def _is_steady(numbers: ast.Name, until: ast.Name, function: ast.FunctionDef, facts: Facts) -> bool:
    """True if the list is neither changed nor replaced after the tensor has been made, and no loop goes round it.

    `sizes = torch.tensor(sizes)` replaces it.
    """
    above: ast.AST | None = numbers
    while above is not None and above is not function:
        if isinstance(above, ast.For | ast.While):
            return False
        above = facts.parent(above)
    first = getattr(statement_of(numbers, facts), "lineno", numbers.lineno)
    later = [each for each in walk_function(function) if getattr(each, "lineno", 0) >= first]
    return until.lineno >= numbers.lineno and not any(_touches(each, numbers.id) for each in later)


def _touches(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.Attribute(value=ast.Name(id=found), attr=attr):
            return found == name and _changes(attr)
        case ast.Subscript(value=ast.Name(id=found), ctx=ast.Store() | ast.Del()):
            return found == name
    return False


def _passed_along(name: str, function: ast.FunctionDef, facts: Facts, levels: int) -> str | None:
    """The parameter to which every caller passes the list that it has made the tensor of."""
    calls = calls_of(function, facts)
    found: set[str] | None = None
    for call in calls:
        given = given_for(call, name, function, facts)
        numbers = _list(given, facts, levels - 1) if given is not None else None
        same = {each for each in parameters(function) if _is_name(given_for(call, each, function, facts), numbers)}
        found = same if found is None else found & same
    fitting = sorted(each for each in found or () if not _is_set(each, function))
    return fitting[0] if fitting else None


def _is_name(node: ast.expr | None, name: str | None) -> bool:
    return isinstance(node, ast.Name) and node.id == name
