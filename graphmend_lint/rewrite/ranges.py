"""`torch.arange(n).tolist()` as `range(n)`: Python can count by itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, MISSING, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.static_numbers import is_rebound
from graphmend_lint.rewrite.tried import in_try
from graphmend_lint.shapes import names_read
from graphmend_lint.syntax import defaults, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

DTYPES: Final = frozenset({"torch.int64", "torch.long", "torch.int32", "torch.int"})
#: that take a `range` as well as a list
TAKE: Final = frozenset(f"builtins.{name}" for name in ("enumerate", "zip", "list", "tuple", "set", "sum"))
#: functions whose result may be a whole number
WHOLE: Final = frozenset(f"builtins.{name}" for name in ("int", "len", "max", "min", "sum", "abs", "round"))
CAVEAT: Final = "The bounds must be whole numbers, and in order, where torch would raise or count in floats."


def as_range(node: ast.expr, facts: Facts) -> Fix | None:
    """`list(range(n))`, or `range(n)` where it is looped over; None for any other call."""
    match node:
        case ast.Call(func=ast.Attribute(value=given), args=[], keywords=[]):
            made = _made(given, facts)
        case _:
            return None
    if facts.resolve(node.func) != "torch.Tensor.tolist" or made is None or not 0 < len(made.args) <= 3:
        return None
    if any(is_local(name, node, facts) or is_rebound(name, facts) for name in ("range", "list")):
        return None
    whole = all(_is_whole(each, facts) for each in made.args)
    if not (whole or all(_may_be_whole(each, facts) for each in made.args)) or _dtype_differs(made, facts):
        return None
    safe, bare = whole and _in_order(made, facts), _is_looped_over(node, facts)
    if not safe and in_try(node, facts):
        return None

    def code(site: Site) -> str:
        text = f"range({', '.join(map(site.argument, made.args))})"
        return text if bare else f"list({text})"

    level = Applicability.SAFE if safe else Applicability.UNSAFE
    return Fix("Count in Python", level, lambda site: (site.expression(node, code(site)),), "" if safe else CAVEAT)


def _made(node: ast.expr, facts: Facts) -> ast.Call | None:
    """The `torch.arange(...)` that the expression gives, also by way of a name."""
    found = node
    if isinstance(node, ast.Name):
        found = definition(node, facts).value or node
        if changed_later(node.id, node, facts) or not _is_steady(found, node, facts):
            return None
    is_made = isinstance(found, ast.Call) and facts.resolve(found.func) == "torch.arange"
    return found if is_made and isinstance(found, ast.Call) else None


def _is_steady(made: ast.expr, node: ast.Name, facts: Facts) -> bool:
    """True if the bounds are the same here and where the tensor was made: numbers and sizes of names set before.

    An attribute, or the length of a list, may be another by now.
    """
    bounds = made.args if isinstance(made, ast.Call) else []
    if not all(_is_fixed(each, facts) for each in bounds):
        return False
    function, read = facts.function(node), set[str]().union(*map(names_read, bounds))
    names = [each for each in walk(function) if isinstance(each, ast.Name)] if function is not None else []
    stores = (each for each in names if each.id in read and not isinstance(each.ctx, ast.Load))
    return all(each.lineno < made.lineno for each in stores)


def _is_fixed(bound: ast.expr, facts: Facts) -> bool:
    """True for a bound that is made of numbers and sizes alone, and so is the same wherever it is read."""
    match bound:
        case ast.Constant():
            return True
        case ast.Name():
            return bool(facts.kinds(bound)) and not facts.kinds(bound) & ~(SYMINT | CONSTANT)
        case ast.UnaryOp(operand=operand):
            return _is_fixed(operand, facts)
        case ast.BinOp(left=left, right=right):
            return _is_fixed(left, facts) and _is_fixed(right, facts)
        case ast.Subscript(value=ast.Attribute(value=ast.Name() as tensor, attr="shape"), slice=index):
            return facts.kinds(tensor) == TENSOR and _is_fixed(index, facts)
        case ast.Call(func=ast.Attribute(value=ast.Name() as tensor, attr="size"), args=[index], keywords=[]):
            return facts.kinds(tensor) == TENSOR and _is_fixed(index, facts)
    return False


def _dtype_differs(made: ast.Call, facts: Facts) -> bool:
    named = [each.value for each in made.keywords if each.arg == "dtype"]
    others = {each.arg for each in made.keywords} - {"dtype", "device"}
    return bool(others) or any(facts.resolve(each) not in DTYPES for each in named)


def _is_whole(node: ast.expr, facts: Facts) -> bool:
    value = facts.value(node)
    return value.kinds == SYMINT or type(value.const) is int


def _may_be_whole(node: ast.expr, facts: Facts) -> bool:
    """True for a number that is not known to be a float."""
    value = facts.value(node)
    unknown = value.const is MISSING and not isinstance(node, ast.BinOp) and not _is_float(node, facts)
    return not value.kinds & ~(SYMINT | CONSTANT) and (unknown or type(value.const) is int)


def _is_float(node: ast.expr, facts: Facts) -> bool:
    """True for a float as the text shows it: `float(n)`, or a parameter whose annotation or default is one."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, float)
        case ast.UnaryOp(operand=operand):
            return _is_float(operand, facts)
        case ast.Call():
            return facts.resolve(node.func) not in WHOLE
        case ast.IfExp(body=body, orelse=orelse):
            return _is_float(body, facts) or _is_float(orelse, facts)
        case ast.Name(id=name):
            given = definition(node, facts)
            if given.value is not None:
                return isinstance(given.value, ast.BinOp) or _is_float(given.value, facts)
            return given.row == 0 and _is_float_parameter(name, facts.function(node))
    return False


def _is_float_parameter(name: str, function: ast.AST | None) -> bool:
    if not isinstance(function, ast.FunctionDef):
        return False
    signature = function.args
    said = {each.arg: each.annotation for each in (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)}
    match defaults(signature).get(name), said.get(name):
        case (ast.Constant(value=float()), _) | (_, ast.Name(id="float") | ast.Constant(value="float")):
            return True
    return False


def _in_order(made: ast.Call, facts: Facts) -> bool:
    """True if `torch.arange` does not raise for these bounds."""
    const = [facts.value(each).const for each in made.args]
    if len(const) == 1:
        return facts.kinds(made.args[0]) == SYMINT or (isinstance(const[0], int) and const[0] >= 0)
    if not all(isinstance(each, int) for each in const):
        return len(const) == 2 and const[0] == 0 and facts.kinds(made.args[1]) == SYMINT
    start, end, step = (*const, 1)[:3]
    return bool(step != 0 and (end - start) * step >= 0)


def _is_looped_over(node: ast.expr, facts: Facts) -> bool:
    match facts.parent(node):
        case ast.For(iter=over) | ast.comprehension(iter=over):
            return over is node
        case ast.Call(func=function, args=args):
            return node in args and facts.resolve(function) in TAKE
    return False
