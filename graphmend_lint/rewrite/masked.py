"""Elements that a mask selects, where a result of fixed shape serves as well: reductions, stores under a mask."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.callee import runs_nothing
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.as_mask import as_mask
from graphmend_lint.rewrite.counting import ESCAPES, count, how_many, indices
from graphmend_lint.rewrite.elementwise import elementwise
from graphmend_lint.rewrite.first_match import first_match
from graphmend_lint.rewrite.ignored import ignored
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.mask_shape import fitting, needs_parentheses, widened
from graphmend_lint.rewrite.rows import selected_rows
from graphmend_lint.rewrite.select import where
from graphmend_lint.rewrite.stores import OPERATORS
from graphmend_lint.rewrite.template import call
from graphmend_lint.rewrite.whether import whether
from graphmend_lint.shapes import dotted, same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: what a reduction takes for an element that does not count
NEUTRAL: Final = {"sum": 0, "mean": 0, "any": 0, "all": 1}
SUMS: Final = (
    "Elements are added in another order, so the last digits may differ, and a mask that does not fit may broadcast."
)
REDUCE: Final = "Reduce with the masked elements left neutral"
STORES: Final = (
    "The two sides are taken to have one shape and dtype; where they have not, this used to raise, "
    "and what was expanded raises now."
)
SELECTS: Final = frozenset({"torch.masked_select", "torch.Tensor.masked_select"})


class Selected(NamedTuple):
    """`tensor[mask]`, or `masked_select(tensor, mask)`."""

    tensor: ast.expr
    mask: ast.expr
    broadcasts: bool  #: the mask need not have the tensor's shape


def selected(node: ast.expr, facts: Facts) -> Selected | None:
    """The expression as a selection by one mask."""
    found = None
    match node:
        case ast.Subscript(value=value, slice=mask):
            found = Selected(value, mask, False)
        case ast.Call(args=[mask], func=ast.Attribute(value=value), keywords=[]) if _selects(node, facts, value):
            found = Selected(value, mask, True)
        case ast.Call(args=[value, mask], keywords=[]) if facts.resolve(node.func) in SELECTS:
            found = Selected(value, mask, True)
    return found if found and facts.kinds(found.tensor) == TENSOR and _is_mask(found.mask, facts) else None


def _selects(node: ast.Call, facts: Facts, owner: ast.expr) -> bool:
    return facts.resolve(node.func) in SELECTS and facts.kinds(owner) == TENSOR


def _is_mask(node: ast.expr, facts: Facts) -> bool:
    value = facts.value(node)
    return value.kinds == TENSOR and bool(value.traits & BOOL)


def masked(node: ast.expr | ast.AugAssign, facts: Facts) -> Fix | Refusal:
    """A rewrite of the place where a mask selects elements."""
    if isinstance(node, ast.AugAssign):
        return _augmented(node, facts)
    searched = _searched(node, facts) if isinstance(node, ast.Call) else None
    if searched is not None:
        return searched
    found, statement = selected(node, facts), statement_of(node, facts)
    if found is None:
        return ESCAPES
    if torch_name(facts, node) is None:
        return SHADOWED
    if _reduction(node, facts) is not None:
        return _reduce(node, found, facts)
    if (counted := how_many(node, facts)) is not None:
        return count(counted, found.mask, facts)
    if (loss := ignored(node, facts)) is not None:
        return loss
    match statement:
        case ast.Assign(targets=[ast.Subscript() as target], value=value) if not found.broadcasts:
            return _store(statement, target, value, facts)
    added = elementwise(node, facts) if isinstance(node, ast.Subscript) else None
    return added or ESCAPES


def _searched(node: ast.Call, facts: Facts) -> Fix | Refusal | None:
    """A rewrite of a call that searches the elements for which a mask holds (`nonzero`); None for any other call."""
    fix = (
        first_match(node, facts)
        or as_mask(node, facts, _of_a_name)
        or whether(node, facts)
        or selected_rows(node, facts)
    )
    tensor = indices(node, facts) if fix is None else None
    if tensor is None:
        return fix
    counted = how_many(node, facts)
    return ESCAPES if counted is None else count(counted, tensor, facts)


def _reduction(node: ast.expr, facts: Facts) -> tuple[ast.Call, str] | None:
    """The call that reduces the elements to one, and its name."""
    above = facts.parent(node)
    around = facts.parent(above) if isinstance(above, ast.Attribute) else above
    if not isinstance(around, ast.Call) or [*around.args] != ([node] if around is above else []):
        return None
    owner, _, name = (facts.resolve(around.func) or "").rpartition(".")
    if name not in NEUTRAL or owner != ("torch" if around is above else "torch.Tensor"):
        return None
    words = {word.arg for word in around.keywords}
    return (around, name) if not words or (words == {"dtype"} and name == "sum") else None


def _of_a_name(node: ast.Subscript, mask: ast.expr, name: str | None, facts: Facts) -> Callable[[Site], Edit] | Refusal:
    return reduced(node, Selected(node.value, mask, False), name, facts)


def _reduce(node: ast.expr, found: Selected, facts: Facts) -> Fix | Refusal:
    edit = reduced(node, found, None, facts)
    if isinstance(edit, Refusal):
        return edit
    return Fix(REDUCE, Applicability.UNSAFE, lambda site: (edit(site),), SUMS, ("torch",))


def reduced(node: ast.expr, found: Selected, name: str | None, facts: Facts) -> Callable[[Site], Edit] | Refusal:
    """The edit that turns a reduction of `node` into one of all elements; `name`: what the mask is called there."""
    reduction = _reduction(node, facts)
    if reduction is None:
        return ESCAPES
    (around, function), tensor = reduction, found.tensor
    fits, torch = found.broadcasts or fitting(tensor, found.mask, facts), torch_name(facts, node) or "torch"
    if (function == "mean" or not fits) and not (dotted(tensor) and (name or _repeatable(found.mask, facts))):
        return Refusal("evaluated-twice", "the tensor or its mask would be evaluated twice: give it a name first")
    parenthesised = needs_parentheses(around, facts)

    def edit(site: Site) -> Edit:
        mask = name or site.operand(found.mask)
        test = (name or site.argument(found.mask)) if fits else (f"~{name}" if name else _negated(found.mask, site))
        kept = _kept(site, torch, tensor, test, NEUTRAL[function], fits)
        if function != "mean":
            return site.expression(node, kept)
        code = f"{kept}.mean() / {mask}.to({site.code(tensor)}.dtype).mean()"
        return site.expression(around, f"({code})" if parenthesised else code)

    return edit


def _negated(mask: ast.expr, site: Site) -> str:
    if isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert):
        return site.argument(mask.operand)
    return f"~{site.operand(mask)}"


def _kept(site: Site, torch: str, tensor: ast.expr, test: str, neutral: int, fits: bool) -> str:
    """The tensor with a neutral element wherever the mask is False; `test` is the mask if it fits, else its negation.

    `index_put` takes a mask of the leading dimensions, as indexing does; `where` would align it with the last ones.
    """
    if fits:
        return f"{torch}.where({test}, {site.argument(tensor)}, {neutral})"
    code, made = site.code(tensor), "new_ones" if neutral else "new_zeros"
    return f"{code}.index_put(({test},), {code}.{made}(()))"


def _repeatable(node: ast.expr, facts: Facts) -> bool:
    """True if evaluating the expression twice gives the same, and costs little."""
    match node:
        case ast.Name() | ast.Attribute():
            return runs_nothing(node, facts)
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _repeatable(operand, facts)
        case ast.Compare(left=left, comparators=[right]) | ast.BinOp(left=left, right=right):
            return _repeatable(left, facts) and _repeatable(right, facts)
    return False


def _augmented(node: ast.AugAssign, facts: Facts) -> Fix | Refusal:
    """`x[m] += c`."""
    if torch_name(facts, node) is None:
        return SHADOWED
    if not isinstance(node.target, ast.Subscript):
        return ESCAPES
    return _store(node, node.target, ast.BinOp(node.target, node.op, node.value), facts)


def _store(
    statement: ast.Assign | ast.AugAssign, target: ast.Subscript, value: ast.expr, facts: Facts
) -> Fix | Refusal:
    """`x[m] = y[m]`: all of `x` is written, in place, with its own elements where the mask is False."""
    tensor, mask, path = target.value, target.slice, dotted(target.value)
    if path is None or facts.kinds(tensor) != TENSOR or not _is_mask(mask, facts):
        return ESCAPES
    fits = fitting(tensor, mask, facts)
    if not _repeatable(mask, facts) or not (fits or dotted(mask)):
        return Refusal("evaluated-twice", "the tensor or its mask would be evaluated twice: give it a name first")
    loads = _loads(value, mask, facts)
    if isinstance(loads, Refusal):
        return loads
    torch = torch_name(facts, statement) or "torch"

    def edits(site: Site) -> tuple[Edit, ...]:
        test = site.argument(mask) if fits else widened(site.code(mask), path)
        function, room = f"{path}.copy_", site.room(statement)
        inner = where(torch, test, _unmasked(value, mask, site), path, room - len(function) - 2)
        code = f"{function}({inner})" if "\n" not in inner else call(function, [inner], room)
        return (site.replace(statement, code),)

    proven = fits and isinstance(statement, ast.Assign) and _alike(tensor, mask, value, loads, facts)
    return Fix(
        title="Store with `torch.where` in place",
        applicability=Applicability.SAFE if proven else Applicability.UNSAFE,
        edits=edits,
        caveat="" if proven else STORES,
        imports=("torch",),
    )


def _alike(tensor: ast.expr, mask: ast.expr, value: ast.expr, loads: list[ast.expr], facts: Facts) -> bool:
    """True if `tensor[mask] = value` is proven not to raise for a shape or dtype, where `value` is one load."""
    dtype = meta(tensor, facts).dtype
    return (
        isinstance(value, ast.Subscript)
        and dtype is not None
        and all(fitting(load, mask, facts) and meta(load, facts).dtype == dtype for load in loads)
    )


def _loads(value: ast.expr, mask: ast.expr, facts: Facts) -> list[ast.expr] | Refusal:
    """The tensors from which `value` takes the same elements; a refusal unless it is plain arithmetic on them."""
    match value:
        case ast.Subscript(value=tensor, slice=index) if same(index, mask) and facts.kinds(tensor) == TENSOR:
            return [tensor]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _loads(operand, mask, facts)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            return _both(left, op, right, mask, facts)
        case _ if is_number(value, facts):
            return []
    return ESCAPES


ARITHMETIC: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def _both(left: ast.expr, op: ast.operator, right: ast.expr, mask: ast.expr, facts: Facts) -> list[ast.expr] | Refusal:
    first, second = _loads(left, mask, facts), _loads(right, mask, facts)
    if isinstance(first, Refusal) or isinstance(second, Refusal):
        return first if isinstance(first, Refusal) else second
    if isinstance(op, ast.Div) and (second or facts.value(right).const in (0, None)):
        return Refusal("nan-gradient", "dividing the elements that the mask leaves out may give NaN")
    if isinstance(op, ast.Mult) and first and second and not no_grad(mask, facts):
        return Refusal("nan-gradient", "the gradient of the elements that the mask leaves out may be NaN")
    return [*first, *second]


def _unmasked(value: ast.expr, mask: ast.expr, site: Site) -> str:
    """The code of `value`, computed for all elements."""
    match value:
        case ast.Subscript(value=tensor, slice=index) if same(index, mask):
            return site.argument(tensor)
        case ast.UnaryOp(operand=operand):
            return f"-{_part(operand, mask, 2, site)}"
        case ast.BinOp(left=left, op=op, right=right):
            binds = _binds(op)
            return f"{_part(left, mask, binds, site)} {OPERATORS[type(op)]} {_part(right, mask, binds + 1, site)}"
    return site.argument(value)


def _binds(op: ast.operator) -> int:
    return 2 if isinstance(op, ast.Mult | ast.Div) else 1


def _part(value: ast.expr, mask: ast.expr, binds: int, site: Site) -> str:
    """The text of an operand, in parentheses unless it binds as tightly as it must."""
    if isinstance(value, ast.Subscript) and same(value.slice, mask):
        return site.operand(value.value)
    text = _unmasked(value, mask, site)
    return f"({text})" if isinstance(value, ast.BinOp) and _binds(value.op) < binds else text
