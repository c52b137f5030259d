"""Masks that are dropped where they hold everywhere, `if mask.all(): mask = None`: compiled code keeps them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import BOOL, DATA, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.shapes import assignment, block_of, mentions, mentions_inside
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Keep the mask while compiling"
CAVEAT: Final = (
    "Compiled code applies the mask where it holds everywhere, too; it must not be larger than what it is applied to, "
    "nor change the dtype of that."
)
ASKS: Final = frozenset({"torch.all", "torch.Tensor.all"})
CASTS: Final = frozenset({"to", "float", "type_as", "unsqueeze"})


def needless_mask(node: ast.If, facts: Facts) -> Fix | None:
    """The same branch in eager mode alone, if a mask that holds everywhere changes nothing; None if it may."""
    mask, torch = _dropped(node, facts), torch_name(facts, node)
    if mask is None or torch is None or not is_only_applied(mask.id, node, facts):
        return None
    if not is_mask(mask, facts) and not _fills(mask.id, node, facts):
        return None

    return Fix(TITLE, Applicability.UNSAFE, lambda site: (in_eager_mode(node, torch, site),), CAVEAT, ("torch",))


def in_eager_mode(node: ast.If, torch: str, site: Site) -> Edit:
    """The test asked in eager mode alone."""
    parts = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    tests = [f"not {torch}.compiler.is_compiling()", *(site.code(each) for each in parts)]
    return site.expression(node.test, " and ".join(tests), inside=True)


def _dropped(node: ast.If, facts: Facts) -> ast.Name | None:
    """The tensor whose name gets None if all its elements are true."""
    match node:
        case ast.If(body=[ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None))], orelse=[]):
            pass
        case _:
            return None
    mask = asked_whole(node.test, facts)
    return mask if mask is not None and mask.id == name else None


def asked_whole(test: ast.expr, facts: Facts) -> ast.Name | None:
    """The tensor of `mask.all()`, joined by `and` to what Python knows."""
    is_and = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    *static, last = test.values if isinstance(test, ast.BoolOp) and is_and else [test]
    match last:
        case ast.Call(func=ast.Attribute(value=ast.Name() as mask), args=[], keywords=[]):
            pass
        case ast.Call(args=[ast.Name() as mask], keywords=[]):
            pass
        case _:
            return None
    asks = facts.resolve(last.func) in ASKS and facts.kinds(mask) == TENSOR
    plain = all(isinstance(each, ast.Compare) and not facts.kinds(each) & DATA for each in static)
    return mask if asks and plain else None


def is_mask(node: ast.expr, facts: Facts) -> bool:
    value = facts.value(node)
    return value.kinds == TENSOR and bool(value.traits & BOOL or meta(node, facts).is_bool)


def _fills(name: str, node: ast.If, facts: Facts) -> bool:
    """True if `masked_fill(~mask, ...)`, which takes nothing but bools, is given the tensor behind the branch."""
    function = facts.function(node)
    calls = [each for each in walk(function) if isinstance(each, ast.Call)] if function is not None else []
    for each in (each for each in calls if each.lineno > node.lineno):
        match each:
            case ast.Call(func=ast.Attribute(attr="masked_fill"), args=[ast.UnaryOp(operand=mask), _]):
                inner = mask.value if isinstance(mask, ast.Subscript) else mask
                if isinstance(inner, ast.Name) and inner.id == name:
                    return True
    return False


def is_only_applied(name: str, node: ast.stmt, facts: Facts) -> bool:
    """True if all that becomes of the mask behind a statement is that it is applied, where it is not None."""
    function, parent = facts.function(node), facts.parent(node)
    if function is None or parent is not function:
        return False
    used = mentions(function, name)
    block = block_of(node, function)
    rest = block[block.index(node) + 1 :]
    behind = {each for statement in rest for each in walk(statement)}
    applied = {each for each in rest if isinstance(each, ast.If) and _applies(each, name, facts)}
    inside = {each for statement in applied for each in walk(statement)}
    return len(used) == len(mentions_inside(function, name)) and all(
        each not in behind or each in inside for each in used
    )


def _applies(node: ast.If, name: str, facts: Facts) -> bool:
    """True for `if mask is not None:` around nothing but uses of it that change nothing where it is True."""
    match node.test:
        case ast.Compare(left=ast.Name(id=found), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return found == name and not node.orelse and all(_is_neutral(each, name, facts) for each in node.body)
    return False


def _is_neutral(statement: ast.stmt, name: str, facts: Facts) -> bool:
    """True for `x = x.masked_fill(~mask, 0)` and `x = x * mask`."""
    parts = assignment(statement)
    if parts is None or parts.augmented is not None or not isinstance(parts.target, ast.Name):
        return False
    match parts.value:
        case ast.Call(
            func=ast.Attribute(value=kept, attr="masked_fill"),
            args=[ast.UnaryOp(op=ast.Invert(), operand=mask), fill],
            keywords=[],
        ):
            fits = is_number(fill, facts)
        case ast.BinOp(left=kept, op=ast.Mult(), right=mask):
            fits = True
        case _:
            return False
    is_same = isinstance(kept, ast.Name) and kept.id == parts.target.id and facts.kinds(kept) == TENSOR
    return fits and is_same and _is_all(mask, name)


def _is_all(node: ast.expr, name: str) -> bool:
    """True for the mask with more dimensions, or cast."""
    match node:
        case ast.Name(id=found):
            return found == name
        case ast.Call(func=ast.Attribute(value=inner, attr=last)) if last in CASTS:
            return _is_all(inner, name)
        case ast.Subscript(value=inner, slice=index):
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            return all(_is_whole(each) for each in parts) and _is_all(inner, name)
    return False


def _is_whole(part: ast.expr) -> bool:
    """True for `:`, `...` and `None`."""
    if isinstance(part, ast.Slice):
        return part.lower is part.upper is part.step is None
    return isinstance(part, ast.Constant) and part.value in (None, ...)
