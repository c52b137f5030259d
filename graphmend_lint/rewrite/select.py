"""Two values and a condition become one `torch.where`, as far as that is proven to be the same."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.callee import reads
from graphmend_lint.facts.derived import PERMUTED
from graphmend_lint.facts.effects import Effects, effects
from graphmend_lint.facts.grad_mode import maybe_no_grad, no_grad
from graphmend_lint.facts.meta import FLOATS, Meta, is_number, may_agree, meta, same_meta
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Refusal
from graphmend_lint.rewrite.callers import any_called, parameters
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.derived_from import derived_from, name_derived_from
from graphmend_lint.rewrite.fresh import is_fresh as is_fresh
from graphmend_lint.rewrite.template import call
from graphmend_lint.rewrite.term import Code
from graphmend_lint.rewrite.two_forms import may_be_number
from graphmend_lint.rewrite.used_up import is_in_loop
from graphmend_lint.shapes import Function, dotted, walk_function
from graphmend_lint.syntax import kept

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

SHAPES: Final = "Both sides are computed, and must have one shape, dtype and device."
COPY: Final = (
    "The result is a new tensor where it used to be one of the operands itself, and the gradient of the other is zero "
    "where it used to be None."
)
GRADIENT: Final = (
    "Gradients that used to be None may be zero: what requires grad on one side only requires it on both, then."
)
GRADIENTS_OFF: Final = Refusal(
    "gradient-differs", "gradients are off here, but a tensor that is passed on keeps its own"
)
#: what tells whether a tensor requires grad, or counts on it
GRAD_ATTRIBUTES: Final = frozenset(
    {"requires_grad", "requires_grad_", "grad_fn", "is_leaf", "retain_grad", "register_hook", "grad"}
)
LEVELS: Final = 3  #: calls within calls that are looked into
LIMITS: Final = "The dtype is asked for its limits always: `torch.finfo` raises for integers, `torch.iinfo` for floats."
OVERFLOWS: Final = "The gradient is NaN if the side not taken overflows."
OVERFLOW: Final = "Both sides are computed: the gradient is NaN if the side not taken overflows."
LAYOUT: Final = "The result may be laid out in memory another way than the side that is taken."
NUMBER: Final = (
    "The result is a 0-dim tensor where it used to be a number: other 0-dim tensors may be promoted by it, and last "
    "digits may change, as it is rounded."
)
MIXED: Final = f"{NUMBER} It is floating on both sides: with integers, the result is floating, too."
BESIDE: Final = (
    "The result is a 0-dim tensor where it used to be a number on one side: other 0-dim tensors may be promoted by it, "
    "and what is computed with it is rounded to the precision of tensors."
)
IN_PLACE: Final = "The tensor is replaced, where it used to be changed in place."


class Arm(NamedTuple):
    """The value of one side."""

    code: Code
    meta: Meta
    effects: Effects
    fresh: bool  #: a tensor that nothing else refers to
    number: type | None = None  #: int or float, for a Python number; object for either
    reads: frozenset[str] = frozenset()  #: names and attribute paths
    inner: frozenset[str] = frozenset()  #: those that the branch has set itself just before
    passed: bool = False  #: a name's tensor as it is, which may require grad where gradients are off
    floating: bool = False  #: a tensor without dimensions that is proven to hold a floating number
    sources: frozenset[str] | None = None  #: tensors that its gradient may flow to; None if `reads` says it

    def leaves(self, node: ast.AST, facts: Facts) -> frozenset[str]:
        """The tensors that the gradient of this arm may flow to."""
        if self.sources is not None:
            return self.sources
        return frozenset[str]().union(*(name_derived_from(each, node, facts) for each in self.reads))

    @classmethod
    def of(cls, node: ast.expr, facts: Facts, *, in_range: bool = False) -> Arm | Refusal:
        """The arm that gives the value of an expression; `in_range`: no index is taken to be out of range."""
        if is_number(node, facts):
            return cls._number(node, facts)
        if facts.kinds(node) != TENSOR or may_be_number(node, facts):
            return Refusal("arm-not-a-tensor", f"`{_short(node, facts)}` is not known to be a tensor")
        found = effects(node, facts).in_range() if in_range else effects(node, facts)
        if facts.may_be_other(node):
            found |= Effects(total=False)
        return found.refusal or cls(
            lambda site: site.argument(node),
            meta(node, facts),
            found,
            is_fresh(node, facts),
            reads=frozenset(reads(node, facts)),
            passed=isinstance(node, ast.Name) and not no_grad_needed(node, facts),
            floating=_is_floating_number(node, facts),
            sources=derived_from(node, facts),
        )

    @classmethod
    def _number(cls, node: ast.expr, facts: Facts) -> Arm | Refusal:
        kind = type(facts.value(node).const)
        if kind not in (int, float):
            return Refusal("arm-not-a-tensor", f"`{_short(node, facts)}` is a Python value, and would become a tensor")
        return cls(lambda site: site.argument(node), Meta(), effects(node, facts), True, kind)


def judge(
    then: Arm, other: Arm, node: ast.AST, facts: Facts, *, operand: bool = False, kept: bool = True
) -> tuple[Applicability, str] | Refusal:
    """How far selecting between two arms is the same as branching.

    `operand`: the result goes into arithmetic with tensors, and nowhere else; `kept`: somebody may see the tensor.
    """
    both = then.effects | other.effects
    if both.nan_gradient and not no_grad(node, facts):
        return Refusal(
            "nan-gradient", "the gradient of the side not taken may be NaN or fail, which would spread to the result"
        )
    if then.number or other.number:
        return _judge_numbers(then, other, operand)
    if kept and (then.passed or other.passed) and maybe_no_grad(node, facts):
        return GRADIENTS_OFF
    if not may_agree(then.meta, other.meta):
        return Refusal("shape-or-dtype-unknown", "the two sides are not known to have one shape and dtype")
    alone = not no_grad(node, facts) and then.leaves(node, facts) != other.leaves(node, facts)
    if alone and _asks_for_grad(node, facts):
        return Refusal("gradient-differs", "the function asks whether a tensor requires grad, or rests on it")
    caveat = _caveat(then, other, both, GRADIENT if alone else "", off=no_grad(node, facts))
    return (Applicability.UNSAFE, caveat) if caveat else (Applicability.SAFE, "")


def _judge_numbers(then: Arm, other: Arm, operand: bool) -> tuple[Applicability, str] | Refusal:
    """The same for arms of which one, or each, is a Python number."""
    if not (then.number and other.number):
        beside = (other if then.number else then).floating and operand
        differ = Refusal("arms-differ", "the two sides are values of different types")
        return (Applicability.UNSAFE, BESIDE) if beside else differ
    alike = then.number is other.number and then.number is not object
    return Applicability.UNSAFE, NUMBER if alike else MIXED


def _caveat(then: Arm, other: Arm, both: Effects, gradient: str, *, off: bool) -> str:
    """What may differ between selecting and branching, for two tensors; `off`: no gradients are recorded."""
    fresh = then.fresh and other.fresh
    overflows = (both.overflows or both.products) and not off
    if not same_meta(then.meta, other.meta) or not both.total:
        doubts = [LIMITS if both.limits else "", OVERFLOWS if overflows else ""]
        return " ".join(filter(None, [SHAPES, gradient if fresh else COPY, *doubts]))
    if any(PERMUTED in each for each in then.meta.shape or ()):
        return f"{LAYOUT} {gradient}".rstrip()
    if not fresh:
        return COPY
    return f"{OVERFLOW} {gradient}".rstrip() if overflows else gradient


def _asks_for_grad(node: ast.AST, facts: Facts) -> bool:
    """True if the function, after the branch, asks for the gradient of anything but attributes of `self`.

    In a loop, code before the branch runs after it as well.
    """
    function = facts.function(node)
    places = [each for each in walk_function(function) if isinstance(each, ast.Attribute)] if function else []
    found = [each for each in places if each.attr in GRAD_ATTRIBUTES and not (dotted(each) or "").startswith("self.")]
    row = getattr(node, "lineno", 0)
    if any(each.lineno >= row for each in found) or (found and is_in_loop(node, facts)):
        return True
    calls = [each for each in walk_function(function) if isinstance(each, ast.Call)] if function else []
    return any(each.lineno >= row and _call_asks(each, facts, LEVELS) for each in calls)


@kept(256)
def _call_asks(call: ast.Call, facts: Facts, levels: int) -> bool:
    """True if a function of the program that is called asks for the gradient of what it is given."""
    functions = any_called(call, facts) if levels else []
    found = [each for each in functions if isinstance(each, ast.FunctionDef | ast.Lambda)]
    return any(_asks(each, call, facts, levels) for each in found)


def _asks(function: Function, call: ast.Call, facts: Facts, levels: int) -> bool:
    given = set(parameters(function)) - {"self"}
    for each in walk_function(function):
        asks = isinstance(each, ast.Attribute) and each.attr in GRAD_ATTRIBUTES
        if asks and isinstance(each, ast.Attribute) and (dotted(each) or "").partition(".")[0] in given:
            return True
        if isinstance(each, ast.Call) and each is not call and _call_asks(each, facts, levels - 1):
            return True
    return False


def _is_floating_number(node: ast.expr, facts: Facts) -> bool:
    """True for a tensor without dimensions that holds a floating number: what a division gives, among others."""
    known = meta(node, facts)
    divides = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
    return known.is_0d and (divides or known.dtype in FLOATS or (known.dtype or "").startswith("float("))


def where(torch: str, test: str, then: str, other: str, room: int) -> str:
    """`torch.where(test, then, other)`, on several lines if it must."""
    return call(f"{torch}.where", [test, then, other], room)


def doubted(verdict: tuple[Applicability, str], doubt: str) -> tuple[Applicability, str]:
    """A judgement of the arms, with a doubt about the condition."""
    level, caveat = verdict
    return (Applicability.UNSAFE, f"{caveat} {doubt}".strip()) if doubt else (level, caveat)


def worst(found: list[tuple[Applicability, str]]) -> tuple[Applicability, str]:
    """The least trusted of several judgements."""
    return min(found, key=lambda each: each[0])


def _short(node: ast.expr, facts: Facts) -> str:
    text = " ".join(facts.text(node).split())
    return text if len(text) <= 60 else text[:57] + "..."
