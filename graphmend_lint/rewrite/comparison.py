"""Comparisons of numbers that are read from tensors, made of the tensors themselves: `t.item() > 3` as `t > 3`."""

from __future__ import annotations

import ast
import struct
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, INTEGRAL, SYMINT, TENSOR
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.term import COMPARISONS, Term, side
from graphmend_lint.rewrite.told import check_of

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

ROUNDED: Final = "The number is compared in the dtype of the tensor, where it used to be compared as a Python number."
COUNTS: Final = frozenset({"torch.sum", "torch.Tensor.sum"})
INTEGERS: Final = frozenset({"int64", "int32", "int16", "int8", "uint8"})


def compared(test: ast.Compare, facts: Facts) -> Term | Refusal:
    """One comparison of two numbers, at least one of which is read from a tensor right there."""
    left, right, sign = test.left, test.comparators[0], COMPARISONS.get(type(test.ops[0]))
    a, b = read(left, facts) or _told(left, facts), read(right, facts) or _told(right, facts)
    if sign is None or (a is None and b is None):
        return unread(left if facts.is_data(left) else right, facts)
    if not all(tensor is not None or is_number(side, facts) for tensor, side in ((a, left), (b, right))):
        return Refusal("scalar-predicate", f"`{facts.text(left)}` is compared as a Python number, not as a tensor")
    first, second = (left if a is None else a), (right if b is None else b)
    flat = all(each is None or meta(each, facts).is_0d for each in (a, b))
    doubt = "" if _is_exact(first, second, facts) else ROUNDED
    past = frozenset(each.id for each in (left, right) if isinstance(each, ast.Name) and facts.is_scalar(each))

    def code(site: Site) -> str:
        return f"{side(site, first)} {sign} {side(site, second)}"

    found = Term(code, False, doubt, past=past)
    return found if flat else found._replace(code=lambda site: f"({code(site)}).reshape(())", atom=True)


def _told(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The tensor whose number a name holds, if the number was read for this check and for nothing else."""
    given = definition(node, facts).value if isinstance(node, ast.Name) else None
    tensor = read(given, facts) if given is not None else None
    statement = facts.parent(given) if tensor is not None and given is not None else None
    return tensor if isinstance(statement, ast.stmt) and check_of(statement, facts) is not None else None


def unread(test: ast.expr, facts: Facts) -> Refusal:
    """Why the test cannot be asked as a tensor."""
    text = " ".join(facts.text(test).split())
    if facts.is_scalar(test):
        return Refusal("scalar-predicate", f"`{text}` is a Python number that was read from a tensor before")
    return Refusal("predicate-not-a-tensor", f"`{text}` may also be something else than a tensor")


def read(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The tensor whose value, as it is, `node` gives as a number."""
    found: ast.expr | None = None
    match node:
        case ast.Call(func=ast.Attribute(value=value), args=[]) if facts.resolve(node.func) == "torch.Tensor.item":
            found = value
        case ast.Call(func=ast.Name(), args=[value], keywords=[]):
            name = facts.resolve(node.func)
            found = value if name == "builtins.float" or (name == "builtins.int" and _holds_int(value, facts)) else None
    return found if found is not None and facts.kinds(found) == TENSOR else None


def _holds_int(node: ast.expr, facts: Facts) -> bool:
    return bool(facts.value(node).traits & INTEGRAL) or meta(node, facts).dtype in INTEGERS or is_count(node, facts)


def is_count(node: ast.expr, facts: Facts) -> bool:
    """True for the sum of a bool tensor, which is an integer."""
    if not isinstance(node, ast.Call) or node.keywords or facts.resolve(node.func) not in COUNTS:
        return False
    given = [*([node.func.value] if isinstance(node.func, ast.Attribute) else []), *node.args]
    return any(facts.value(each).traits & BOOL for each in given)


def _is_exact(a: ast.expr, b: ast.expr, facts: Facts) -> bool:
    """True if tensors of any dtype compare as the numbers do."""
    if is_number(a, facts):
        a, b = b, a
    own = meta(a, facts).dtype
    if not is_number(b, facts):
        return own is not None and own == meta(b, facts).dtype
    value = facts.value(b)
    is_int = type(value.const) is int or not value.kinds & ~SYMINT
    if _holds_int(a, facts):
        return is_int
    return own == "float64" or (isinstance(value.const, int | float) and is_plain(value.const))


def is_plain(number: float) -> bool:
    """True if every floating dtype holds the number exactly, and every integer one if it is whole."""
    if isinstance(number, int):
        return -128 <= number <= 127
    try:
        half = struct.unpack("<e", struct.pack("<e", number))[0] == number
    except OverflowError:
        return False
    return half and struct.pack("<f", number)[:2] == b"\0\0"
