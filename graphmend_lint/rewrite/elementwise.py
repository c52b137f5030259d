"""Arithmetic on the elements that a mask selects, up to a sum or a mean: done on all elements, with neutral ones."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.loads import loads_of
from graphmend_lint.rewrite.mask_shape import fitting, needs_parentheses, widened
from graphmend_lint.rewrite.scalar import dtype_kind
from graphmend_lint.shapes import dotted, names_read, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Compute with all elements, those left out being neutral"
CAVEAT: Final = (
    "Elements are added in another order, so the last digits may differ; "
    "tensors that the mask selects from are taken to have the same number of dimensions."
)
NEUTRAL: Final = (0.0, 1.0)  #: what stands for an element that is left out; the first that adds nothing is taken
FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
    "abs": abs, "square": lambda x: x * x, "neg": lambda x: -x, "relu": lambda x: max(x, 0.0), "tanh": math.tanh,
    "float": float, "double": float, "detach": float, "log": math.log, "log2": math.log2, "log10": math.log10,
    "log1p": math.log1p, "sqrt": lambda x: math.sqrt(x) if x else math.log(x),  # its gradient is infinite at zero
}  # fmt: skip
#: give zero for equal values, whose gradient is finite there
LOSSES: Final = frozenset(
    f"torch.nn.functional.{name}" for name in ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss")
)
PLAIN: Final = (
    ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BinOp, ast.UnaryOp, ast.expr_context, ast.operator,
    ast.cmpop, ast.unaryop,
)  # fmt: skip
STEPS: Final = 12  #: expressions and names that elements are followed through


@dataclass
class Flow:
    """What becomes of the elements: the places where they are selected, and those where they are added up."""

    mask: ast.expr
    facts: Facts
    selections: dict[ast.Subscript, None] = field(default_factory=dict)
    ends: dict[ast.Call, str] = field(default_factory=dict)  #: "sum" or "mean"
    known: list[ast.expr] = field(default_factory=list)  #: whole expressions, each of which is followed to its end

    def follow(self, node: ast.expr, steps: int = STEPS) -> bool:
        """Follow the value of an expression; False if it goes elsewhere than into sums."""
        if not steps:
            return False
        above = self.facts.parent(node)
        around = self.facts.parent(above) if isinstance(above, ast.Attribute) else above
        match above:
            case ast.Assign(targets=[ast.Name(id=name)]):
                loads = loads_of(name, above, self.facts)
                self.known.append(node)
                return bool(loads) and all(self.follow(each, steps - 1) for each in loads or ())
            case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
                return self.follow(above, steps - 1)
        if not isinstance(around, ast.Call) or (
            node not in around.args if above is around else around.func is not above
        ):
            return False
        if (how := _ends(around, self.facts)) is not None:
            self.ends[around] = how
            return True
        known = (each(around, self.facts) is not None for each in (_function, _least, _power))
        return any(known) and self.follow(around, steps - 1)

    def neutral(self) -> float | None:
        """What the elements that are left out may be, so that they add nothing; None if there is no such number."""
        return next((each for each in NEUTRAL if self._adds_nothing(each)), None)

    def _adds_nothing(self, neutral: float) -> bool:
        try:
            known = all(self.value(each, neutral) is not None for each in self.known)
            return known and all(self._total(each, neutral) == 0 for each in self.ends)
        except OverflowError:
            return False

    def _total(self, end: ast.Call, neutral: float) -> float | None:
        if self.facts.resolve(end.func) in LOSSES:
            first, second = (self.value(each, neutral) for each in end.args)
            return None if first is None or first != second else 0.0
        given = end.args[0] if end.args else end.func.value if isinstance(end.func, ast.Attribute) else end
        return self.value(given, neutral)

    def value(self, node: ast.expr, neutral: float) -> float | None:
        """What the expression gives where every selection gives `neutral`; None if that, or its slope, is unknown."""
        match node:
            case ast.Subscript(slice=mask) if same(mask, self.mask) and self.facts.kinds(node.value) == TENSOR:
                self.selections[node] = None
                return neutral
            case ast.Name():
                given = definition(node, self.facts).value
                return self.value(given, neutral) if given is not None and self.facts.kinds(node) == TENSOR else None
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self.value(operand, neutral)
                return None if found is None else -found
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(left, op, right, neutral)
            case ast.Call() if (named := _function(node, self.facts)) is not None:
                owner = node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else node
                found = self.value(owner, neutral)
                return None if found is None else _applied(named, found)
            case ast.Call() if (power := _power(node, self.facts)) is not None:
                found = self.value(power[0], neutral)
                return None if found is None else float(found ** power[1])
            case ast.Call(func=ast.Attribute(value=owner)) if (least := _least(node, self.facts)) is not None:
                values = self.value(owner, neutral), self._operand(least, neutral)
                return max(each for each in values if each is not None) if None not in values else None
        return None

    def _operation(self, left: ast.expr, op: ast.operator, right: ast.expr, neutral: float) -> float | None:
        """What arithmetic gives where every selection gives `neutral`; None if that is not known."""
        a, b = (self._operand(each, neutral) for each in (left, right))
        if any(each is not None and not math.isfinite(each) for each in (a, b)):
            return None
        if isinstance(op, ast.Mult) and 0.0 in (a, b) and (is_number(left, self.facts) or is_number(right, self.facts)):
            return 0.0
        if isinstance(op, ast.Div) and a == 0.0 and b != 0.0 and is_number(right, self.facts):
            return 0.0
        if a is None or b is None:
            return None
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.Div() if b:
                return a / b
            case ast.Pow() if type(self.facts.value(right).const) is int and b >= 1:
                return float(a**b)
        return None

    def _operand(self, node: ast.expr, neutral: float) -> float | None:
        if is_number(node, self.facts):
            const = self.facts.value(node).const
            return float(const) if type(const) in (int, float) else None
        return self.value(node, neutral)


def _applied(name: str, value: float) -> float | None:
    try:
        return float(FUNCTIONS[name](value))
    except ValueError:
        return None


def _function(call: ast.Call, facts: Facts) -> str | None:
    """The function of one tensor that a call applies to each element."""
    owner, _, name = (facts.resolve(call.func) or "").rpartition(".")
    given = len(call.args) + (owner == "torch.Tensor")
    fits = owner in ("torch", "torch.Tensor") and given == 1 and not call.keywords
    return name if fits and name in FUNCTIONS else None


def _power(call: ast.Call, facts: Facts) -> tuple[ast.expr, int] | None:
    """`torch.pow(x, 2)`, `x.pow(2)`: what is raised, and to which power."""
    owner, _, name = (facts.resolve(call.func) or "").rpartition(".")
    given = [
        *([call.func.value] if owner == "torch.Tensor" and isinstance(call.func, ast.Attribute) else []),
        *call.args,
    ]
    if name != "pow" or owner not in ("torch", "torch.Tensor") or len(given) != 2 or call.keywords:
        return None
    power = facts.value(given[1]).const
    return (given[0], power) if isinstance(power, int) and power >= 1 else None


def _least(call: ast.Call, facts: Facts) -> ast.expr | None:
    """The least value that `clamp` or `clamp_min` leaves."""
    name, given = facts.resolve(call.func), [*call.args, *(each.value for each in call.keywords if each.arg == "min")]
    plain = len(given) == 1 and len(given) == len(call.args) + len(call.keywords)
    return given[0] if plain and name in ("torch.Tensor.clamp", "torch.Tensor.clamp_min") else None


def _ends(call: ast.Call, facts: Facts) -> str | None:
    """How a call makes one number of all elements."""
    name = facts.resolve(call.func) or ""
    owner, _, last = name.rpartition(".")
    if name in LOSSES:
        reduction = [word.value for word in call.keywords if word.arg == "reduction"]
        plain = len(call.args) == 2 and len(reduction) == len(call.keywords)
        const = reduction[0].value if reduction and isinstance(reduction[0], ast.Constant) else "mean"
        return const if plain and const in ("sum", "mean") and isinstance(const, str) else None
    given = len(call.args) + (owner == "torch.Tensor")
    fits = owner in ("torch", "torch.Tensor") and given == 1 and not call.keywords
    return last if fits and last in ("sum", "mean") else None


def elementwise(node: ast.Subscript, facts: Facts) -> Fix | None:
    """The fix for `tensor[mask]` whose elements are computed with, one by one, and then added up."""
    found = Flow(node.slice, facts)
    if facts.kinds(node.value) != TENSOR or not facts.value(node.slice).traits & BOOL or not found.follow(node):
        return None
    neutral, torch = found.neutral(), torch_name(facts, node)
    if neutral is None or torch is None or node not in found.selections:
        return None
    if not all(dotted(each.value) for each in found.selections):  # it would be evaluated twice
        return None
    dtypes = _dtypes(found) if _is_whole(found) and _is_steady(found) else None
    if dtypes is None:
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return tuple(_edits(site, found, neutral, dtypes, torch))

    return Fix(TITLE, Applicability.UNSAFE, edits, CAVEAT, ("torch",))


def _is_whole(found: Flow) -> bool:
    """True if every selection that takes part goes into these sums alone."""
    ends = dict(found.ends)
    for each in [*found.selections]:
        other = Flow(found.mask, found.facts)
        if not other.follow(each) or other.ends.keys() - ends.keys():
            return False
    return True


def _is_steady(found: Flow) -> bool:
    """True if the mask is the same wherever it is asked."""
    facts, mask = found.facts, found.mask
    places = [*found.selections, *found.ends]
    paths = names_read(mask)
    if dotted(mask) is None and len({statement_of(each, facts) for each in places}) > 1:
        return False
    if any(changed_later(path, mask, facts) for path in paths) or not _is_plain(mask):
        return False
    names = [each for each in walk(mask) if isinstance(each, ast.Name)]
    rows = {definition(name, facts).row for name in names if isinstance(mask, ast.Name)}
    rows |= {definition(each.slice, facts).row for each in found.selections if isinstance(each.slice, ast.Name)}
    bound = [] if not isinstance(mask, ast.Name) else _stores(mask, facts)
    return len(rows) <= 1 and len(bound) <= 1


def _stores(mask: ast.Name, facts: Facts) -> list[ast.Name]:
    function = facts.function(mask)
    names = [each for each in walk(function) if isinstance(each, ast.Name)] if function is not None else []
    return [each for each in names if each.id == mask.id and not isinstance(each.ctx, ast.Load)]


def _is_plain(mask: ast.expr) -> bool:
    """True if asking twice gives the same, and costs little."""
    return all(isinstance(each, PLAIN) for each in walk(mask))


def _dtypes(found: Flow) -> list[ast.expr] | None:
    """Tensors whose dtypes together make that of a mean: one, or two; None if that may be none, or takes more."""
    if "mean" not in found.ends.values():
        return []
    unlike: dict[str, ast.expr] = {}
    for each in found.selections:
        unlike.setdefault(meta(each.value, found.facts).dtype or found.facts.text(each.value), each.value)
    kinds = [dtype_kind(each, found.facts) for each in unlike.values()]
    return [*unlike.values()] if len(unlike) < 3 and not all(each in (INTEGRAL, BOOL) for each in kinds) else None


def _edits(site: Site, found: Flow, neutral: float, dtypes: list[ast.expr], torch: str) -> Iterator[Edit]:
    """The selections, each where it stands, and the means, over the share of elements that count."""
    facts, mask = found.facts, found.mask
    fits = any(fitting(each.value, mask, facts) for each in found.selections)
    texts = {each: _kept(each, neutral, fits, torch, site) for each in found.selections}
    share = f"{site.operand(mask)}.to({_dtype(dtypes, torch, site)}).mean()"
    for end, how in found.ends.items():
        inside = {id(each) for each in walk(end)}
        code = site.code(end, {each: texts.pop(each) for each in [*texts] if id(each) in inside})
        code = f"{code} / {share}" if how == "mean" else code
        yield site.expression(end, f"({code})" if how == "mean" and needs_parentheses(end, facts) else code)
    for each, text in texts.items():
        yield site.expression(each, text)


def _dtype(tensors: list[ast.expr], torch: str, site: Site) -> str:
    dtypes = [f"{site.operand(each)}.dtype" for each in tensors]
    return f"{torch}.promote_types({', '.join(dtypes)})" if len(dtypes) > 1 else "".join(dtypes)


def _kept(node: ast.Subscript, neutral: float, fits: bool, torch: str, site: Site) -> str:
    """The tensor with a number wherever the mask is False."""
    mask, tensor = site.argument(node.slice), site.argument(node.value)
    test = mask if fits else widened(site.operand(node.slice), site.operand(node.value))
    return f"{torch}.where({test}, {tensor}, {int(neutral)})"
