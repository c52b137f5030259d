"""Rows that a mask leaves out before the best are taken: they stay, with a score that is never among the best."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.grad_mode import maybe_no_grad, no_grad
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.rewrite.used_up import is_in_loop
from graphmend_lint.shapes import block_of, mentions, mentions_inside, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

BEST: Final = frozenset({"torch.topk", "torch.Tensor.topk"})
#: of all elements: what an element that does not count must be
REDUCED: Final = {"max": "-inf", "amax": "-inf", "min": "inf", "amin": "inf"}
SAME: Final = frozenset({"dtype", "device"})
CAVEAT: Final = (
    "Where fewer rows are left than are asked for, this used to raise, and now takes rows that the mask leaves out; "
    "scores must be floating and have one dimension, as the mask has."
)


@dataclass
class Rest:
    """Names of which a mask leaves out rows, and what is done with them."""

    mask: str
    statements: dict[str, ast.Assign]  #: `x = x[mask]`, by name
    fills: dict[str, str] = field(default_factory=dict)  #: names of scores, and what fills them

    def follow(self, facts: Facts, beyond: int) -> bool:
        """True if all that is done with the rows is to take the best."""
        function = facts.function(next(iter(self.statements.values())))
        names = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function else []
        later = [each for each in names if each.lineno > beyond]
        if any(each.id in {self.mask, *self.statements} and not isinstance(each.ctx, ast.Load) for each in later):
            return False
        loads = [each for each in later if each.id in self.statements]
        return all(self._goes(each, facts) for each in loads) and bool(self.fills)

    def _goes(self, load: ast.Name, facts: Facts) -> bool:
        """True if this load of a name only asks for its shape, takes the best, or picks rows that were found so."""
        above = facts.parent(load)
        match above:
            case ast.Attribute(attr=name) if name in SAME:
                return True
            case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if value is load:
                return self._is_place(index, facts)
            case ast.Attribute(attr=name):
                call = facts.parent(above)
            case ast.Call():
                call, name = above, (facts.resolve(above.func) or "").rpartition(".")[2]
            case _:
                return False
        if not isinstance(call, ast.Call):
            return False
        if facts.resolve(call.func) in BEST:
            return self._fill(load.id, _worst(call)) and _goes_to_rows(call, self, facts)
        alone = not call.keywords and [*call.args] == ([load] if call is above else [])
        return alone and name in REDUCED and self._fill(load.id, REDUCED[name])

    def _fill(self, name: str, value: str | None) -> bool:
        return value is not None and self.fills.setdefault(name, value) == value

    def _is_place(self, index: ast.expr, facts: Facts) -> bool:
        """True for places that `topk` found in one of the names."""
        match index:
            case (
                ast.Attribute(value=ast.Call() as call, attr="indices")
                | ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=1))
            ):
                return facts.resolve(call.func) in BEST and _scores(call, facts) in self.statements
            case ast.Name():
                return any(index in places for places in self._places(facts))
        return False

    def _places(self, facts: Facts) -> Iterator[list[ast.expr]]:
        """The loads of each name that holds such places."""
        function = facts.function(next(iter(self.statements.values())))
        for each in walk_function(function) if function is not None else ():
            if isinstance(each, ast.Call) and facts.resolve(each.func) in BEST:
                named = _named(each, facts)
                if _scores(each, facts) in self.statements and named is not None:
                    yield loads_of(named[0], named[1], facts) or []


def _scores(call: ast.Call, facts: Facts) -> str | None:
    """The name of the scores that `topk` is given."""
    method = facts.resolve(call.func) == "torch.Tensor.topk" and isinstance(call.func, ast.Attribute)
    given = call.func.value if method and isinstance(call.func, ast.Attribute) else call.args[0] if call.args else None
    return given.id if isinstance(given, ast.Name) else None


def _worst(call: ast.Call) -> str | None:
    """The score that is never among the best: "-inf", or "inf" for the smallest; None if that is not known."""
    largest = next((each.value for each in call.keywords if each.arg == "largest"), ast.Constant(True))
    plain = {each.arg for each in call.keywords} <= {"k", "largest", "sorted"} and len(call.args) < 3
    if not plain or not isinstance(largest, ast.Constant):
        return None
    return "-inf" if largest.value else "inf"


def _named(call: ast.Call, facts: Facts) -> tuple[str, ast.Assign] | None:
    """The name that gets the places, and the statement that gives it; None if there is no such name."""
    above = facts.parent(call)
    match above:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), ast.Name(id=name)])]):
            return name, above
        case ast.Attribute(attr="indices") | ast.Subscript(slice=ast.Constant(value=1)):
            around = facts.parent(above)
            match around:
                case ast.Assign(targets=[ast.Name(id=name)]):
                    return name, around
    return None


def _goes_to_rows(call: ast.Call, rest: Rest, facts: Facts) -> bool:
    """True if the places only pick rows of tensors from which the same mask has left rows out."""
    above, named = facts.parent(call), _named(call, facts)
    if named is not None:
        loads = loads_of(*named, facts)
        return loads is not None and all(_takes_rows(each, rest, facts) for each in loads)
    match above:
        case ast.Attribute(attr="values") | ast.Subscript(slice=ast.Constant(value=0)):
            return True
        case ast.Attribute(attr="indices") | ast.Subscript(slice=ast.Constant(value=1)):
            return _takes_rows(above, rest, facts)
    return False


def _takes_rows(index: ast.expr, rest: Rest, facts: Facts) -> bool:
    match facts.parent(index):
        case ast.Subscript(value=ast.Name(id=name), slice=taken, ctx=ast.Load()):
            return taken is index and name in rest.statements
    return False


def unguarded_with_worst_score(node: ast.If, facts: Facts) -> Fix | None:
    """`if not mask.all(): x = x[mask]`; None unless the rows may stay."""
    match node.test:
        case ast.UnaryOp(
            op=ast.Not(),
            operand=ast.Call(func=ast.Attribute(value=ast.Name(id=mask), attr="all"), args=[], keywords=[]),
        ) if not node.orelse:
            pass
        case _:
            return None
    return _fix(node, node.body, mask, facts)


def kept_with_worst_score(node: ast.expr, facts: Facts) -> Fix | None:
    """`x = x[mask]`; None unless the rows may stay."""
    statement = statement_of(node, facts)
    mask = _mask(statement, facts) if statement is not None else None
    parent = facts.parent(statement) if statement is not None else None
    if mask is None or parent is None or statement is None or isinstance(parent, ast.If | ast.For | ast.While):
        return None
    block = block_of(statement, parent)
    first = last = block.index(statement)
    while first and _mask(block[first - 1], facts) == mask:
        first -= 1
    while last + 1 < len(block) and _mask(block[last + 1], facts) == mask:
        last += 1
    return _fix(None, block[first : last + 1], mask, facts)


def _mask(statement: ast.stmt, facts: Facts) -> str | None:
    """`mask` of `x = x[mask]`."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Subscript(value=ast.Name(id=same) as tensor, slice=ast.Name(id=mask) as by),
        ) if name == same != mask:
            value = facts.value(by)
            is_mask = value.kinds == TENSOR and value.traits & BOOL
            return mask if is_mask and facts.kinds(tensor) == TENSOR else None
    return None


def _fix(node: ast.If | None, block: list[ast.stmt], mask: str, facts: Facts) -> Fix | None:
    """The fix for a block of `x = x[mask]`, under the `if` of `node` or without one."""
    found = {
        target.id: each
        for each in block
        if isinstance(each, ast.Assign) and _mask(each, facts) == mask
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    place = node or block[-1]
    if len(found) != len(block) or is_in_loop(place, facts):
        return None
    rest = Rest(mask, found)
    if _is_switched_off(place, facts) or any(_is_shared(name, place, facts) for name in found):
        return None
    if not rest.follow(facts, place.end_lineno or place.lineno):
        return None
    if any(_is_whole(found[name], facts) for name in rest.fills):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        lines = {name: f'{name} = {name}.masked_fill(~{mask}, float("{fill}"))' for name, fill in rest.fills.items()}
        if node is not None:
            return (site.replace(node, "\n".join(lines[name] for name in found if name in lines)),)
        return tuple(
            site.replace(each, lines[name]) if name in lines else site.remove(each) for name, each in found.items()
        )

    return Fix("Keep the rows, with a score that is never the best", Applicability.UNSAFE, edits, CAVEAT)


def _is_switched_off(place: ast.stmt, facts: Facts) -> bool:
    """True if gradients may be off here, but on where the rows are used: what is made here would have none."""
    function = facts.function(place)
    return function is not None and maybe_no_grad(place, facts) and not no_grad(function, facts)


def _is_shared(name: str, place: ast.stmt, facts: Facts) -> bool:
    """True if a function inside knows the name, or the rows are changed in place, which were copies."""
    function = facts.function(place)
    inside = function is not None and len(mentions(function, name)) != len(mentions_inside(function, name))
    return inside or changed_later(name, place, facts)


def _is_whole(statement: ast.Assign, facts: Facts) -> bool:
    """True if the scores are integers."""
    return bool(facts.value(statement.value).traits & (INTEGRAL | BOOL))
