"""Shapes that are not computed, but named after how they came about.

Two such shapes are equal if the same function made both of the same shapes and numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.torch_api import Entry
from graphmend_lint.facts.values import CONSTANT, MISSING, SYMINT, TENSOR
from graphmend_lint.shapes import dotted, names_bound

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Shape = frozenset[str]
ShapeOf = Callable[[ast.expr], "Shape | None"]
#: how long the result is depends on the data
BY_DATA: Final = frozenset({"repeat_interleave", "bincount", "one_hot", "combinations", "histc", "unfold"})
#: the result is laid out in memory another way than most tensors
PERMUTES: Final = frozenset(
    {"t", "transpose", "permute", "movedim", "swapaxes", "expand", "expand_as", "T", "mT", "H", "mH"}
)
PERMUTED: Final = "~"  #: begins the id of such a result
LONGEST: Final = 400  #: characters of an id; longer ones are not worth comparing


def called(last: str, entry: Entry, given: list[ast.expr | ast.keyword], facts: Facts, shape: ShapeOf) -> Shape | None:
    """The shape that a function of torch gives, by the name of the function and what it is given."""
    if entry.breaks_gb is not None or not entry.pure or last in BY_DATA:
        return None
    parts = [_argument(each, facts, shape) for each in given]
    return _made(last, parts)


def indexed(node: ast.Subscript, facts: Facts, shape: ShapeOf) -> Shape | None:
    """The shape of `x[...]`, for an index of numbers and slices."""
    return _made("[]", [_argument(node.value, facts, shape), _plain(node.slice, facts)])


def sized(node: ast.Call, facts: Facts) -> Shape | None:
    """The shape of `torch.zeros(2, n)`, `torch.ones((2, n))`. The device is part of its name: it must be equal, too."""
    first = node.args[0] if len(node.args) == 1 else None
    sizes = first.elts if isinstance(first, ast.Tuple | ast.List) else node.args
    told = [each for each in node.keywords if each.arg != "dtype"]
    if not sizes or any(each.arg != "device" for each in told):
        return None
    return _made("sized", [_plain(each, facts) for each in (*sizes, *(word.value for word in told))])


def operated(word: str, operands: list[ast.expr], shape: ShapeOf) -> Shape | None:
    """The shape of `a @ b`, of `x.T`."""
    return _made(word, [_text(shape(each)) for each in operands])


def _made(word: str, parts: list[str | None]) -> Shape | None:
    known = [each for each in parts if each is not None]
    text = f"{PERMUTED if word in PERMUTES else ''}{word}<{', '.join(known)}>?"
    return frozenset({text}) if len(known) == len(parts) and len(text) <= LONGEST else None


def _text(shape: Shape | None) -> str | None:
    return None if shape is None else "|".join(sorted(shape)) or "()"


def _argument(node: ast.expr | ast.keyword, facts: Facts, shape: ShapeOf) -> str | None:
    match node:
        case ast.keyword(arg=str(name), value=value):
            found = _argument(value, facts, shape)
            return found and f"{name}={found}"
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            parts = [_argument(each, facts, shape) for each in elements]
            known = [each for each in parts if each is not None]
            return f"({', '.join(known)})" if len(known) == len(parts) else None
        case ast.expr() if facts.kinds(node) == TENSOR:
            return _text(shape(node))
        case ast.expr():
            return _plain(node, facts)
    return None


def _plain(node: ast.expr, facts: Facts) -> str | None:
    """The text of an argument that is no tensor: a number, a name of one, a slice, a dtype; None for any other."""
    match node:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Slice(lower=lower, upper=upper, step=step):
            parts = ["" if each is None else _plain(each, facts) for each in (lower, upper, step)]
            return None if None in parts else ":".join(each or "" for each in parts)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            parts = [_plain(each, facts) for each in elements]
            return None if None in parts else f"({', '.join(each or '' for each in parts)})"
    return _number(node, facts)


def _number(node: ast.expr, facts: Facts) -> str | None:
    value, kinds = facts.value(node), facts.kinds(node)
    if kinds & ~(CONSTANT | SYMINT) or not kinds:
        name = facts.resolve(node) or ""
        return name if name.startswith("torch.") and not isinstance(node, ast.Call) else None
    if value.const is not MISSING:
        return repr(value.const)
    if isinstance(node, ast.Name):
        return f"{node.id}@{definition(node, facts).row}"
    path, function = dotted(node), facts.function(node)
    fixed = path is not None and function is not None and path not in names_bound([function])
    return f"{path}@" if fixed else None
