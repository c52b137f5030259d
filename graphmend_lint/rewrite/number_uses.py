"""Where a number that was read from a tensor goes, and whether a 0-dim tensor serves in each of these places."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import FLOATS, is_number, meta, words
from graphmend_lint.facts.values import FLOATING, INTEGRAL, MISSING, SCALAR, TENSOR
from graphmend_lint.rewrite.loads import all_loads
from graphmend_lint.rewrite.loads import loads_of as loads_of
from graphmend_lint.rewrite.number_places import MATH_CAVEAT, ROUNDED, Place, applied, bounded, picked, scaled, window

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 8  #: names and operations that a number is followed through
#: by function, where a 0-dim tensor may stand: position (the receiver of a method counts) or keyword
OPERANDS: Final[dict[str, frozenset[int | str]]] = {
    **dict.fromkeys(words("add sub subtract mul multiply div divide true_divide"), frozenset({1, "other"})),
    **dict.fromkeys(words("add_ sub_ mul_ div_"), frozenset({1, "other"})),
    **dict.fromkeys(words("eq ne lt le gt ge"), frozenset({1, "other"})),
    **dict.fromkeys(words("clamp clip"), frozenset({1, 2, "min", "max"})),
    **dict.fromkeys(words("masked_fill masked_fill_"), frozenset({2, "value"})),
    "clamp_min": frozenset({1, "min"}),
    "clamp_max": frozenset({1, "max"}),
    "fill_": frozenset({1, "value"}),
    "where": frozenset({1, 2, "input", "other"}),
}
#: functions that fill a new tensor with the number
FILLS: Final[dict[str, frozenset[int | str]]] = {
    "full": frozenset({1, "fill_value"}),
    "full_like": frozenset({1, "fill_value"}),
    "new_full": frozenset({2, "fill_value"}),
    "tensor": frozenset({0, "data"}),
}


@dataclass
class Uses:
    """What becomes of a number."""

    escapes: bool = False  #: somewhere it must be a Python number
    consumers: list[ast.AST] = field(default_factory=list)  #: the operations that use it up
    fills: list[tuple[ast.Call, ast.expr]] = field(default_factory=list)  #: calls that make a tensor full of it
    places: list[Place] = field(default_factory=list)  #: where other code has to stand
    kind: int = 0  #: FLOATING, INTEGRAL, or 0 if that is not known
    rounded: bool = False  #: where a tensor does as well but for the last digits
    divided: bool = False  #: by a number that may be zero
    mixed: bool = False  #: a name holds something else on other paths, so that its code must suit both
    summed: bool = False  #: it is added to such a name

    @property
    def caveat(self) -> str:
        """What may change where other code stands; empty if nothing of note does."""
        found = [each.caveat for each in self.places if each.caveat]
        found += [ROUNDED] if self.rounded else []
        first = DIVIDED if self.divided else found[0] if found else ""
        return f"{first} {MATH_CAVEAT}" if MATH_CAVEAT in found and first != MATH_CAVEAT else first

    @property
    def indexes(self) -> bool:
        """True if the number is an index somewhere, and so it is an integer."""
        return any(each.whole for each in self.places)

    def follow(self, node: ast.expr, facts: Facts) -> None:
        """Add the uses of the number that an expression gives."""
        _follow(node, facts, self, DEPTH)

    def follow_name(self, name: str, statement: ast.stmt, facts: Facts) -> None:
        """Add the uses of the numbers that a statement binds a name to."""
        _follow_name(name, statement, facts, self, DEPTH)

    def add(self, place: Place | None) -> None:
        """Note a place where the number is used; None if no code for it takes a tensor, so that the number escapes."""
        if place is None or (place.whole and self.kind == FLOATING):
            self.escapes = True
        elif all(each.node is not place.node for each in self.places):
            self.places.append(place)
            self.consumers.append(place.node)


def uses(node: ast.expr, facts: Facts, kind: int = 0) -> Uses:
    """All uses of the number that `node` gives, through names and arithmetic."""
    found = Uses(kind=kind)
    found.follow(node, facts)
    found.escapes |= found.mixed and bool(found.places or found.fills)
    return found


def uses_of_name(name: str, statement: ast.stmt, facts: Facts, kind: int = 0) -> Uses:
    """All uses of the numbers that a statement binds a name to."""
    found = Uses(kind=kind)
    found.follow_name(name, statement, facts)
    found.escapes |= found.mixed
    return found


def is_operand(node: ast.expr, facts: Facts) -> bool:
    """True for an operand of arithmetic with a tensor that has dimensions: a 0-dim tensor serves there as well."""
    above = facts.parent(node)
    if not isinstance(above, ast.BinOp) or isinstance(above.op, ast.Pow):  # powers by a tensor are rounded otherwise
        return False
    other = above.right if above.left is node else above.left
    if isinstance(above.op, ast.Mult) and is_number(other, facts):
        return is_operand(above, facts)
    return facts.kinds(other) == TENSOR and not meta(other, facts).is_0d


def _follow(node: ast.expr, facts: Facts, found: Uses, depth: int) -> None:
    """Follow the value of an expression to where it is used up, `depth` steps at the most."""
    above = facts.parent(node)
    match above:
        case _ if not depth:
            found.escapes = True
        case ast.BinOp(left=left, op=op, right=right):
            _operation(above, right if left is node else left, op, node, facts, found, depth)
        case ast.UnaryOp(op=ast.USub()):
            _follow(above, facts, found, depth - 1)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, ORDERS):
            _consume(above, facts.kinds(right if left is node else left) == TENSOR, found)
        case ast.AugAssign(target=ast.Name() as target, op=op) if isinstance(op, ARITHMETIC):
            if facts.kinds(target) == TENSOR or not isinstance(op, ast.Add | ast.Sub | ast.Mult):
                _consume(above, facts.kinds(target) == TENSOR, found)
            else:
                found.summed = True
                _follow_shared_name(target.id, above, facts, found, depth)
        case ast.Assign(targets=[ast.Name(id=name)]):
            _follow_name(name, above, facts, found, depth)
        case ast.Subscript(slice=index) if index is node:
            found.add(picked(node, above, facts))
        case ast.Tuple() if isinstance(around := facts.parent(above), ast.Subscript) and around.slice is above:
            found.add(picked(node, around, facts))
        case ast.Slice():
            found.add(window(above, facts))
        case ast.Call(func=ast.Name(), args=args) if node in args and (
            place := bounded(above, node, _kind(node, found), facts, orders=found.kind == INTEGRAL)
        ):
            found.places.append(place)
            _follow(above, facts, found, depth - 1)
        case ast.Call() if place := applied(above, node, facts):
            found.places.append(place)
            _follow(above, facts, found, depth - 1)
        case ast.Call() | ast.keyword():
            _argument(node, above, facts, found)
        case _:
            found.escapes = True


def _kind(node: ast.expr, found: Uses) -> int:
    """The kind of number that an expression makes of the one that was read."""
    return FLOATING if any(isinstance(each, ast.Div) for each in ast.walk(node)) else found.kind


DIVIDED: Final = "Division by zero gives infinity where it raised, and arithmetic is done in the tensor's precision."
ORDERS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def _consume(node: ast.AST, allowed: bool, found: Uses) -> None:
    found.consumers.append(node)
    found.escapes |= not allowed


def _operation(
    node: ast.BinOp, other: ast.expr, op: ast.operator, number: ast.expr, facts: Facts, found: Uses, depth: int
) -> None:
    """Follow `x * number`, or arithmetic of numbers."""
    if facts.kinds(other) == TENSOR:
        power = isinstance(op, ast.Pow) and _is_floating(other, facts)  # of integers, it might raise
        found.rounded |= power
        _consume(node, power or isinstance(op, ARITHMETIC), found)
        return
    plain = isinstance(op, ast.Add | ast.Sub | ast.Mult) and (is_number(other, facts) or facts.kinds(other) == SCALAR)
    const = facts.value(other).const
    halves = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and const != 0 and number is node.left
    divides = isinstance(op, ast.Div) and number is node.right
    raised = isinstance(op, ast.Pow) and number is node.right and type(const) is float and const > 0
    found.divided |= divides or (halves and const is MISSING)
    found.rounded |= raised
    if plain or ((halves or divides or raised) and is_number(other, facts)):
        _follow(node, facts, found, depth - 1)
    else:
        found.escapes = True


def _is_floating(node: ast.expr, facts: Facts) -> bool:
    dtype = meta(node, facts).dtype or ""
    return bool(facts.value(node).traits & FLOATING) or dtype in FLOATS or dtype.startswith("float(")


def _follow_name(name: str, statement: ast.stmt, facts: Facts, found: Uses, depth: int) -> None:
    loads = loads_of(name, statement, facts)
    if loads is None:
        _follow_shared_name(name, statement, facts, found, depth)
        return
    found.escapes |= not loads
    for each in loads:
        _follow(each, facts, found, depth - 1)


def _follow_shared_name(name: str, statement: ast.stmt, facts: Facts, found: Uses, depth: int) -> None:
    """Follow a name that other statements set, too: wherever it is read, a tensor must do."""
    loads = all_loads(name, statement, facts)
    if found.mixed or loads is None:
        found.escapes = True
        return
    found.mixed = True
    copied = any(isinstance(facts.parent(each), ast.Assign) for each in loads)  # it may change in place
    found.escapes |= not loads or (copied and found.summed)
    for each in loads:
        _follow(each, facts, found, depth - 1)


def _argument(node: ast.expr, above: ast.Call | ast.keyword, facts: Facts, found: Uses) -> None:
    """Follow the number into a call, as an argument or a keyword."""
    around = facts.parent(above) if isinstance(above, ast.keyword) else above
    if not isinstance(around, ast.Call) or any(isinstance(each, ast.Starred) for each in around.args):
        found.escapes = True
        return
    if isinstance(above, ast.keyword) and (product := scaled(around, above, facts)):
        found.add(product)
        return
    name = facts.resolve(around.func) or ""
    method, last = name.startswith(torch_api.METHOD), name.rpartition(".")[2]
    place: int | str | None
    place = above.arg if isinstance(above, ast.keyword) else _position(node, around, method)
    known = method or name == f"torch.{last}"
    if known and place in FILLS.get(last, ()) and (last != "tensor" or not method):
        found.fills.append((around, node))
        found.consumers.append(around)
        found.escapes |= any(word.arg in ("requires_grad", "out", None) for word in around.keywords)
    else:
        _consume(around, known and place in OPERANDS.get(last, ()) and _takes(last, around, facts), found)


def _position(node: ast.expr, call: ast.Call, method: bool) -> int | None:
    return call.args.index(node) + method if node in call.args else None


def _takes(name: str, call: ast.Call, facts: Facts) -> bool:
    """True if the call takes a tensor for this argument, given what its other arguments are."""
    method = (facts.resolve(call.func) or "").startswith(torch_api.METHOD)
    given = [*([call.func.value] if method and isinstance(call.func, ast.Attribute) else []), *call.args]
    if name == "where":
        return method or (len(given) == 3 and any(facts.kinds(each) == TENSOR for each in given[1:]))
    if name in ("clamp", "clip") and len(given) + len(call.keywords) != 2:
        return False
    return bool(given) and facts.kinds(given[0]) == TENSOR
