"""What evaluating an expression may do besides giving a value: change something, raise, or spoil a gradient.

Whatever is not known counts as an effect.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts import callee, torch_api
from graphmend_lint.facts.evaluated import is_evaluated
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import FLOATS, LOSSES, is_number, meta, tensor_arguments, words
from graphmend_lint.facts.selected import fits_any_number, is_nan_of_nothing
from graphmend_lint.facts.shares import divides_by_share, never_zero
from graphmend_lint.facts.unset import may_be_unset
from graphmend_lint.facts.values import CONTAINER, DATA, INTEGRAL, MODULE, NONE, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.shapes import same, told_to_change

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: functions that cannot raise but for shapes or dtypes that do not fit
SHAPED: Final = words("""
    add sub subtract mul multiply div divide true_divide where matmul mm bmm mv dot lerp addcmul addcdiv fmod pow
    maximum minimum fmax fmin atan2 masked_fill logical_and logical_or logical_xor bitwise_and bitwise_or transpose
    permute movedim swapaxes t unsqueeze squeeze expand expand_as reshape reshape_as view view_as flatten sum mean
    amax amin any all prod std var norm cat stack concat repeat softmax log_softmax cumsum max min to type_as float
    half double bfloat16 long int bool new_zeros new_ones new_full zeros ones full zeros_like ones_like full_like
    numel dim size tensor arange normalize einsum linear layer_norm cpu cuda contiguous finfo iinfo
    clamp clip clamp_min clamp_max mse_loss l1_loss smooth_l1_loss huber_loss promote_types
""")
#: their gradient is infinite or undefined at points that a branch often guards against
NAN_GRADIENT: Final = words("""
    sqrt rsqrt log log2 log10 log1p logit reciprocal div divide true_divide pow acos arccos asin arcsin acosh
    arccosh atanh arctanh norm vector_norm std var normalize xlogy atan2 cumprod erfinv lgamma digamma fmod
    logsumexp addcdiv floor_divide
""")
#: these overflow, and infinity times the zero gradient of the untaken side is NaN
OVERFLOWS: Final = words("exp exp2 expm1 sinh cosh tan square mse_loss prod")
#: these take every dtype
ANY_DTYPE: Final = words("any all sum clone contiguous zeros_like ones_like isnan isinf isfinite")
FILLED: Final = frozenset({"Tensor", "FloatTensor", "LongTensor", "BoolTensor"})  #: made of a list of numbers
#: what torch has names for, beside numbers
CONSTANTS: Final = frozenset(
    f"torch.{name}"
    for name in words("""
    float16 float32 float64 bfloat16 half float double int8 int16 int32 int64 uint8 short int long bool complex64
    complex128 cfloat cdouble strided contiguous_format preserve_format channels_last channels_last_3d
    """)
)
SIMPLE_BUILTINS: Final = frozenset(f"builtins.{name}" for name in words("len int float bool min max abs round str"))


class Effects(NamedTuple):
    """Why code may not be run early, if it may not; else what may go wrong when it is."""

    refusal: Refusal | None = None
    total: bool = True  #: proven not to raise
    nan_gradient: bool = False
    overflows: bool = False
    products: bool = False  #: multiplies tensors: infinity times the zero gradient of the untaken side is NaN
    limits: bool = False  #: asks for the limits of a dtype that may have none: `torch.finfo(x.dtype)`
    barred: bool = False  #: refused, and for more than tensors that are indexed with numbers out of range
    indexes: bool = False  #: indexes tensors with numbers that may be out of range, which is taken not to be so

    def __or__(self, other: Effects) -> Effects:
        return Effects(
            self.refusal or other.refusal,
            self.total and other.total,
            self.nan_gradient or other.nan_gradient,
            self.overflows or other.overflows,
            self.products or other.products,
            self.limits or other.limits,
            self.barred or other.barred,
            self.indexes or other.indexes,
        )

    def in_range(self) -> Effects:
        """The same if no index is out of range."""
        if self.refusal is None or self.barred:
            return self
        return self._replace(refusal=None, indexes=True)


PURE: Final = Effects()
PARTIAL: Final = Effects(total=False)


def refused(reason: str, detail: str) -> Effects:
    return Effects(Refusal(reason, detail), total=False, barred=True)


def effects(node: ast.expr, facts: Facts) -> Effects:
    """What evaluating `node` may do on a path where the original program does not evaluate it."""
    match node:
        case ast.Constant():
            return PURE
        case ast.Name() | ast.Attribute():
            return _load(node, facts)
        case ast.UnaryOp(op=op, operand=operand):
            doubt = PARTIAL if isinstance(op, ast.USub | ast.Invert) and not _takes(op, operand, facts) else PURE
            return effects(operand, facts) | doubt
        case ast.BinOp(left=left, op=op, right=right):
            return effects(left, facts) | effects(right, facts) | _operation(node, op, right, facts)
        case ast.Compare(left=left, comparators=others):
            return _all([left, *others], facts) | _fits(node, facts)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return _all(elements, facts)
        case ast.Subscript():
            return _subscript(node, facts)
        case ast.Call():
            return _call(node, facts)
        case ast.IfExp(test=test, body=body, orelse=orelse) if not facts.is_data(test):
            return _all([test, body, orelse], facts)
    return refused("arm-not-simple", f"`{_short(node, facts)}` is not plain tensor arithmetic")


def _all(nodes: list[ast.expr], facts: Facts) -> Effects:
    found = PURE
    for node in nodes:
        found |= effects(node, facts)
    return found


def _load(node: ast.Name | ast.Attribute, facts: Facts) -> Effects:
    if (facts.resolve(node) or "") in CONSTANTS:
        return PURE
    kinds = facts.kinds(node)
    if kinds & UNKNOWN or not kinds:
        return refused("value-unknown", f"what `{facts.text(node)}` holds is not known")
    if kinds & NONE:
        return refused("may-be-none", f"`{facts.text(node)}` may be None")
    if isinstance(node, ast.Name) and may_be_unset(node, facts):
        return refused("value-unknown", f"`{node.id}` may have no value yet")
    return _load_base(node, facts)


def _load_base(node: ast.expr, facts: Facts) -> Effects:
    """The effects of the object that a known attribute is read from; the class of the object need not be known."""
    found = PURE
    while isinstance(node, ast.Attribute):
        found |= _property(node, facts) if callee.is_property(node, facts) else PURE
        node = node.value
    return found if isinstance(node, ast.Name) else found | effects(node, facts)


def _property(node: ast.Attribute, facts: Facts) -> Effects:
    """What reading a property may do."""
    function = callee.getter(node, facts)
    if function is None:
        return refused("call-not-seen", f"what the property `{node.attr}` does is not known")
    return PARTIAL | _all_of(function.body, facts)


def _operation(node: ast.BinOp, op: ast.operator, right: ast.expr, facts: Facts) -> Effects:
    """The effects of a binary operation beyond those of its operands."""
    if not fits_any_number(node, facts):
        return refused("branch-may-raise", f"`{_short(node, facts)}` may raise for as many elements as are selected")
    if isinstance(op, ast.Sub):
        return _fits(node, facts) | (PURE if _numbers([node.left, right], facts) else PARTIAL)
    if not isinstance(op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow):
        multiplies = isinstance(op, ast.Mult) and not (is_number(node.left, facts) or is_number(right, facts))
        return _fits(node, facts) | Effects(products=multiplies)
    const = facts.value(right).const
    if isinstance(const, int | float) and const != 0:
        grows = isinstance(op, ast.Pow) and const not in (1, 2)
        hazard = takes_root(op, const) or _floors(node, facts)
        return Effects(total=isinstance(op, ast.Div), nan_gradient=hazard, overflows=grows)
    if is_number(right, facts) and is_number(node.left, facts):
        return refused("branch-may-raise", f"`{_short(node, facts)}` may divide by zero")
    if isinstance(op, ast.Div) and (
        is_number(right, facts) or divides_by_share(node, facts) or never_zero(right, facts)
    ):
        return PARTIAL
    return Effects(total=False, nan_gradient=True)


def _floors(node: ast.BinOp, facts: Facts) -> bool:
    """True for `x // 2`, which has no gradient: taking one raises. Integers have none anyway."""
    tensor = isinstance(node.op, ast.FloorDiv) and facts.is_tensor(node)
    return tensor and not facts.value(node.left).traits & INTEGRAL


def takes_root(op: ast.operator, power: float) -> bool:
    """True for `x ** 0.5` and `x ** -1`, whose result or gradient may be NaN or infinite."""
    return isinstance(op, ast.Pow) and not (power >= 1 and float(power).is_integer())


def _takes(op: ast.unaryop, node: ast.expr, facts: Facts) -> bool:
    """True if `-node`, or `~node`, is proven not to raise: bools have no sign, floats no bits."""
    return meta(node, facts).is_bool if isinstance(op, ast.Invert) else _numbers([node], facts)


def _numbers(nodes: list[ast.expr], facts: Facts) -> bool:
    """True if the operands are Python numbers, or tensors that are proven not to hold bools."""
    return all(is_number(node, facts) or meta(node, facts).is_arithmetic for node in nodes)


def _fits(node: ast.expr, facts: Facts) -> Effects:
    """Whether the shapes of two operands may fail to broadcast: not if they are equal or one is 0-dim.

    For `@` nothing is known.
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return PARTIAL
    shape = meta(node, facts).shape
    return PURE if shape is not None and len(shape) <= 1 else PARTIAL


def _subscript(node: ast.Subscript, facts: Facts) -> Effects:
    base, index = node.value, node.slice
    if facts.kinds(base) & (UNKNOWN | NONE):
        return refused("branch-may-raise", f"`{_short(node, facts)}` may fail")
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    if facts.kinds(base) == CONTAINER and facts.value(node).kinds & ~UNKNOWN and _is_size(base):
        return effects(base, facts) | PARTIAL
    if facts.kinds(base) == TENSOR and (all(_is_view(part, facts) for part in parts) or is_evaluated(node, facts)):
        return effects(base, facts) | PARTIAL
    found = refused("index-may-fail", f"`{_short(node, facts)}` may be out of range")
    numbers = [part for part in parts if not _is_view(part, facts)]
    if facts.kinds(base) == TENSOR and all(is_number(part, facts) for part in numbers):
        return found._replace(barred=False) | _all([base, *numbers], facts)
    return found


def _is_size(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="shape") | ast.Call(func=ast.Attribute(attr="size")):
            return True
    return False


def _is_view(part: ast.expr, facts: Facts) -> bool:
    match part:
        case ast.Slice(lower=lower, upper=upper, step=step):
            bounds = [bound for bound in (lower, upper, step) if bound is not None]
            return not any(facts.kinds(bound) & (DATA | UNKNOWN) for bound in bounds)
        case ast.Constant(value=value):
            return value is None or value is ...
    return False


def _call(node: ast.Call, facts: Facts) -> Effects:
    words = [word.value for word in node.keywords]
    if any(word.arg in ("out", None) for word in node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
        return refused("call-not-seen", f"the arguments of `{_short(node, facts)}` are not plain")
    if told_to_change(node) is not None:
        return refused("in-place", f"`{_short(node, facts)}` changes its argument")
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) and _is_method(node, facts) else []
    return _called(node, facts) | _all([*receiver, *_operands(node, facts), *words], facts)


def _operands(node: ast.Call, facts: Facts) -> list[ast.expr]:
    """The arguments of a call; of a loss, those that are detached, since the gradient goes through the others."""
    if (facts.resolve(node.func) or "").rpartition(".")[2] not in LOSSES:
        return node.args
    attached = [each for each in node.args if not _detached(each, facts)]
    return [_detached(each, facts) or each for each in node.args] if attached else node.args


def _detached(node: ast.expr, facts: Facts) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(value=value), args=[], keywords=[]):
            return value if facts.resolve(node.func) == "torch.Tensor.detach" else None
    return None


def _is_method(node: ast.Call, facts: Facts) -> bool:
    name = facts.resolve(node.func) or ""
    return isinstance(node.func, ast.Attribute) and name.startswith(torch_api.METHOD)


def _called(node: ast.Call, facts: Facts) -> Effects:
    text = _short(node.func, facts)
    if facts.kinds(node.func) & MODULE:
        return refused("module-call", f"`{text}` is a module: running it always costs time and may change its buffers")
    name = facts.resolve(node.func)
    if name in SIMPLE_BUILTINS and not any(facts.is_data(argument) for argument in node.args):
        return PARTIAL
    entry = torch_api.function(name) if name and name.startswith("torch.") else None
    if name is None and (function := callee.callee(node, facts)) is not None:
        return PARTIAL | _all_of(function.body, facts)
    if name is None or entry is None:
        return refused("call-not-seen", f"what `{text}` does is not known")
    return _torch_call(name.rpartition(".")[2], text, entry, node, facts)


def _all_of(block: list[ast.stmt], facts: Facts) -> Effects:
    """What the statements of a called function may do, taken together."""
    found = PURE
    for statement in block:
        found |= _statement(statement, facts)
    return found


def _statement(statement: ast.stmt, facts: Facts) -> Effects:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return PURE
        case ast.Assign(targets=targets, value=value) if all(_is_local(each) for each in targets):
            return effects(value, facts)
        case ast.AnnAssign(target=ast.Name(), value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            return effects(value, facts)
        case ast.If(test=test, body=body, orelse=orelse) if not facts.is_data(test):
            return effects(test, facts) | _all_of([*body, *orelse], facts)
    return refused("call-not-seen", "a called function does more than compute a value")


def _is_literal(node: ast.expr) -> bool:
    """True for a number, and for a list of them."""
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.List | ast.Tuple) and all(map(_is_literal, node.elts))
    )


def _is_local(target: ast.expr) -> bool:
    match target:
        case ast.Tuple(elts=elements):
            return all(_is_local(each) for each in elements)
    return isinstance(target, ast.Name)


def _torch_call(last: str, text: str, entry: torch_api.Entry, node: ast.Call, facts: Facts) -> Effects:
    """The effects of a call of torch, from its data; `last` is the last part of its name, `text` what to call it."""
    if entry.random:
        return refused("draws-random", f"`{text}` draws random numbers, so the order of draws would change")
    if not entry.pure:
        return refused("in-place", f"`{text}` changes something")
    if entry.breaks_gb and entry.breaks_when is None:
        return refused("reads-value", f"`{text}` reads a tensor's value")
    if last in ("detach", "detach_") and not no_grad(node, facts):
        return refused("gradient-differs", "only one side is detached from the gradient")
    if last in FILLED and all(map(_is_literal, node.args)) and not node.keywords:
        return PARTIAL
    numbers = not any(facts.kinds(each) & DATA for each in node.args[0 if _is_method(node, facts) else 1 :])
    keeps = entry.same or (entry.same_with_numbers and numbers)
    total = last in ANY_DTYPE or (keeps and _numbers(tensor_arguments(node, facts), facts))
    total |= last == "where" and _fits(node, facts) is PURE
    shaped = last in SHAPED or (last == "index_put" and _puts_under_mask(node, facts))
    if not fits_any_number(node, facts):
        return refused("branch-may-raise", f"`{text}` may raise for as many elements as are selected")
    if not (keeps or total or shaped) and entry.dtype != "bool":
        return refused("branch-may-raise", f"`{text}` may raise for values that the branch keeps out")
    spoils = last in NAN_GRADIENT or is_nan_of_nothing(last, node, facts)
    limits = last in ("finfo", "iinfo") and _may_lack_limits(node, facts)
    return Effects(None, total, spoils, last in OVERFLOWS, limits=limits)


def _puts_under_mask(node: ast.Call, facts: Facts) -> bool:
    """True for `x.index_put((mask,), value)`: no place is out of range."""
    match node.args:
        case [ast.Tuple(elts=[mask]), _]:
            return meta(mask, facts).is_bool and not node.keywords
    return False


def _may_lack_limits(node: ast.Call, facts: Facts) -> bool:
    """True if `torch.finfo` may be asked for a dtype that has no limits: no `if` around it compares the dtype."""
    match node.args:
        case [ast.Attribute(value=tensor, attr="dtype") as dtype]:
            if meta(tensor, facts).dtype in FLOATS:
                return False
            return not any(same(each.left, dtype) for test in _tests(node, facts) for each in _compared(test))
    return False


def _tests(node: ast.AST, facts: Facts) -> Iterator[ast.expr]:
    """The conditions under which a node is evaluated."""
    while (above := facts.parent(node)) is not None:
        if isinstance(above, ast.If | ast.IfExp) and above.test is not node:
            yield above.test
        node = above


def _compared(test: ast.expr) -> list[ast.Compare]:
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    return [each for each in parts if isinstance(each, ast.Compare)]


def _short(node: ast.expr, facts: Facts) -> str:
    text = " ".join(facts.text(node).split())
    return text if len(text) <= 60 else text[:57] + "..."
