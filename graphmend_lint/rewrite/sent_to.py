"""Which experts a loop goes over: all of them, or those that rows are sent to, found by `nonzero`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import BOOL, CONTAINER, DATA, MODULE, SYMINT, TENSOR
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.shapes import dotted, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

ONE_HOT: Final = frozenset({"torch.nn.functional.one_hot", "torch._C._nn.one_hot"})
#: keep the elements as they are, in another order
MOVES: Final = frozenset({"torch.Tensor.permute", "torch.Tensor.transpose", "torch.permute", "torch.transpose"})
FLAT: Final = frozenset({"torch.Tensor.flatten", "torch.Tensor.view", "torch.Tensor.reshape", "torch.Tensor.squeeze"})
FINDS: Final = frozenset({"torch.nonzero", "torch.Tensor.nonzero", "torch.argwhere", "torch.Tensor.argwhere"})
ABOVE: Final = frozenset({"torch.greater", "torch.gt", "torch.Tensor.greater", "torch.Tensor.gt", "torch.ne"})
COUNTS: Final = frozenset(
    f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("sum", "any", "count_nonzero")
)
DIMENSIONS: Final = ({-1, -2}, {1, 2})


class Hits(NamedTuple):
    """How a loop gets its experts."""

    mask: ast.expr  #: of one expert
    masks: ast.expr | None  #: of all, if the loop is over those that are hit: it will be over all
    place: ast.expr  #: where those that are hit are found


def hits(loop: ast.For, mask: ast.expr, facts: Facts) -> Hits | None:
    """How the loop gets its experts; None if it may leave out some that rows are sent to."""
    node, element = _not_listed(loop.iter, facts), facts.value(loop.iter).element
    if facts.kinds(node) != TENSOR and (element is None or not element.kinds & DATA):
        return Hits(mask, None, loop.iter) if not facts.kinds(loop.iter) & ~(CONTAINER | MODULE | SYMINT) else None
    found = _of_one(mask, loop)
    if not isinstance(loop.target, ast.Name) or found is None or not _only_picks(loop.target.id, loop, found, facts):
        return None
    if isinstance(found.value, ast.Name) and changed_later(found.value.id, loop, facts):
        return None
    place = loop.iter
    while isinstance(node, ast.Name):
        given = definition(node, facts).value
        statement = statement_of(given, facts) if given is not None else None
        if given is None or statement is None or changed_later(node.id, node, facts):
            return None
        if place is loop.iter and loads_of(node.id, statement, facts) == [node]:
            place = given
        node = _not_listed(given, facts)
    return Hits(found, found.value, place) if _finds(node, found.value, facts) else None


def _not_listed(node: ast.expr, facts: Facts) -> ast.expr:
    """The tensor of `tensor.tolist()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor)) if facts.resolve(node.func) == "torch.Tensor.tolist":
            return tensor
    return node


def _of_one(mask: ast.expr, loop: ast.For) -> ast.Subscript | None:
    """`masks[expert]` of `masks[expert].squeeze(0)`."""
    match mask:
        case ast.Call(func=ast.Attribute(value=inner, attr="squeeze"), args=[ast.Constant(value=0)], keywords=[]):
            mask = inner
    match mask, loop.target:
        case ast.Subscript(value=ast.Name(), slice=ast.Name(id=index)), ast.Name(id=name) if index == name:
            return mask
    return None


def _only_picks(name: str, loop: ast.For, mask: ast.Subscript, facts: Facts) -> bool:
    """True if the number of the expert is only used as an index into the masks and into modules."""
    function = facts.function(loop)
    names = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function is not None else []
    for each in (each for each in names if each.id == name and each is not loop.target):
        above = facts.parent(each)
        if not isinstance(above, ast.Subscript) or above.slice is not each:
            return False
        if above is not mask and facts.kinds(above.value) != MODULE:
            return False
    return True


def _finds(node: ast.expr, masks: ast.expr, facts: Facts) -> bool:
    """True if the expression finds every expert that has a row: `(masks.sum(dim=(-1, -2)) > 0).nonzero()`."""
    if isinstance(node, ast.Call) and facts.resolve(node.func) in FLAT and isinstance(node.func, ast.Attribute):
        return _finds(node.func.value, masks, facts)
    match node:
        case ast.Subscript(value=ast.Call(keywords=[ast.keyword(arg="as_tuple")]) as call, slice=ast.Constant(value=0)):
            return facts.resolve(call.func) in FINDS and _has_row(_first(call, facts), masks, facts)
        case ast.Call(keywords=[]):
            return facts.resolve(node.func) in FINDS and _has_row(_first(node, facts), masks, facts)
    return False


def _has_row(tested: ast.expr | None, masks: ast.expr, facts: Facts) -> bool:
    """True for a test which experts have a row: `masks.sum(dim=(-1, -2)) > 0`."""
    match tested:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            tested = left
        case ast.Call() if facts.resolve(tested.func) in ABOVE and ast.unparse(tested.args[-1]) == "0":
            tested = _first(tested, facts)
    tested = definition(tested, facts).value if isinstance(tested, ast.Name) else tested
    if not isinstance(tested, ast.Call) or facts.resolve(tested.func) not in COUNTS:
        return False
    counted = _first(tested, facts)
    of_them = counted is not None and dotted(counted) is not None and dotted(counted) == dotted(masks)
    return of_them and _dimensions(tested) in DIMENSIONS and _is_not_negative(masks, facts)


def _first(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The receiver of a method, or the first argument of a function."""
    if isinstance(node.func, ast.Attribute) and (facts.resolve(node.func) or "").startswith("torch.Tensor."):
        return node.func.value
    return node.args[0] if node.args else None


def _dimensions(node: ast.Call) -> set[int] | None:
    given = [each.value for each in node.keywords if each.arg in ("dim", "axis")] or node.args[-1:]
    try:
        found = ast.literal_eval(given[0]) if given else None
    except ValueError:
        return None
    return set(found) if isinstance(found, tuple | list) else None


def _is_not_negative(node: ast.expr, facts: Facts) -> bool:
    """True if the masks hold bools, or zeros and ones."""
    if facts.value(node).traits & BOOL:
        return True
    found = definition(node, facts).value if isinstance(node, ast.Name) else node
    if not isinstance(found, ast.Call):
        return False
    name = facts.resolve(found.func)
    given = _first(found, facts)
    return name in ONE_HOT or (name in MOVES and given is not None and _is_not_negative(given, facts))
