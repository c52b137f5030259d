"""Whether a tensor that is used as an index may be a mask: how many elements a mask picks is up to the data."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import VIEWS, words
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.shapes import walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 8  #: definitions followed before the answer is "it may be"
KEEPS: Final = VIEWS | words("contiguous clone detach cpu cuda")
INDICES: Final = words("argsort argmax argmin bucketize searchsorted multinomial")
LOGICAL: Final = words("any all logical_not logical_and logical_or logical_xor masked_fill masked_select where")
ARITHMETIC: Final = (ast.Add, ast.Sub, ast.FloorDiv, ast.Mod)


def may_mask(node: ast.expr, facts: Facts, depth: int = DEPTH) -> bool:
    """True unless the tensor is proven to hold numbers, or is a parameter that nothing treats as a mask."""
    value = facts.value(node)
    if value.kinds != TENSOR or value.traits & BOOL or not depth:
        return True
    if value.traits & INTEGRAL:
        return False
    match node:
        case ast.BinOp(op=op):
            return not isinstance(op, ARITHMETIC)
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if facts.resolve(node.func) == f"torch.Tensor.{name}":
            return name not in INDICES and (name not in KEEPS or may_mask(base, facts, depth - 1))
        case ast.Call():
            return not _counts(node, facts) and (facts.resolve(node.func) or "").rpartition(".")[2] not in INDICES
        case ast.Subscript(value=ast.Name() as base, slice=ast.Constant(value=int())):
            given = _is_parameter(base, facts) and definition(base, facts).row == 0 and not _is_asked(base, facts)
            return not given and may_mask(base, facts, depth - 1)
        case ast.Name():
            found = definition(node, facts)
            made = _one_of_several(node, found.row, facts) if found.value is None else found.value
            if made is not None:
                return may_mask(made, facts, depth - 1) or _is_asked(node, facts)
            return found.row != 0 or not _is_parameter(node, facts) or _is_asked(node, facts)
    return True


def _one_of_several(node: ast.Name, row: int, facts: Facts) -> ast.expr | None:
    """What `a, b = x, y` gives the name."""
    function = facts.function(node)
    for each in walk_function(function) if function is not None and row > 0 else ():
        match each:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values), lineno=at) if at == row:
                pairs = zip(names, values, strict=False) if len(names) == len(values) else ()
                return next((value for name, value in pairs if _is(name, node.id)), None)
    return None


def _counts(node: ast.Call, facts: Facts) -> bool:
    """True for `torch.arange(n)` with sizes."""
    plain = not node.keywords or {each.arg for each in node.keywords} <= {"device"}
    sized = not any(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in node.args)
    return facts.resolve(node.func) == "torch.arange" and plain and sized


def _is_parameter(node: ast.Name, facts: Facts) -> bool:
    function = facts.function(node)
    given = [] if function is None else [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return node.id in {each.arg for each in given}


def _is_asked(node: ast.Name, facts: Facts) -> bool:
    """True if the function does with the name what is done with masks."""
    function = facts.function(node)
    return function is not None and any(_treats_as_mask(each, node.id) for each in walk_function(function))


def _treats_as_mask(node: ast.AST, name: str) -> bool:
    match node:
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
            return _is(operand, name)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
            return _is(left, name) or _is(right, name)
        case ast.Call(func=ast.Attribute(value=base, attr=called), args=given) if called in LOGICAL:
            return _is(base, name) or (bool(given) and _is(given[0], name))
    return False


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
