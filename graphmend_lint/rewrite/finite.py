"""Branches that test for NaN or infinity: computing both sides may turn a gradient into NaN.

The side that is not taken is given a gradient of zero. Zero stays zero through sums, copies and the like. Any other
operation may multiply it by a value that is not finite, and that is NaN. So both sides must pass the same operations.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import is_number, words
from graphmend_lint.facts.reaching import Definition, definition, definition_at
from graphmend_lint.facts.values import BOOL, CONTAINER, INTEGRAL, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.derived_from import CUTS, derived_from
from graphmend_lint.rewrite.limits import asks_for_limits
from graphmend_lint.shapes import assignment, block_of, dotted
from graphmend_lint.syntax import children, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: kinds of values that a gradient may pass through
CARRIES: Final = TENSOR | CONTAINER | UNKNOWN
DEPTH: Final = 5
RETURNED: Final = ""
#: functions whose gradient is zero where they are given zero, whatever their arguments are
KEEP_ZERO: Final = words("""
    sum mean view view_as reshape reshape_as flatten unflatten transpose permute movedim t squeeze unsqueeze expand
    expand_as repeat contiguous clone to type type_as float half double bfloat16 cpu cuda narrow select index_select
    gather split chunk cat concat stack clamp clip clamp_min clamp_max nan_to_num masked_fill where relu neg add sub
    item tolist
""")
#: a place that a gradient passes: the path of a tensor, or an operation
Place = str | ast.AST

SPREADS: Final = Refusal(
    "nan-gradient", "what is not finite passes its gradient, NaN times zero, to the side that is not taken"
)


def spreads(node: ast.If | ast.IfExp, facts: Facts) -> Refusal | None:
    """Why both sides cannot be computed, if only one of them depends on what is tested for NaN or infinity."""
    tested = _tested(node.test, facts, DEPTH)
    if not tested or no_grad(node, facts):
        return None
    if isinstance(node, ast.IfExp):
        return SPREADS if _places(node.body, tested, facts) != _places(node.orelse, tested, facts) else None
    then, other = _given(node.body), _given(node.orelse)
    if RETURNED in then.keys() ^ other.keys():
        (other if RETURNED in then else then).update(_given(_rest(node, facts)))
    for name in then.keys() | other.keys():
        if not any(_carries(given[name], facts) for given in (then, other) if name in given):
            continue
        sides = [_side(name, given, node, tested, facts) for given in (then, other)]
        if sides[0] != sides[1]:
            return SPREADS
    return None


def _carries(value: ast.AST, facts: Facts) -> bool:
    return not isinstance(value, ast.expr) or bool(facts.kinds(value) & CARRIES)


def _side(name: str, given: dict[str, ast.AST], node: ast.If, tested: set[str], facts: Facts) -> set[Place]:
    """The places that a gradient of the name passes after one side. What the side does not set keeps its value."""
    if name in given:
        return _places(given[name], tested, facts)
    if name in tested:
        return {name}
    return _of_name(name, definition_at(name, node, facts), tested, facts, DEPTH) if name else set()


def _of_name(name: str, given: Definition, tested: set[str], facts: Facts, depth: int) -> set[Place]:
    """The same for the value of a name. If a loop or unpacking gave it, it may depend on anything."""
    if given.value is None:
        return {name} if given.row > 0 else set()
    return _places(given.value, tested, facts, depth - 1) if depth else {name}


def _rest(node: ast.If, facts: Facts) -> list[ast.stmt]:
    parent = facts.parent(node)
    block = block_of(node, parent) if parent is not None else []
    return block[block.index(node) + 1 :] if block else []


def _given(block: list[ast.stmt]) -> dict[str, ast.AST]:
    """The values that statements give to names, and the one that they return."""
    found: dict[str, ast.AST] = {}
    for statement in block:
        parts, path = assignment(statement), None
        if isinstance(statement, ast.Return) and statement.value is not None:
            found[RETURNED] = statement.value
        if parts is not None and (path := dotted(parts.target)) is not None:
            found[path] = parts.augmented or parts.value
    return found


def _tested(test: ast.expr, facts: Facts, depth: int) -> set[str]:
    """Paths of the values that a test asks whether they are finite, and of those that they are computed from."""
    found = set[str]()
    for node in walk(test):
        if isinstance(node, ast.expr) and asks_for_limits(node, facts):
            for path in _paths(node):
                found |= {path, *_origins(path, node, facts)}
        elif isinstance(node, ast.Name) and depth and (given := definition(node, facts).value) is not None:
            found |= _tested(given, facts, depth - 1)
    return found


def _origins(path: str, node: ast.expr, facts: Facts) -> frozenset[str]:
    """The tensors that what is tested was computed from."""
    names = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == path]
    given = definition(names[0], facts).value if names else None
    return frozenset() if given is None else derived_from(given, facts)


def _paths(node: ast.AST) -> set[str]:
    """Names and paths that are read, but for modules and functions."""
    func = node.func if isinstance(node, ast.Call) else None
    inside = [func.value] if isinstance(func, ast.Attribute) and dotted(func.value) != "torch" else []
    arguments = [*node.args, *(word.value for word in node.keywords)] if isinstance(node, ast.Call) else []
    if func is not None:
        return {path for each in (*inside, *arguments) for path in _paths(each)}
    path = dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None
    return {path} if path is not None else {each for below in children(node) for each in _paths(below)}


def _places(value: ast.AST, tested: set[str], facts: Facts, depth: int = DEPTH) -> set[Place]:
    """The places between a value and what is tested at which a gradient of zero may not stay zero."""
    if isinstance(value, ast.Call) and _last(value) in CUTS:
        return set()
    if not _carries(value, facts):
        return set()
    path = dotted(value) if isinstance(value, ast.expr) else None
    if path is not None and path in tested:
        return {path}
    if isinstance(value, ast.Name):
        return _of_name(value.id, definition(value, facts), tested, facts, depth)
    method = [value.func.value] if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else []
    below = children(value) if not isinstance(value, ast.Call) else [*method, *value.args, *value.keywords]
    found = set[Place]().union(*(_places(each, tested, facts, depth) for each in below))
    return found if not found or _keeps_zero(value, facts) else {value}


def _keeps_zero(node: ast.AST, facts: Facts) -> bool:
    """True if a gradient of zero stays zero on its way through, even where something is NaN or infinite."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _is_steady(left, facts) or _is_steady(right, facts)
        case ast.BinOp(op=ast.Div(), right=right):
            return _is_steady(right, facts)
        case ast.AugAssign(op=ast.Mult() | ast.Div(), value=value):
            return _is_steady(value, facts)
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            return isinstance(op, ast.Add | ast.Sub)
        case ast.Call():
            return _last(node) in KEEP_ZERO
    return not isinstance(node, ast.expr) or isinstance(node, PASSED_ON)


PASSED_ON: Final = (ast.UnaryOp, ast.IfExp, ast.Subscript, ast.Tuple, ast.List, ast.Attribute, ast.Starred)


def _is_steady(node: ast.expr, facts: Facts) -> bool:
    """True for a factor that is finite and has no gradient: a number, integers, bools."""
    return is_number(node, facts) or bool(facts.value(node).traits & (BOOL | INTEGRAL))


def _last(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
