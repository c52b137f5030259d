"""Places that take a number which was read from a tensor, and the code that takes the tensor there instead."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import is_number, meta, words
from graphmend_lint.facts.values import DATA, INTEGRAL, SYMINT, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.changes import may_change_path
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.shapes import dotted, names_read, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: the text of an expression, the number in it replaced by the tensor
Render = Callable[[ast.expr], str]
COPIED: Final = "The result is a copy of the elements, no view of the tensor; index and tensor must be on one device."
STORED: Final = "What is stored is not converted: it must have the tensor's dtype, and be on its device, as the index."
BOUND: Final = "Where the bound is taken, an integer stands where a float did."
ROUNDED: Final = "The last digits may change: the factor is rounded to the tensor's precision."
WITHIN: Final = (
    "The slice has to lie within the tensor, on the device of its bounds: it is no longer cut off at the ends, no "
    "bound counts from the end, and what it gives is a copy."
)

NOT_NEGATIVE: Final = "A bound must be on the tensor's device and not negative, which would count from the end."

#: functions of `math` that tensors have under the same name
MATH: Final = frozenset(
    f"math.{name}"
    for name in words("sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh")
)
MATH_CAVEAT: Final = (
    "The function is computed in the tensor's dtype, and gives NaN or infinity where that of `math` raises."
)


class Place(NamedTuple):
    """An expression with a number in it, and the code that takes a tensor instead."""

    node: ast.expr
    code: Callable[[Site, Render], str]
    caveat: str = ""
    whole: bool = True  #: only for integers
    imports: tuple[str, ...] = ()


def scaled(call: ast.Call, word: ast.keyword, facts: Facts) -> Place | None:
    """`torch.add(x, y, alpha=n)` as `torch.add(x, y * n)`; `addcmul(x, y, z, value=n)` alike."""
    name = facts.resolve(call.func) or ""
    last, method = name.rpartition(".")[2].removesuffix("_"), name.startswith(torch_api.METHOD)
    known = {"alpha": ("add", "sub"), "value": ("addcmul", "addcdiv")}.get(word.arg or "", ())
    if last not in known or not name.startswith("torch.") or len(call.args) <= (at := 0 if method else 1):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        return None
    factor = call.args[at]

    def code(site: Site, render: Render) -> str:
        product = f"{site.operand(factor)} * {_operand(word.value, render)}"
        given = [product if each is factor else site.argument(each) for each in call.args]
        given += [f"{each.arg}={site.code(each.value)}" for each in call.keywords if each is not word]
        return f"{site.code(call.func)}({', '.join(given)})"

    return Place(call, code, ROUNDED, whole=False) if facts.kinds(factor) == TENSOR else None


def picked(index: ast.expr, base: ast.Subscript, facts: Facts) -> Place | None:
    """`x[n]` as `x[n.reshape(1)].squeeze(0)`: an `index_select` that takes negative numbers, too."""
    parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
    at = _position(index, parts, facts)
    if at is None or facts.kinds(base.value) != TENSOR or _is_changed(base, facts):
        return None
    if at and isinstance(base.ctx, ast.Store) and not _stores_number(base, facts):
        return None  # what is stored has one dimension less, which only at the front makes no difference

    def code(site: Site, render: Render) -> str:
        given = [f"{_operand(index, render)}.reshape(1)" if each is index else site.code(each) for each in parts]
        squeezed = f".squeeze({at})" if isinstance(base.ctx, ast.Load) else ""
        return f"{site.operand(base.value)}[{', '.join(given)}]{squeezed}"

    return Place(base, code, COPIED if isinstance(base.ctx, ast.Load) or stores_alike(base, facts) else STORED)


def windowed(base: ast.Subscript, facts: Facts) -> Fix | None:
    """A rewrite of a subscript in which one slice has tensors as its bounds."""
    parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
    found = [each for each in parts if isinstance(each, ast.Slice) and not _is_plain(each, facts)]
    place = window(found[0], facts) if len(found) == 1 else None
    if place is None:
        return None
    return Fix(
        title="Index with positions instead of slicing",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(base, place.code(site, site.code)),),
        caveat=WITHIN,
        imports=place.imports,
    )


def window(part: ast.Slice, facts: Facts) -> Place | None:
    """`x[n : n + 4]` as `x[n + torch.arange(4)]`."""
    base = facts.parent(part)
    base = facts.parent(base) if isinstance(base, ast.Tuple) else base
    if not isinstance(base, ast.Subscript) or facts.kinds(base.value) != TENSOR or _is_changed(base, facts):
        return None
    parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
    length, torch = _length(part, facts), torch_name(facts, part)
    if torch is None or dotted(base.value) is None:
        return None
    if length is None or part.lower is None:
        return _covered(part, base, parts, torch, facts)
    if _position(part, parts, facts) is None:
        return None
    lower, subscript = part.lower, base

    def code(site: Site, render: Render) -> str:
        owner = site.operand(subscript.value)
        if facts.value(length).const == 1:
            places = f"{_operand(lower, render)}.reshape(1)"
        else:
            places = f"{_summand(lower, render)} + {torch}.arange({site.code(length)}, device={owner}.device)"
        return f"{owner}[{', '.join(places if each is part else site.code(each) for each in parts)}]"

    return Place(subscript, code, WITHIN, imports=("torch",))


def _covered(part: ast.Slice, base: ast.Subscript, parts: list[ast.expr], torch: str, facts: Facts) -> Place | None:
    """`x[i, :n] = 0` as `x[i, torch.arange(x.shape[1]) < n] = 0`: one number may be stored under a mask."""
    others = [each for each in parts if each is not part]
    known = all(
        (isinstance(each, ast.Slice | ast.Constant) and _is_plain(each, facts)) or _is_number(each, facts)
        for each in others
    )
    bounds = [(sign, each) for sign, each in ((">=", part.lower), ("<", part.upper)) if each is not None]
    if not known or part.step is not None or not _is_assigned_number(base, facts):
        return None
    if not all(_may_bound(each, facts) for _, each in bounds):
        return None
    at = parts.index(part) - (len(parts) if any(_is_ellipsis(each) for each in parts[: parts.index(part)]) else 0)

    def code(site: Site, render: Render) -> str:
        owner = site.operand(base.value)
        places = f"{torch}.arange({owner}.shape[{at}], device={owner}.device)"
        tests = [f"{places} {sign} {_summand(each, render)}" for sign, each in bounds]
        test = tests[0] if len(tests) == 1 else " & ".join(f"({each})" for each in tests)
        return f"{owner}[{', '.join(test if each is part else site.code(each) for each in parts)}]"

    return Place(base, code, NOT_NEGATIVE, imports=("torch",))


def _is_number(part: ast.expr, facts: Facts) -> bool:
    return not isinstance(part, ast.Slice) and is_number(part, facts)


def _is_assigned_number(base: ast.Subscript, facts: Facts) -> bool:
    match facts.parent(base):
        case ast.Assign(targets=[target], value=value) if target is base:
            return is_number(value, facts) or (facts.kinds(value) == TENSOR and meta(value, facts).is_0d)
    return False


def _may_bound(node: ast.expr, facts: Facts) -> bool:
    """True unless the bound is known to count from the end."""
    const, kinds = facts.value(node).const, facts.kinds(node)
    counts = isinstance(node, ast.UnaryOp) or (isinstance(const, int) and const < 0)
    return not counts and not kinds & UNKNOWN and (bool(kinds & DATA) or is_number(node, facts))


def bounded(call: ast.Call, number: ast.expr, kind: int, facts: Facts, *, orders: bool = False) -> Place | None:
    """`max(n, 1)` as `n.clamp(min=1)`, `abs(n)` as `n.abs()`; `orders`: the number cannot be NaN."""
    name = (facts.resolve(call.func) or "").removeprefix("builtins.")
    if call.keywords or name not in ("max", "min", "abs"):
        return None
    if name == "abs":
        return Place(call, lambda site, render: f"{_operand(number, render)}.abs()", whole=False)
    if len(call.args) != 2:
        return None
    other = call.args[1 - call.args.index(number)]
    integer = type(facts.value(other).const) is int or not facts.kinds(other) & ~SYMINT
    ordered = orders or kind == INTEGRAL or number is call.args[0]  # a NaN is given back only if it comes first
    whole = None if integer or kind not in (INTEGRAL, 0) else _whole(other, facts)
    if not is_number(other, facts) or not ordered or not (integer or kind not in (INTEGRAL, 0) or whole):
        return None
    word = {"max": "min", "min": "max"}[name]

    def code(site: Site, render: Render) -> str:
        return f"{_operand(number, render)}.clamp({word}={whole or site.code(other)})"

    return Place(call, code, whole=False, caveat=BOUND if whole else "")


def applied(call: ast.Call, number: ast.expr, facts: Facts) -> Place | None:
    """`math.sqrt(n)` as `n.sqrt()`."""
    name = facts.resolve(call.func) or ""
    if name not in MATH or call.keywords or call.args != [number]:
        return None
    last = name.rpartition(".")[2]
    return Place(call, lambda site, render: f"{_operand(number, render)}.{last}()", MATH_CAVEAT, whole=False)


def _whole(bound: ast.expr, facts: Facts) -> str | None:
    """A bound such as `1.0` written as an integer, so that a tensor of integers stays one."""
    const = facts.value(bound).const
    return str(int(const)) if type(const) is float and const.is_integer() else None


def _operand(node: ast.expr, render: Render) -> str:
    text = render(node)
    return f"({text})" if isinstance(node, ast.BinOp | ast.UnaryOp | ast.IfExp | ast.Compare) else text


def _summand(node: ast.expr, render: Render) -> str:
    """The text of an expression as an operand of `+` or of a comparison."""
    loose = isinstance(node, ast.IfExp | ast.Compare | ast.BoolOp)
    loose |= isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    bits = ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift
    loose |= isinstance(node, ast.BinOp) and isinstance(node.op, bits)
    return f"({render(node)})" if loose else render(node)


def _position(index: ast.expr, parts: list[ast.expr], facts: Facts) -> int | None:
    """The dimension that an index is for; None unless all other parts are slices with known bounds."""
    others = [each for each in parts if each is not index]
    if index not in parts or not all(_is_plain(each, facts) for each in others):
        return None
    at = parts.index(index)
    return at - len(parts) if any(_is_ellipsis(each) for each in parts[:at]) else at


def _is_plain(part: ast.expr, facts: Facts) -> bool:
    if not isinstance(part, ast.Slice):
        return _is_ellipsis(part)
    bounds = [each for each in (part.lower, part.upper, part.step) if each is not None]
    return not any(facts.kinds(each) & (DATA | UNKNOWN) for each in bounds)


def _is_ellipsis(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...


def _length(part: ast.Slice, facts: Facts) -> ast.expr | None:
    """The `n` of `x[a : a + n]`, also where `a + n` has a name; a number that is not negative."""
    if part.lower is None or part.upper is None or part.step is not None:
        return None
    upper = _meaning(part.upper, part.lower, facts)
    match upper:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if same(left, part.lower):
            length = right
        case ast.BinOp(left=left, op=ast.Add(), right=right) if same(right, part.lower):
            length = left
        case _:
            return None
    const = facts.value(length).const
    positive = facts.kinds(length) == SYMINT or (type(const) is int and const >= 0)
    return length if is_number(length, facts) and positive else None


def _meaning(upper: ast.expr, lower: ast.expr, facts: Facts) -> ast.expr:
    """The expression that a name stands for, if the function binds it, and every name in that, only once."""
    if not isinstance(upper, ast.Name) or not isinstance(lower, ast.Name):
        return upper
    function = facts.function(upper)
    if function is None:
        return upper
    stores = [each for each in walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    bound = [each for each in stores if each.id == upper.id]
    statement = facts.parent(bound[0]) if len(bound) == 1 else None
    if not isinstance(statement, ast.Assign) or statement.targets != bound:
        return upper
    names = {each.id for each in walk(statement.value) if isinstance(each, ast.Name)}
    counts = [sum(each.id == name for each in stores) for name in names]
    return statement.value if all(count <= 1 for count in counts) else upper


def _stores_number(base: ast.Subscript, facts: Facts) -> bool:
    """True if a number is stored in a subscript, added to it, or the like."""
    match facts.parent(base):
        case ast.Assign(value=value) | ast.AugAssign(value=value):
            return is_number(value, facts) or meta(value, facts).is_0d
    return False


def stores_alike(base: ast.Subscript, facts: Facts) -> bool:
    """True if what is stored in a subscript needs no conversion: an index with a dimension makes none."""
    match facts.parent(base):
        case ast.AugAssign():
            return True
        case ast.Assign(value=value):
            dtype = meta(value, facts).dtype
            return is_number(value, facts) or (dtype is not None and dtype == meta(base.value, facts).dtype)
    return False


def _is_changed(base: ast.Subscript, facts: Facts) -> bool:
    """True if the view that a subscript gives is changed in place, or shows a change of the tensor."""
    above = facts.parent(base)
    if isinstance(above, ast.BinOp | ast.UnaryOp | ast.Compare) or isinstance(base.ctx, ast.Store):
        return False
    if any(may_change_path(path, base, facts) for path in names_read(base.value)):
        return True
    match above:
        case ast.Attribute(attr=name):
            around = facts.parent(above)
            return isinstance(around, ast.Call) and name.endswith("_")
        case ast.Subscript(ctx=ast.Store() | ast.Del()):
            return above.value is base
        case ast.Assign(targets=[ast.Name(id=name)]) if above.value is base:
            return changed_later(name, base, facts)
    return isinstance(base.ctx, ast.Del)
