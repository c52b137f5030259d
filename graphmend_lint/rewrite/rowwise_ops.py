"""What torch's functions and methods make of rows, for `rowwise`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.rewrite.rowwise_values import (
    FOREIGN,
    INDEX,
    NUMBER,
    PLAIN,
    Count,
    Frame,
    Many,
    NotRowWise,
    Rows,
    Seen,
    Sizes,
    is_plain,
    plain_of,
)
from graphmend_lint.shapes import told_to_change

if TYPE_CHECKING:
    from graphmend_lint.rewrite.rowwise import RowWise

#: act on each element; the last ones may give what they are given, or a part of it
ELEMENTWISE: Final = words("""
    abs add sub subtract mul multiply div divide neg exp expm1 log log1p sqrt rsqrt pow square sigmoid tanh relu gelu
    silu elu selu leaky_relu softplus hardtanh relu6 mish hardswish hardsigmoid logsigmoid clamp clip clamp_min
    clamp_max minimum maximum where masked_fill nan_to_num sin cos erf round floor ceil sign logical_not logical_and
    logical_or eq ne lt le gt ge lerp addcmul zeros_like ones_like clone
    to float half bfloat16 double type type_as contiguous detach
""")
KEEPS: Final = words("to float half bfloat16 double type type_as contiguous detach")
#: take a batch first, and treat its members alike
BATCHED: Final = words("""
    linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d layer_norm rms_norm group_norm
    interpolate adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d
    max_pool1d max_pool2d max_pool3d pixel_shuffle matmul
""")
#: act on the last dimension, however many there are before it
ANY_RANK: Final = words("linear layer_norm rms_norm matmul")
REDUCE: Final = words("mean sum amax amin std var norm prod logsumexp all any")
ALONG: Final = words("softmax log_softmax cumsum normalize")
CREATE: Final = words("zeros ones empty full eye arange tensor as_tensor finfo iinfo Size")


def elementwise(values: Sequence[Seen]) -> Seen:
    """What arithmetic makes of its operands."""
    rows = [each for each in values if isinstance(each, Rows)]
    if any(not isinstance(each, Rows) and not is_plain(each) for each in values):
        raise NotRowWise("the number of rows is used")
    if not rows:
        return NUMBER if all(each is NUMBER for each in values) else plain_of(values)
    if FOREIGN in values:
        raise NotRowWise("a tensor from outside may have a row for each selected one")
    if len({each.exact for each in rows}) > 1:
        raise NotRowWise("rows of different number")
    broad = any(each is PLAIN for each in values)
    ranks = [each.rank for each in rows if each.rank is not None]
    rank = max(ranks) if len(ranks) == len(rows) and not broad else None
    return Rows(rank, rows[0].exact, False, all(each.placed for each in rows) and not broad)


def number(node: ast.expr | None) -> int | None:
    """An int as written, signed."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def is_basic(node: ast.expr) -> bool:
    """True for an index that gives a view: a slice, a number, None, `...`."""
    return isinstance(node, ast.Slice | ast.Constant) or number(node) is not None


def size(sizes: Sizes, at: int | None) -> Seen:
    """`shape[at]`."""
    if at is None or (at < 0 and sizes.rank is None):
        raise NotRowWise("which size is meant is not known")
    at = at + (sizes.rank or 0) if at < 0 else at
    return Count(sizes.exact) if at == 0 else NUMBER


def function(last: str, full: str, given: list[ast.expr], node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    if full.startswith("math.") or last in CREATE:
        return _made(last, node, run, frame)
    if last in ("cat", "concat", "stack"):
        return _together(last, node, run, frame)
    if last in ("bmm", "baddbmm"):
        return elementwise([run.eval(each, frame) for each in given])
    if not given:
        raise NotRowWise(node)
    first = run.eval(given[0], frame)
    if last == "where" and len(given) == 3 and not node.keywords:
        return elementwise([run.eval(each, frame) for each in given])
    if isinstance(first, Rows):
        value = _applied(last, first, given[1:], node, run, frame)
        changed = told_to_change(node) is not None
        run.copies |= changed and first.shared
        return value._replace(shared=first.shared) if changed and isinstance(value, Rows) else value
    if told_to_change(node) is not None and not isinstance(first, Rows):
        raise NotRowWise(node)
    if is_plain(first) and last in ELEMENTWISE - {"where"}:
        return elementwise([run.eval(each, frame) for each in given])
    if is_plain(first) and last in BATCHED | REDUCE | ALONG | {"pad"} and _rest_is_plain(given[1:], node, run, frame):
        return first
    raise NotRowWise(node)


def _made(last: str, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """`torch.zeros(n, 3)`: rows, if `n` is their number."""
    values = [run.eval(each, frame) for each in (*node.args, *(word.value for word in node.keywords))]
    if all(map(is_plain, values)):
        return plain_of(values)
    first = values[0].items[0] if isinstance(values[0], Many) else values[0]
    others = [*(values[0].items if isinstance(values[0], Many) else ()), *values][1:]
    if last in ("zeros", "ones", "full") and isinstance(first, Count) and all(map(is_plain, others[:-1])):
        return Rows(None, first.exact)
    raise NotRowWise(node)


def method(name: str, owner: Rows | Sizes | Seen, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    if owner is INDEX:
        if name in ("numel", "nelement") and not node.args:
            return Count(True)
        if name == "size" and len(node.args) == 1 and number(node.args[0]) == 0:
            return Count(True)
    if isinstance(owner, Rows):
        if name == "size":
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            sizes = Sizes(owner.rank, owner.exact, of.id if isinstance(of, ast.Name) else None)
            return size(sizes, number(node.args[0])) if node.args else sizes
        if name in ("dim", "is_floating_point", "get_device"):
            return PLAIN
        if name.startswith("new_"):
            return _made(name.removeprefix("new_"), node, run, frame)
        return _applied(name, owner, node.args, node, run, frame)
    raise NotRowWise(node)


def _rest_is_plain(given: list[ast.expr], node: ast.Call, run: RowWise, frame: Frame) -> bool:
    return all(is_plain(run.eval(each, frame)) for each in (*given, *(word.value for word in node.keywords)))


def _applied(last: str, rows: Rows, given: list[ast.expr], node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """A function or method whose first argument is rows."""
    if last.endswith("_") and last[:-1] in ELEMENTWISE - KEEPS:
        run.copies |= rows.shared
        value = _applied(last[:-1], rows, given, node, run, frame)
        return value._replace(shared=rows.shared) if isinstance(value, Rows) else value
    if run.masked and last not in ELEMENTWISE | ANY_RANK:
        raise NotRowWise(node)
    if last in ("view", "reshape", "expand"):
        return _viewed(last, rows, given, node, run, frame)
    words_given = {word.arg: word.value for word in node.keywords}
    if words_given.keys() & {"out"}:
        raise NotRowWise(node)
    if last in ELEMENTWISE:
        others = [run.eval(each, frame) for each in (*given, *words_given.values())]
        if last in KEEPS:
            return rows if all(is_plain(each) or isinstance(each, Rows) for each in others) else _no(node)
        return elementwise([rows, *others])
    if not _rest_is_plain(given, node, run, frame):
        raise NotRowWise(node)
    if last in BATCHED:
        return Rows(rows.rank, rows.exact, False, rows.placed)
    return _arranged(last, rows, given, words_given, node)


def _no(node: ast.AST) -> Rows:
    raise NotRowWise(node)


def is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _arranged(last: str, rows: Rows, given: list[ast.expr], named: dict[str | None, ast.expr], node: ast.Call) -> Seen:
    """The value of a function that is told which dimensions it is about."""
    dims = _dims(last, given, named)
    if not rows.placed or dims is None:
        raise NotRowWise(node)
    if last == "pad":
        pads = len(given[0].elts) if given and isinstance(given[0], ast.Tuple | ast.List) else 0
        return rows._replace(shared=False) if pads and rows.rank is not None and pads // 2 < rows.rank else _no(node)
    if last == "unsqueeze":
        return _moved(rows, 1) if dims != [0] and len(dims) == 1 else _no(node)
    if last in ("permute", "movedim"):
        return rows if dims and dims[0] == 0 and last == "permute" else _no(node)
    if not dims or not all(_is_inner(each, rows) for each in dims):
        raise NotRowWise(node)
    if last in REDUCE:
        kept = is_true(named.get("keepdim")) or any(is_true(each) for each in given[1:])
        return _moved(rows._replace(shared=False), 0 if kept else -len(dims))
    if last in ALONG:
        return rows._replace(shared=False)
    if last in ("transpose", "swapaxes", "flip", "roll"):
        return rows
    if last == "squeeze":
        return rows._replace(rank=None)
    if last == "flatten":
        return rows._replace(rank=_flat(rows, dims))
    raise NotRowWise(node)


def _is_inner(dim: int, rows: Rows) -> bool:
    """True for a dimension that is not that of the rows."""
    return dim > 0 or (dim < 0 and rows.rank is not None and dim > -rows.rank)


def _moved(rows: Rows, by: int) -> Rows:
    return rows._replace(rank=None if rows.rank is None else rows.rank + by)


def _flat(rows: Rows, dims: list[int]) -> int | None:
    start, end = [*dims, -1][:2]
    if rows.rank is None:
        return 2 if (start, end) == (1, -1) else None
    return rows.rank - ((end % rows.rank) - (start % rows.rank))


def _dims(last: str, given: list[ast.expr], named: dict[str | None, ast.expr]) -> list[int] | None:
    """The dimensions that a call names; None if they are not numbers."""
    if last == "pad":
        return []
    if last in ("permute", "transpose", "swapaxes", "flatten"):
        found = given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List) else list(given)
        found += [named[key] for key in ("start_dim", "dim0", "end_dim", "dim1") if key in named]
    else:
        places = {"norm": 1, "normalize": 1, "roll": 1}.get(last, 0)
        one = named.get("dim", named.get("dims", given[places] if len(given) > places else None))
        found = [] if one is None else one.elts if isinstance(one, ast.Tuple | ast.List) else [one]
        if last == "normalize" and one is None:
            return [1]
    numbers = [number(each) for each in found]
    return None if None in numbers else [each for each in numbers if each is not None]


def _viewed(last: str, rows: Rows, given: list[ast.expr], node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """The value of `rows.view(n, ...)`: its first dimension is that of the rows, or of several for each."""
    shape = given[0].elts if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List) else given
    if node.keywords or not shape or not rows.placed:
        raise NotRowWise(node)
    first, *rest = shape
    if not all(is_plain(run.eval(each, frame)) for each in rest):
        raise NotRowWise(node)
    count = run.eval(first, frame)
    if last == "expand":
        same = number(first) == -1 or count == Count(rows.exact)
        return rows._replace(rank=len(shape), shared=True) if same else _no(node)
    if number(first) == -1:
        return Rows(len(shape), False, rows.shared)
    return Rows(len(shape), count.exact, rows.shared) if isinstance(count, Count) else _no(node)


def _together(last: str, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """`torch.cat([rows, rows], dim=1)`."""
    parts = node.args[0].elts if node.args and isinstance(node.args[0], ast.Tuple | ast.List) else []
    named = [word.value for word in node.keywords if word.arg in ("dim", "axis")]
    dim = number(named[0] if named else node.args[1] if len(node.args) > 1 else None)
    values = [run.eval(each, frame) for each in parts]
    if values and all(map(is_plain, values)):
        return plain_of(values)
    rows = [each for each in values if isinstance(each, Rows)]
    if len(rows) < len(values) or not values or dim is None or not all(each.placed for each in rows):
        raise NotRowWise(node)
    if not (run.masked or _is_inner(dim, rows[0])) or len({each.exact for each in rows}) > 1:
        raise NotRowWise(node)
    if run.masked and (last == "stack" or dim != -1):
        raise NotRowWise(node)
    rank = rows[0].rank
    return Rows(rank if rank is None or last != "stack" else rank + 1, rows[0].exact)
