"""Shape and dtype of tensors, as ids: equal ids prove equal shapes; different ids prove nothing.

Worked out on demand, within a function.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts import callee, derived, torch_api
from graphmend_lint.facts.reaching import Definition, definition
from graphmend_lint.facts.values import BOOL, CONSTANT, FLOATING, MISSING, SYMINT, TENSOR, ZERO_DIM
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Shape = frozenset[str]
OPAQUE: Final = "?"  #: ends the id of a value that was computed in a way that is not followed
SCALAR_SHAPE: Final[Shape] = frozenset()
DEPTH = 24  #: definitions followed before the answer is "not known"


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DTYPES: Final = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
    "long": "int64", "int": "int32", "short": "int16", "char": "int8", "byte": "uint8", "bool": "bool",
}  # fmt: skip
CONCRETE: Final = frozenset(DTYPES.values()) | {"complex64", "complex128"}
FLOATS: Final = frozenset({"float16", "bfloat16", "float32", "float64"})
KEEPS_DTYPE: Final = words("""
    abs absolute alpha_dropout ceil clone contiguous detach dropout fix floor frac hardtanh neg negative positive
    relu relu6 round sign sgn square trunc zeros_like ones_like full_like empty_like rand_like randn_like flip roll
    tril triu max min amax amin median cumsum
""")
ELEMENTWISE: Final = words("""
    add sub subtract mul multiply maximum minimum fmax fmin clamp clip clamp_min clamp_max
""")
#: give the same numbers in another shape
VIEWS: Final = words("""
    t transpose permute movedim swapaxes view reshape flatten unflatten unsqueeze squeeze expand expand_as select
    narrow repeat tile diagonal
""")
NO_SIZES: Final = ast.dump(ast.Tuple([], ast.Load()))
NORMS: Final = words("norm vector_norm")
REDUCES: Final = words("sum mean prod std var norm logsumexp all any")
AS_OTHER: Final = frozenset({"expand_as", "reshape_as", "view_as"})
PRODUCTS: Final = frozenset({"dot", "vdot"})  #: of two vectors of one dtype
TRANSPOSED: Final = frozenset({"T", "mT", "H", "mH"})
LIKE: Final = words("""
    zeros_like ones_like full_like empty_like
""")
#: functions that are given sizes, and make a tensor of floats unless they are told another dtype
SIZED: Final = frozenset(f"torch.{name}" for name in words("zeros ones empty rand randn"))
DEFAULT_DTYPE: Final = "float()"
#: functions of two tensors that give one number, unless they are told not to
LOSSES: Final = words("""
    mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy nll_loss kl_div binary_cross_entropy
    binary_cross_entropy_with_logits
""")


class Meta(NamedTuple):
    """What is known of a tensor's shape and dtype.

    A shape is the set of shapes that were broadcast together; the empty set is the shape of a 0-dim tensor.
    """

    shape: Shape | None = None
    dtype: str | None = None  #: "bool", or an id such as "x@4", "float(x@4)"

    @property
    def is_0d(self) -> bool:
        return self.shape == SCALAR_SHAPE

    @property
    def is_bool(self) -> bool:
        return self.dtype == "bool"

    @property
    def is_arithmetic(self) -> bool:
        """True if the dtype is proven to be that of numbers: the result of arithmetic, or a named one."""
        return self.dtype is not None and self.dtype != "bool" and ("(" in self.dtype or self.dtype in CONCRETE)


UNKNOWN_META: Final = Meta()


def same_meta(a: Meta, b: Meta) -> bool:
    """True if shape and dtype are proven equal."""
    return a.shape is not None and a.shape == b.shape and a.dtype is not None and a.dtype == b.dtype


def may_agree(a: Meta, b: Meta) -> bool:
    """True if nothing speaks against equal shapes and dtypes, and the shapes have something in common."""
    if a.dtype != b.dtype and (a.dtype in CONCRETE or b.dtype in CONCRETE):
        return False
    if a.shape is None or b.shape is None:
        return False
    if a.shape == b.shape or a.shape & b.shape:
        return True
    return len(a.shape) == len(b.shape) == 1 and not any(each.endswith(OPAQUE) for each in a.shape | b.shape)


def meta(node: ast.expr, facts: Facts, depth: int = DEPTH) -> Meta:
    """Shape and dtype of the tensor that `node` gives."""
    known = facts.metas.get((node, depth))
    if known is None:
        known = facts.metas[node, depth] = _meta(node, facts, depth)
    return known


def _meta(node: ast.expr, facts: Facts, depth: int) -> Meta:
    traits = facts.value(node).traits
    found = _by_syntax(node, facts, depth) if depth else UNKNOWN_META
    if traits & ZERO_DIM:
        found = found._replace(shape=SCALAR_SHAPE)
    if traits & FLOATING:
        found = found._replace(dtype=floating(found.dtype))
    return found._replace(dtype="bool") if traits & BOOL else found


def _by_syntax(node: ast.expr, facts: Facts, depth: int) -> Meta:
    """The meta of an expression by what it is: a name, arithmetic, an index, a call."""
    match node:
        case ast.Name():
            return _name(node, facts, depth)
        case ast.Attribute(value=value, attr=attr) if attr in TRANSPOSED and facts.kinds(value) == TENSOR:
            base = meta(value, facts, depth - 1)
            return base._replace(shape=derived.operated(attr, [value], lambda each: _shape(each, facts, depth)))
        case ast.Attribute() if (path := dotted(node)) and facts.kinds(node) == TENSOR:
            return Meta(frozenset({f"{path}@"}), f"{path}@")
        case ast.BinOp(left=left, op=op, right=right):
            return _arithmetic(left, op, right, facts, depth)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=operand):
            return meta(operand, facts, depth - 1)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(op, NOT_ELEMENTWISE):
            return Meta(_broadcast(left, right, facts, depth), "bool")
        case ast.Subscript(value=value) if facts.kinds(value) == TENSOR:
            shape = derived.indexed(node, facts, lambda each: _shape(each, facts, depth))
            return Meta(shape, meta(value, facts, depth - 1).dtype)
        case ast.Call():
            return _call(node, facts, depth)
    return UNKNOWN_META


NOT_ELEMENTWISE = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


def _name(node: ast.Name, facts: Facts, depth: int) -> Meta:
    return meta_of(node.id, definition(node, facts), facts, depth)


def meta_of(name: str, found: Definition, facts: Facts, depth: int = DEPTH) -> Meta:
    """Shape and dtype of a name, from its definition."""
    if found.value is None:
        return Meta(frozenset({f"{name}@{found.row}"}), f"{name}@{found.row}")
    known, opaque = meta(found.value, facts, depth - 1), f"{name}@{found.row}{OPAQUE}"
    return Meta(frozenset({opaque}) if known.shape is None else known.shape, known.dtype or opaque)


def is_number(node: ast.expr, facts: Facts) -> bool:
    """True for a Python number or size, known while tracing."""
    kinds = facts.kinds(node)
    return bool(kinds) and not kinds & ~(CONSTANT | SYMINT) and callee.is_quiet(node, facts)


def _shape(node: ast.expr, facts: Facts, depth: int) -> Shape | None:
    return SCALAR_SHAPE if is_number(node, facts) else meta(node, facts, depth - 1).shape


def _broadcast(left: ast.expr, right: ast.expr, facts: Facts, depth: int) -> Shape | None:
    a, b = _shape(left, facts, depth), _shape(right, facts, depth)
    return None if a is None or b is None else a | b


def _arithmetic(left: ast.expr, op: ast.operator, right: ast.expr, facts: Facts, depth: int) -> Meta:
    """The meta of `left op right`: the shapes broadcast, the dtypes promoted as far as that is known."""
    if isinstance(op, ast.MatMult):
        one, other = meta(left, facts, depth - 1).dtype, meta(right, facts, depth - 1).dtype
        made = derived.operated("@", [left, right], lambda each: _shape(each, facts, depth))
        return Meta(made, one if one == other else None)
    shape = _broadcast(left, right, facts, depth)
    if isinstance(op, ast.LShift | ast.RShift):
        return Meta(shape)
    if is_number(left, facts) or is_number(right, facts):
        tensor, number = (right, left) if is_number(left, facts) else (left, right)
        base = meta(tensor, facts, depth - 1).dtype
        return Meta(shape, _with_number(base, number, op, facts))
    a, b = meta(left, facts, depth - 1).dtype, meta(right, facts, depth - 1).dtype
    base = a if a == b else None
    return Meta(shape, floating(base) if isinstance(op, ast.Div) else base)


def _with_number(base: str | None, number: ast.expr, op: ast.operator, facts: Facts) -> str | None:
    """dtype of an operation with a Python number: the tensor's own, unless that is of a lower category."""
    value = facts.value(number)
    if isinstance(op, ast.Div) or isinstance(value.const, float):
        return floating(base)
    if isinstance(value.const, bool) or (value.const is MISSING and value.kinds != SYMINT):
        return base if base in FLOATS else None
    return base if base is None or base in CONCRETE - {"bool"} or "(" in base else f"int({base})"


def floating(base: str | None) -> str | None:
    """dtype of the same tensor once it must be floating."""
    if base is None or base in FLOATS:
        return base
    return f"float({base.removeprefix('int(').rstrip(')')})" if not base.startswith("float(") else base


def _call(node: ast.Call, facts: Facts, depth: int) -> Meta:
    """The meta of what a call of torch returns; of a function of this file, that of its result."""
    name = facts.resolve(node.func)
    entry = torch_api.function(name) if name else None
    if name is None or entry is None:
        return _project_call(node, facts, depth)
    last = name.rpartition(".")[2]
    operands = tensor_arguments(node, facts)
    if not operands:
        return _of_numbers(node, name, facts, depth)
    base = meta(operands[0], facts, depth - 1)
    if last in DTYPES and not node.args:
        return base._replace(dtype=DTYPES[last])
    if last in ("to", "type", "type_as"):
        return base._replace(dtype=_target_dtype(node, facts, depth) or (base.dtype if last == "to" else None))
    if last in ("reshape", "view") and [*map(ast.dump, node.args)][-1:] == [NO_SIZES]:
        return Meta(SCALAR_SHAPE, base.dtype)
    if last == "where" and len(node.args) == 3:
        return _where(node, facts, depth)
    if last == "masked_fill" and len(operands) > 1:
        return Meta(_elementwise(operands[:2], facts, depth).shape, base.dtype)
    dtype = entry.dtype and {"long": "int64"}.get(entry.dtype, entry.dtype)
    if entry.reduces_full and is_full_reduction(node, facts):
        return Meta(SCALAR_SHAPE, dtype or (base.dtype if last in KEEPS_DTYPE else f"{last}({base.dtype})"))
    if last in AS_OTHER and len(operands) == 2:
        return Meta(meta(operands[1], facts, depth - 1).shape, base.dtype)
    if last in PRODUCTS:
        return Meta(SCALAR_SHAPE, base.dtype)
    if last in LOSSES:
        return Meta(SCALAR_SHAPE if _is_one_number(node, facts) else None)
    if last in LIKE:
        return (
            base if not any(word.arg in ("dtype", "layout", "device") for word in node.keywords) else Meta(base.shape)
        )
    if last in ELEMENTWISE and len(operands) > 1:
        return _elementwise(operands, facts, depth)
    if not (entry.same or (entry.same_with_numbers and len(operands) == 1)):
        reduces = entry.reduces_full and last not in ELEMENTWISE
        found = Meta(None, dtype) if reduces else _comparison(operands, dtype, facts, depth)
        return found if found.shape is not None else _derived(node, last, entry, found, base.dtype, facts, depth)
    return Meta(base.shape, dtype or (base.dtype if last in KEEPS_DTYPE else floating(base.dtype)))


def _of_numbers(node: ast.Call, name: str, facts: Facts, depth: int) -> Meta:
    """`torch.zeros(2, 3)`, and `torch.tensor(0)`: of a float, it has the default dtype, which is set somewhere else."""
    if name in SIZED:
        named = any(word.arg == "dtype" for word in node.keywords)
        return Meta(derived.sized(node, facts), _target_dtype(node, facts, depth) if named else DEFAULT_DTYPE)
    if name not in ("torch.tensor", "torch.as_tensor") or len(node.args) != 1 or not is_number(node.args[0], facts):
        return UNKNOWN_META
    kind = {bool: "bool", int: "int64"}.get(type(facts.value(node.args[0]).const))
    named = any(word.arg == "dtype" for word in node.keywords)
    return Meta(SCALAR_SHAPE, _target_dtype(node, facts, depth) if named else kind)


def _is_one_number(node: ast.Call, facts: Facts) -> bool:
    """True for a loss that is averaged or added up."""
    words = {word.arg: facts.value(word.value).const for word in node.keywords}
    old_style = len(node.args) > 3 or words.keys() & {None, "size_average", "reduce"}
    return not old_style and words.get("reduction", "mean") in ("mean", "sum")


def _derived(
    node: ast.Call, last: str, entry: torch_api.Entry, found: Meta, base: str | None, facts: Facts, depth: int
) -> Meta:
    """The meta of a result whose shape is not computed, but named after the function and its arguments."""
    method = isinstance(node.func, ast.Attribute) and facts.kinds(node.func.value) == TENSOR
    receiver = [node.func.value] if method and isinstance(node.func, ast.Attribute) else []
    given: list[ast.expr | ast.keyword] = [*receiver, *node.args, *node.keywords]
    shape = derived.called(last, entry, given, facts, lambda each: _shape(each, facts, depth))
    text = min(shape or {"torch."})
    if found.dtype is not None or base is None or "torch." in text or last not in VIEWS | REDUCES:
        return Meta(shape, found.dtype)
    return Meta(shape, base if last in VIEWS else f"{last}({base})")


def _project_call(node: ast.Call, facts: Facts, depth: int) -> Meta:
    """The meta of what a function of this file returns, translated for the caller."""
    function = callee.callee(node, facts)
    value = callee.result(function) if function is not None else None
    if function is None or value is None:
        return UNKNOWN_META
    given, inside = callee.arguments(node, function, facts), meta(value, facts, depth - 1)
    dtype = inside.dtype and callee.outside(inside.dtype, node, given, lambda each: meta(each, facts, depth - 1).dtype)
    shapes = [_outside(each, node, given, facts, depth) for each in inside.shape or ()]
    known = [each for each in shapes if each is not None]
    whole = inside.shape is not None and len(known) == len(shapes)
    return Meta(frozenset().union(*known) if whole else None, dtype)


def _outside(text: str, node: ast.Call, given: dict[str, ast.expr], facts: Facts, depth: int) -> Shape | None:
    name, _, row = text.partition("@")
    if name in given and row == "0":
        return _shape(given[name], facts, depth)
    found = callee.outside(text, node, given, lambda each: None)
    return None if found is None else frozenset({found})


def _elementwise(operands: list[ast.expr], facts: Facts, depth: int) -> Meta:
    """The meta of operands that are broadcast together; the dtype is known if all have the same."""
    known = [meta(operand, facts, depth - 1) for operand in operands]
    shapes = [each.shape for each in known if each.shape is not None]
    dtypes = {each.dtype for each in known}
    shape: Shape | None = frozenset().union(*shapes) if len(shapes) == len(known) else None
    return Meta(shape, known[0].dtype if len(dtypes) == 1 else None)


def _comparison(operands: list[ast.expr], dtype: str | None, facts: Facts, depth: int) -> Meta:
    if dtype != "bool":
        return Meta(None, dtype)
    shapes = [meta(operand, facts, depth - 1).shape for operand in operands]
    known = [shape for shape in shapes if shape is not None]
    return Meta(frozenset().union(*known) if len(known) == len(shapes) else None, dtype)


def _where(node: ast.Call, facts: Facts, depth: int) -> Meta:
    condition, a, b = (meta(argument, facts, depth - 1) for argument in node.args)
    if type(facts.value(node.args[2]).const) is int and a.is_arithmetic:
        b = Meta(SCALAR_SHAPE, a.dtype)  # an integer takes the dtype of numbers
    elif type(facts.value(node.args[1]).const) is int and b.is_arithmetic:
        a = Meta(SCALAR_SHAPE, b.dtype)
    if condition.shape is None or a.shape is None or b.shape is None:
        return UNKNOWN_META
    return Meta(condition.shape | a.shape | b.shape, a.dtype if a.dtype == b.dtype else None)


def _target_dtype(node: ast.Call, facts: Facts, depth: int) -> str | None:
    """The dtype that `.to(...)` names: `torch.float16`, or that of another tensor."""
    for argument in (*node.args, *(word.value for word in node.keywords)):
        name = (facts.resolve(argument) or "").removeprefix("torch.")
        if name in CONCRETE:
            return name
        if isinstance(argument, ast.Attribute) and argument.attr == "dtype":
            return meta(argument.value, facts, depth - 1).dtype
        if facts.kinds(argument) == TENSOR:
            return meta(argument, facts, depth - 1).dtype
    return None


def tensor_arguments(node: ast.Call, facts: Facts) -> list[ast.expr]:
    """The tensors a call works on, the receiver of a method first."""
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    candidates = [*receiver, *node.args, *(word.value for word in node.keywords)]
    return [each for each in candidates if facts.kinds(each) == TENSOR]


def is_full_reduction(node: ast.Call, facts: Facts) -> bool:
    """True if a reducing call names no dimension, so that its result is 0-dim."""
    method = isinstance(node.func, ast.Attribute) and facts.kinds(node.func.value) == TENSOR
    others = len(node.args) - (0 if method else 1)
    ordered = (facts.resolve(node.func) or "").rpartition(".")[2] in NORMS  # takes which norm it is first
    return others <= ordered and {word.arg for word in node.keywords} <= (
        {"dtype", "p", "ord"} if ordered else {"dtype"}
    )
