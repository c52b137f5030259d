"""A loop that tests each element of a tensor, and stores one: all elements at once.

`for i in range(len(x)): if x[i] > 0: y[i] = x[i] * 2` becomes `y = torch.where(x > 0, x * 2, y)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.effects import NAN_GRADIENT, OVERFLOWS
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import CONCRETE, FLOATS, is_number, meta, words
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.branches import WRITTEN
from graphmend_lint.rewrite.comparison import ROUNDED
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.select import where
from graphmend_lint.rewrite.stores import is_private
from graphmend_lint.rewrite.template import ONE_LINE, call
from graphmend_lint.rewrite.term import COMPARISONS, Code
from graphmend_lint.shapes import dotted, names_bound, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Select all elements at once"
CAVEAT: Final = (
    "Tensors must have as many dimensions as there are indices, and values are computed for all elements; "
    "the gradient of an element that is not chosen is zero."
)
OPERATORS: Final = (ast.Add, ast.Sub, ast.Mult)
DIVIDES: Final = (ast.Div, ast.Pow)


@dataclass
class Elements:
    """A loop over all elements of a tensor, or two, one inside the other."""

    facts: Facts
    loop: ast.For
    tensor: ast.expr  #: the one whose elements are counted
    index: tuple[str, ...] = ()  #: the names that count
    names: dict[str, ast.expr] = field(default_factory=dict)  #: names of an element, and its tensor
    hazard: bool = False  #: a gradient may be NaN
    typed: bool = True  #: all values are proven to have the dtype of the tensor that they are stored in
    read: bool = False  #: elements are compared as Python's numbers

    def whole(self, node: ast.expr) -> ast.expr | None:
        """The tensor whose element at this place the expression is; None if it is no such element."""
        match node:
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Subscript(value=base, slice=index) if self._is_here(index):
                return base if self._fits(base) else None
            case ast.Subscript(value=ast.Subscript(value=base, slice=ast.Name(id=first)), slice=ast.Name(id=second)):
                return base if (first, second) == self.index and self._fits(base) else None
        return None

    def _is_here(self, index: ast.expr) -> bool:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        return tuple(each.id if isinstance(each, ast.Name) else "" for each in parts) == self.index

    def _fits(self, base: ast.expr) -> bool:
        """True for a tensor that is proven to have the shape of the one that is counted."""
        path, facts = dotted(base), self.facts
        if path is None or facts.kinds(base) != TENSOR:
            return False
        shape, counted = meta(base, facts).shape, meta(self.tensor, facts).shape
        return path == dotted(self.tensor) or (shape is not None and shape == counted)

    # Expressions of elements, as expressions of tensors

    def value(self, node: ast.expr) -> Code | None:
        """The expression for all elements; None unless it is plain arithmetic of elements and numbers."""
        return self._written(node) if self._is_plain(node) else None

    def _written(self, node: ast.expr) -> Code:
        places = dict(self._elements(node))
        return lambda site: site.code(node, {each: site.code(tensor) for each, tensor in places.items()})

    def _elements(self, node: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
        """The elements in an expression, each with its tensor."""
        tensor = self.whole(node)
        if tensor is not None:
            yield node, tensor
        for child in () if tensor is not None else ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._elements(child)

    def _is_plain(self, node: ast.expr) -> bool:
        if is_number(node, self.facts):
            return not self._counts(node)
        if self.whole(node) is not None:
            return True
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._is_plain(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._may_operate(op, right) and self._is_plain(left) and self._is_plain(right)
            case ast.Call():
                return self._is_function(node)
        return False

    def _counts(self, node: ast.expr) -> bool:
        return any(isinstance(each, ast.Name) and each.id in self.index for each in walk(node))

    def _may_operate(self, op: ast.operator, right: ast.expr) -> bool:
        divisor = self.facts.value(right).const
        self.hazard |= isinstance(op, DIVIDES) and not (isinstance(divisor, int | float) and divisor > 0)
        return isinstance(op, (*OPERATORS, *DIVIDES))

    def _is_function(self, node: ast.Call) -> bool:
        """True for `torch.exp(x[i])`, `x[i].exp()`: functions of one element and numbers."""
        name = self.facts.resolve(node.func) or ""
        entry, last = torch_api.function(name) if name.startswith("torch.") else None, name.rpartition(".")[2]
        if entry is None or not entry.pure or entry.random or node.keywords or last not in ALONE:
            return False
        method = node.func.value if name.startswith(torch_api.METHOD) and isinstance(node.func, ast.Attribute) else None
        given, *rest = node.args if method is None else [method, *node.args]
        self.hazard |= last in NAN_GRADIENT or last in OVERFLOWS
        return self._is_plain(given) and all(is_number(each, self.facts) and not self._counts(each) for each in rest)

    def added(self, target: ast.Subscript, op: ast.operator, value: ast.expr) -> Code | None:
        """`x[i] += value` as a value."""
        if not self._may_operate(op, value) or not self._is_plain(value) or (tensor := self.whole(target)) is None:
            return None
        code, loose = self._written(value), isinstance(value, ast.BinOp | ast.UnaryOp)
        return lambda site: f"{site.code(tensor)} {SIGNS[type(op)]} " + (f"({code(site)})" if loose else code(site))

    def mask(self, node: ast.expr) -> Code | None:
        """The test of all elements, in parentheses or otherwise one operand."""
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = [self.mask(each) for each in values]
                known, sign = [each for each in parts if each is not None], " & " if isinstance(op, ast.And) else " | "
                if len(known) < len(parts):
                    return None
                return lambda site: f"({sign.join(each(site) for each in known)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.mask(operand)
                return None if inner is None else lambda site: f"~{inner(site)}"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                a, b, sign = self.side(left), self.side(right), COMPARISONS[type(op)]
                if a is None or b is None or not (self._has_element(left) or self._has_element(right)):
                    return None
                return lambda site: f"({a(site)} {sign} {b(site)})"
        tensor = self.whole(node)
        if tensor is None:
            return None
        is_bool = bool(self.facts.value(tensor).traits & BOOL) or meta(tensor, self.facts).is_bool
        return lambda site: site.code(tensor) if is_bool else f"({site.code(tensor)} != 0)"

    def side(self, node: ast.expr) -> Code | None:
        """One side of a comparison; an element may be read there."""
        match node:
            case ast.Call(func=ast.Attribute(attr="item", value=inner), args=[]) if self.whole(inner) is not None:
                self.read = True
                return self.value(inner)
        return self.value(node)

    def _has_element(self, node: ast.expr) -> bool:
        return any(isinstance(each, ast.expr) and self.whole(each) is not None for each in walk(node))


SIGNS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
#: functions that look at each element alone
ALONE: Final = words("""
    abs absolute neg negative sign square exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan sinh
    cosh tanh asin acos atan sigmoid relu relu6 silu gelu softplus elu selu celu mish leaky_relu hardtanh hardsigmoid
    hardswish floor ceil round trunc frac clamp clip clamp_min clamp_max erf erfc lgamma pow
""")


def all_at_once(node: ast.If, facts: Facts) -> Fix | None:
    """The selection that stands for the loop around `node`; None if the loop does more than that."""
    found = _elements(node, facts)
    torch = torch_name(facts, node)
    if found is None or torch is None:
        return None
    stored: list[ast.Subscript] = []
    chosen = _chosen(node, found, torch, stored)
    target = found.whole(stored[0]) if stored else None
    if chosen is None or target is None or not all(same(each.value, stored[0].value) for each in stored):
        return None
    private = isinstance(target, ast.Name) and is_private(target.id, node, facts)
    own = private and found.typed
    hazard = found.hazard and not no_grad(node, facts)
    if hazard or not _is_alone(target, node, found, private) or _is_read_behind(found):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        path, room = site.code(target), site.room(found.loop)
        if own:
            return (site.replace(found.loop, f"{path} = {chosen(site, room - len(path) - 3)}"),)
        line = f"{path}.copy_({chosen(site, ONE_LINE)})"
        if len(line) > room:
            line = call(f"{path}.copy_", [chosen(site, room - 4)], 0)
        return (site.replace(found.loop, line),)

    caveats = [CAVEAT, *([] if own else [WRITTEN]), *([ROUNDED] if found.read else [])]
    return Fix(TITLE, Applicability.UNSAFE, edits, " ".join(caveats), ("torch",))


def _elements(node: ast.If, facts: Facts) -> Elements | None:
    """The loop, or the two, of which `node` is the body."""
    inner, found = facts.parent(node), None
    if not isinstance(inner, ast.For) or inner.orelse or inner.body[-1] is not node:
        return None
    outer = facts.parent(inner)
    if isinstance(outer, ast.For) and outer.body == [inner] and not outer.orelse:
        found = _nested(outer, inner, facts)
    found = found or _counted(inner, facts)
    if found is None:
        return None
    for each in inner.body[:-1]:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (tensor := found.whole(value)) is not None:
                found.names[name] = tensor
            case _:
                return None
    return found


def _counted(loop: ast.For, facts: Facts) -> Elements | None:
    """`for i in range(len(x))`, or `for i, v in enumerate(x)`."""
    match loop.target, loop.iter:
        case ast.Name(id=index), ast.Call(args=[length], keywords=[]) if _is(loop.iter, "range", facts):
            tensor = _length_of(length, 0, facts)
            return None if tensor is None else Elements(facts, loop, tensor, (index,))
        case ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=name)]), ast.Call(args=[tensor], keywords=[]) if (
            _is(loop.iter, "enumerate", facts) and facts.kinds(tensor) == TENSOR and dotted(tensor) is not None
        ):
            return Elements(facts, loop, tensor, (index,), {name: tensor})
    return None


def _nested(outer: ast.For, inner: ast.For, facts: Facts) -> Elements | None:
    """`for i in range(x.shape[0]): for j in range(x.shape[1]):`"""
    match outer.target, outer.iter, inner.target, inner.iter:
        case ast.Name(id=i), ast.Call(args=[rows]), ast.Name(id=j), ast.Call(args=[columns]) if _is(
            outer.iter, "range", facts
        ) and _is(inner.iter, "range", facts):
            first, second = _length_of(rows, 0, facts), _length_of(columns, 1, facts)
            plain = first is not None and second is not None and same(first, second)
            return Elements(facts, outer, first, (i, j)) if plain and first is not None else None
    return None


def _is(node: ast.expr, name: str, facts: Facts) -> bool:
    return isinstance(node, ast.Call) and facts.resolve(node.func) == f"builtins.{name}"


def _length_of(node: ast.expr, dimension: int, facts: Facts) -> ast.expr | None:
    """The tensor whose length along a dimension this is."""
    found: ast.expr | None = None
    match node:
        case ast.Call(func=ast.Name(), args=[tensor]) if dimension == 0 and _is(node, "len", facts):
            found = tensor
        case ast.Subscript(value=ast.Attribute(value=tensor, attr="shape"), slice=ast.Constant(value=at)):
            found = tensor if at == dimension else None
        case ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[ast.Constant(value=at)]):
            found = tensor if at == dimension else None
    return found if found is not None and facts.kinds(found) == TENSOR and dotted(found) is not None else None


Chosen = Callable[["Site", int], str]  #: the code, for so much room on its line


def _chosen(node: ast.If, found: Elements, torch: str, stored: list[ast.Subscript]) -> Chosen | None:
    """The selection that a chain of `if`, `elif` and `else` makes; where it stores is added to `stored`."""
    test, then = found.mask(node.test), _stored(node.body, found, stored)
    other = _otherwise(node.orelse, found, torch, stored)
    if test is None or then is None or other is None:
        return None

    def code(site: Site, room: int) -> str:
        asked = test(site)
        asked = asked[1:-1] if isinstance(node.test, ast.Compare | ast.BoolOp) else asked
        return where(torch, asked, then(site), other(site, ONE_LINE), room)

    return code


def _otherwise(block: list[ast.stmt], found: Elements, torch: str, stored: list[ast.Subscript]) -> Chosen | None:
    match block:
        case []:
            return lambda site, room: site.code(found.whole(stored[0]) or stored[0].value)
        case [ast.If() as nested]:
            return _chosen(nested, found, torch, stored)
    value = _stored(block, found, stored)
    return None if value is None else lambda site, room: value(site)


def _stored(block: list[ast.stmt], found: Elements, stored: list[ast.Subscript]) -> Code | None:
    """The value of the one store that a block is."""
    match block:
        case [ast.Assign(targets=[ast.Subscript() as target], value=value)] if _agrees(value, target, found):
            stored.append(target)
            return found.value(value)
        case [ast.AugAssign(target=ast.Subscript() as target, op=op, value=value)] if _agrees(value, target, found):
            stored.append(target)
            return found.added(target, op, value)
    return None


def _agrees(value: ast.expr, target: ast.Subscript, found: Elements) -> bool:
    """True if nothing speaks against the value having the dtype of the tensor that it is stored in."""
    tensor, facts = found.whole(target), found.facts
    if tensor is None:
        return False
    own, given = meta(tensor, facts).dtype, meta(value, facts).dtype
    if is_number(value, facts):
        kind = type(facts.value(value).const)
        found.typed &= (
            own in FLOATS or (kind is int and own in CONCRETE - {"bool"}) or (kind is bool and own is not None)
        )
        return kind in (int, bool) or own not in CONCRETE - FLOATS
    found.typed &= own is not None and own == given
    return own == given or not {own, given} & CONCRETE


def _is_alone(target: ast.expr, node: ast.If, found: Elements, own: bool) -> bool:
    """True if no other tensor that the loop reads can share memory with the one that is stored in."""
    read = [found.whole(each) for each in walk(node) if isinstance(each, ast.expr)]
    return own or all(each is None or same(each, target) for each in read)


def _is_read_behind(found: Elements) -> bool:
    """True if a name that the loop sets is read outside of it."""
    function = found.facts.function(found.loop)
    inside = {id(each) for each in walk(found.loop)}
    outside = [] if function is None else [each for each in walk(function) if id(each) not in inside]
    loads = {each.id for each in outside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    return bool(loads & names_bound([found.loop]))
