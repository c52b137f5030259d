"""How many dimensions a tensor has, where the code shows it. Worked out on demand, for few nodes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import arguments, runs_function
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, CONTAINER, MISSING, SYMINT, TENSOR, ZERO_DIM
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 24  #: steps from expression to expression before the answer is "not known"
NUMBER: Final = CONSTANT | SYMINT
KEEPS: Final = frozenset(
    "contiguous clone detach float double half long int bool to cpu cuda abs exp log sqrt neg conj relu sigmoid tanh "
    "softmax log_softmax dropout transpose roll flip sort argsort cumsum masked_fill clamp topk fft ifft rfft irfft "
    "triu tril type_as".split()
)
REDUCES: Final = frozenset("sum mean amax amin argmax argmin prod std var max min median".split())
LISTS_SIZES: Final = frozenset("permute view reshape expand".split())
FLAT: Final = frozenset("arange linspace randperm".split())
PAIRS: Final = frozenset("topk sort max min median".split())  #: values and places, of one rank


def rank(node: ast.expr, facts: Facts, depth: int = DEPTH) -> int | None:
    """The number of dimensions of a tensor; 0 for a number; None if it is not known."""
    value = facts.value(node)
    if value.traits & ZERO_DIM or (value.kinds and not value.kinds & ~NUMBER):
        return 0
    if depth == 0:
        return None
    match node:
        case ast.Name():
            given = definition(node, facts)
            if given.value is not None:
                return rank(given.value, facts, depth - 1)
            return _unpacked(node, facts) or (_passed(node, facts, depth) if given.row == 0 else None)
        case ast.BinOp(left=left, right=right) if not isinstance(node.op, ast.MatMult):
            both = rank(left, facts, depth - 1), rank(right, facts, depth - 1)
            return max(each or 0 for each in both) if None not in both else None
        case ast.UnaryOp(operand=operand):
            return rank(operand, facts, depth - 1)
        case ast.Subscript():
            return _indexed(node, facts, depth)
        case ast.Call():
            return _called(node, facts, depth)
    return None


def differ(a: ast.expr, b: ast.expr, facts: Facts) -> bool:
    """True if two tensors are proven to have different numbers of dimensions: `x` and `x[:, 0]`."""
    ranks, one, two = (rank(a, facts), rank(b, facts)), added(a, facts), added(b, facts)
    if None not in ranks:
        return ranks[0] != ranks[1]
    return one is not None and two is not None and one[0] == two[0] and one[1] != two[1]


def added(node: ast.expr, facts: Facts) -> tuple[str, int] | None:
    """The tensor that the expression begins with, and how many dimensions more the result has."""
    match node:
        case ast.Name() | ast.Attribute():
            path = dotted(node)
            return None if path is None else (path, 0)
        case ast.Subscript(value=inner, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            steps = [_step(part, facts) if facts.kinds(inner) == TENSOR else None for part in parts]
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if facts.resolve(node.func) == f"torch.Tensor.{name}":
            steps = [0] if name in KEEPS else [1] if name == "unsqueeze" else [None]
        case _:
            return None
    begin, known = added(inner, facts), [each for each in steps if each is not None]
    return None if begin is None or len(known) < len(steps) else (begin[0], begin[1] + sum(known))


def _indexed(node: ast.Subscript, facts: Facts, depth: int) -> int | None:
    inner = node.value
    if facts.kinds(inner) == CONTAINER:
        pair = isinstance(inner, ast.Call) and (facts.resolve(inner.func) or "").rpartition(".")[2] in PAIRS
        return rank(inner, facts, depth - 1) if pair else None
    found = rank(inner, facts, depth - 1) if facts.kinds(inner) == TENSOR else None
    for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
        step = _step(part, facts)
        found = None if found is None or step is None else found + step
    return found


def _step(part: ast.expr, facts: Facts) -> int | None:
    """How many dimensions a part of an index adds."""
    match part:
        case ast.Slice():
            return 0
        case ast.Constant(value=value) if value is ...:
            return 0
        case ast.Constant(value=None):
            return 1
    kinds = facts.kinds(part)
    return -1 if kinds and not kinds & ~NUMBER else None


def _called(node: ast.Call, facts: Facts, depth: int) -> int | None:
    """The rank of what a call of torch returns; None if it is not known."""
    name = facts.resolve(node.func) or ""
    owner, _, last = name.rpartition(".")
    if owner.partition(".")[0] != "torch":
        return None
    method = owner == "torch.Tensor" and isinstance(node.func, ast.Attribute)
    given = [node.func.value, *node.args] if method and isinstance(node.func, ast.Attribute) else node.args
    if last in FLAT:
        return 1
    if not given:
        return None
    if last in LISTS_SIZES:
        return _listed(given[1:], facts)
    inner = rank(given[0], facts, depth - 1)
    if inner is None:
        return None
    if last in KEEPS:
        return inner
    if last == "unsqueeze":
        return inner + 1
    return _reduced(node, given[1:], inner, facts) if last in REDUCES else None


def _listed(sizes: list[ast.expr], facts: Facts) -> int | None:
    """How many sizes or dimensions are given, one by one or as a tuple."""
    if len(sizes) == 1 and isinstance(sizes[0], ast.Tuple | ast.List):
        sizes = sizes[0].elts
    plain = all(not isinstance(each, ast.Starred) and not facts.kinds(each) & ~NUMBER for each in sizes)
    return len(sizes) if sizes and plain and all(facts.kinds(each) for each in sizes) else None


def _reduced(node: ast.Call, given: list[ast.expr], inner: int, facts: Facts) -> int | None:
    words = {word.arg: word.value for word in node.keywords}
    kept = words.get("keepdim", given[1] if len(given) > 1 else None)
    along = words.get("dim", given[0] if given else None)
    if kept is not None:
        known = facts.value(kept).const
        return inner if known is True else None if known is not False else _without(along, inner, facts)
    return _without(along, inner, facts)


def _without(along: ast.expr | None, inner: int, facts: Facts) -> int | None:
    if along is None:
        return 0
    if isinstance(along, ast.Tuple | ast.List):
        return inner - len(along.elts)
    kinds = facts.kinds(along)
    return inner - 1 if kinds and not kinds & ~NUMBER and facts.value(along).const is not MISSING else None


def _unpacked(node: ast.Name, facts: Facts) -> int | None:
    """The rank that `b, h, n = x.shape` tells, as long as `x` is not set again."""
    function = facts.function(node)
    if function is None or isinstance(function, ast.Lambda):
        return None
    found: int | None = None
    for each in walk(function):
        if isinstance(each, ast.Name) and each.id == node.id and not isinstance(each.ctx, ast.Load):
            return None
        match each:
            case ast.Assign(
                targets=[ast.Tuple(elts=names)], value=ast.Attribute(value=ast.Name(id=read), attr="shape")
            ) if read == node.id and not any(isinstance(name, ast.Starred) for name in names):
                found = len(names)
    return found


def _passed(node: ast.Name, facts: Facts, depth: int) -> int | None:
    """The rank of a parameter, if all calls in this file pass tensors of one."""
    function = facts.function(node)
    if function is None or isinstance(function, ast.Lambda) or len(facts.chain(node)) < 2:
        return None
    found: set[int | None] = set()
    for call in facts.calls():
        if runs_function(call, function, facts):
            given = arguments(call, function, facts).get(node.id)
            found.add(None if given is None else rank(given, facts, depth - 1))
    return found.pop() if len(found) == 1 else None
