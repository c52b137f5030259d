"""Functions that answer with a mask only where it leaves something out: compiled code answers with it always.

`if keep.all(): return x, None` before `return x.where(keep, 0), keep`; `if 0.0 in mask: return mask` before
`return None`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.values import DATA, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.callers import calls_of
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.needless import CAVEAT, TITLE, asked_whole, in_eager_mode, is_mask, is_only_applied
from graphmend_lint.shapes import block_of, returned, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

OTHERS: Final = " Compiled code of other files gets a mask where it used to get None."
COPIED: Final = " What is returned with the mask is a new tensor then."
FLAGS: Final = " It must hold nothing but zeros and ones."
FILLERS: Final = frozenset({"new_zeros", "new_ones", "new_full", "zeros_like", "ones_like", "full_like"})


class Answer(NamedTuple):
    """What a function returns instead of a mask and what goes with it."""

    mask: int | None  #: the place of the mask in what is returned; None if it is all
    copied: tuple[int, ...]  #: places where a new tensor is returned otherwise


def needless_answer(node: ast.If, facts: Facts) -> Fix | None:
    """The fix that returns the mask always when compiled; None if that makes a difference."""
    torch = torch_name(facts, node)
    return None if torch is None else _left_out(node, torch, facts) or _given_if_needed(node, torch, facts)


def _left_out(node: ast.If, torch: str, facts: Facts) -> Fix | None:
    """`if keep.all(): return x, None`."""
    mask = asked_whole(node.test, facts)
    early, late = _ways(node, facts)
    if mask is None or early is None or late is None or not is_mask(mask, facts):
        return None
    answer = _compared(early, late, mask.id, facts)
    if answer is None or not _suits_callers(answer, node, facts):
        return None
    caveat = f"{CAVEAT}{OTHERS}{COPIED if answer.copied else ''}"
    return Fix(TITLE, Applicability.UNSAFE, lambda site: (in_eager_mode(node, torch, site),), caveat, ("torch",))


def _given_if_needed(node: ast.If, torch: str, facts: Facts) -> Fix | None:
    """`if mask is not None and 0.0 in mask: return mask`."""
    early, late = _ways(node, facts)
    is_and = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
    *static, last = node.test.values if isinstance(node.test, ast.BoolOp) and is_and else [node.test]
    mask = _asked_for_gaps(last, facts)
    if mask is None or any(facts.kinds(each) & DATA for each in static) or not isinstance(early, ast.Name):
        return None
    if early.id != mask.id or late is None or not _is_none(late) or not _suits_callers(Answer(None, ()), node, facts):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        asked = f"{torch}.compiler.is_compiling() or {site.code(last)}"
        return (site.expression(last, f"({asked})" if static else asked, inside=not static),)

    return Fix(TITLE, Applicability.UNSAFE, edits, f"{CAVEAT}{FLAGS}{OTHERS}", ("torch",))


def _ways(node: ast.If, facts: Facts) -> tuple[ast.expr | None, ast.expr | None]:
    """What is returned where the test holds, and right behind it where it does not."""
    parent = facts.parent(node)
    block = block_of(node, parent) if parent is not None else []
    after = block[block.index(node) + 1 :] if block else []
    if node.orelse or len(node.body) != 1 or not after:
        return None, None
    return returned(node.body[0]), returned(after[0])


def _asked_for_gaps(test: ast.expr, facts: Facts) -> ast.Name | None:
    """The mask of `0.0 in mask`, `(mask == 0).any()` or `not mask.all()`."""
    match test:
        case ast.Compare(left=ast.Constant(value=0), ops=[ast.In()], comparators=[ast.Name() as mask]):
            return mask if facts.kinds(mask) == TENSOR else None
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return asked_whole(operand, facts)
        case ast.Call(
            func=ast.Attribute(
                value=ast.Compare(left=ast.Name() as mask, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]),
                attr="any",
            ),
            args=[],
        ):
            return mask if facts.kinds(mask) == TENSOR else None
    return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _compared(early: ast.expr, late: ast.expr, mask: str, facts: Facts) -> Answer | None:
    """How the two answers differ: by the mask, and by tensors to which it was applied."""
    if _is_none(early) and isinstance(late, ast.Name) and late.id == mask:
        return Answer(None, ())
    if not isinstance(early, ast.Tuple) or not isinstance(late, ast.Tuple) or len(early.elts) != len(late.elts):
        return None
    pairs = list(zip(early.elts, late.elts, strict=True))
    masks = [i for i, (a, b) in enumerate(pairs) if _is_none(a) and isinstance(b, ast.Name) and b.id == mask]
    copied = [i for i, (a, b) in enumerate(pairs) if _is_applied(a, b, mask, facts)]
    rest = [pair for i, pair in enumerate(pairs) if i not in (*masks, *copied)]
    known = all(isinstance(a, ast.Name) and same(a, b) for a, b in rest)
    return Answer(masks[0], tuple(copied)) if len(masks) == 1 and known else None


def _is_applied(kept: ast.expr, value: ast.expr, mask: str, facts: Facts) -> bool:
    """True for `x` and `x.where(mask, 0)`, `torch.where(mask, x, 0)` or `x.masked_fill(~mask, 0)`."""
    match value:
        case ast.Call(func=ast.Attribute(value=base, attr="where"), args=[ast.Name(id=found), fill], keywords=[]):
            pass
        case ast.Call(func=ast.Attribute(attr="where"), args=[ast.Name(id=found), base, fill], keywords=[]):
            pass
        case ast.Call(
            func=ast.Attribute(value=base, attr="masked_fill"),
            args=[ast.UnaryOp(op=ast.Invert(), operand=ast.Name(id=found)), fill],
            keywords=[],
        ):
            pass
        case _:
            return False
    known = (facts.resolve(value.func) or "").startswith("torch.") and facts.kinds(kept) == TENSOR
    return known and found == mask and isinstance(kept, ast.Name) and same(base, kept) and _fills(fill, facts)


def _fills(node: ast.expr, facts: Facts) -> bool:
    """True for a number, and for a new tensor full of one."""
    last = (facts.resolve(node.func) or "").rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return is_number(node, facts) or last in FILLERS


def _suits_callers(answer: Answer, node: ast.If, facts: Facts) -> bool:
    """True if all that the file does with the mask is to apply it where it is not None."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    calls = calls_of(function, facts)
    known = {id(each.func) for each in calls}
    named = [each for each in walk(facts.source.tree) if _names(each, function.name)]
    return (
        bool(calls) and all(id(each) in known for each in named) and all(_suits(answer, each, facts) for each in calls)
    )


def _names(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Name(id=found, ctx=ast.Load()) | ast.Attribute(attr=found):
            return found == name
    return False


def _suits(answer: Answer, call: ast.Call, facts: Facts) -> bool:
    """True for a call whose mask is only applied, and whose other values are not changed in place."""
    match facts.parent(call):
        case ast.Assign(targets=[ast.Name(id=name)]) as statement if answer.mask is None:
            return is_only_applied(name, statement, facts)
        case ast.Assign(targets=[ast.Tuple(elts=targets)]) as statement if answer.mask is not None:
            names = [each.id if isinstance(each, ast.Name) else "" for each in targets]
            if answer.mask >= len(names) or not names[answer.mask] or "" in names:
                return False
            kept = not any(changed_later(names[each], statement, facts) for each in answer.copied)
            return kept and is_only_applied(names[answer.mask], statement, facts)
    return False
