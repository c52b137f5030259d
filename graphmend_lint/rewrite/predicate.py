"""A condition as one 0-dim bool tensor, apart from the parts that Python knows while tracing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import DATA, TENSOR
from graphmend_lint.model import Refusal

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

Code = Callable[["Site"], str]

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Term(NamedTuple):
    """A 0-dim bool tensor."""

    code: Code
    atom: bool  #: binds tighter than `~` and `&`
    total: bool = True  #: proven not to raise where the original would not have evaluated it

    def operand(self) -> Code:
        return self.code if self.atom else lambda site: f"({self.code(site)})"


class Condition(NamedTuple):
    """`all(static) and tensor`, or with `or`."""

    static: list[ast.expr]
    joined: type[ast.boolop]  #: And or Or
    tensor: Term
    tests: list[ast.expr]  #: the parts that are tensors


def condition(test: ast.expr, facts: Facts) -> Condition | Refusal:
    """The condition taken apart, or why it cannot be a tensor."""
    op = test.op if isinstance(test, ast.BoolOp) else ast.And()
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    static = [part for part in parts if not facts.kinds(part) & DATA]  # what is unknown stays Python's to ask, too
    tests = [part for part in parts if part not in static]
    if any(part in static and not _simple(part) for part in parts[parts.index(tests[0]) :] if tests):
        return Refusal("condition-order", "a Python condition after the tensor one may rely on it")
    terms = [term(part, facts) for part in tests]
    for found in terms:
        if isinstance(found, Refusal):
            return found
    joined = _join([found for found in terms if isinstance(found, Term)], op, tests, facts)
    return joined if isinstance(joined, Refusal) else Condition(static, type(op), joined, tests)


def _simple(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return _simple(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _simple(operand)
        case ast.Compare(left=left, comparators=[right]):
            return _simple(left) and _simple(right)
    return False


def _join(terms: list[Term], op: ast.boolop, tests: list[ast.expr], facts: Facts) -> Term | Refusal:
    if len(terms) == 1:
        return terms[0]
    found = [effects(test, facts) for test in tests[1:]]
    for each in found:
        if each.refusal:
            return each.refusal
    sign = " & " if isinstance(op, ast.And) else " | "
    codes = [each.operand() for each in terms]
    total = all(each.total for each in terms) and all(each.total for each in found)
    return Term(lambda site: sign.join(code(site) for code in codes), False, total)


def term(test: ast.expr, facts: Facts) -> Term | Refusal:
    """`bool(test)` as a 0-dim bool tensor."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negated(operand, facts)
        case ast.BoolOp(op=op, values=values):
            terms = [term(value, facts) for value in values]
            refusal = next((each for each in terms if isinstance(each, Refusal)), None)
            return refusal or _join([each for each in terms if isinstance(each, Term)], op, values, facts)
        case ast.Compare(ops=[_, _, *_]):
            return _chain(test, facts)
        case ast.Call():
            return _call(test, facts)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if facts.kinds(test) != TENSOR:
            return _comparison(left, op, right, facts)
    return _tensor(test, facts)


def negated(test: ast.expr, facts: Facts) -> Term | Refusal:
    """`not test` as a 0-dim bool tensor."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return term(operand, facts)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]) if _is_tensor(test, facts):
            return _unequal(left, "!=" if isinstance(op, ast.Eq) else "==", right, meta(test, facts).is_0d)
    found = term(test, facts)
    if isinstance(found, Refusal):
        return found
    code = found.operand()
    return Term(lambda site: f"~{code(site)}", True, found.total)


def _is_tensor(test: ast.expr, facts: Facts) -> bool:
    return facts.kinds(test) == TENSOR


def _unequal(left: ast.expr, sign: str, right: ast.expr, is_0d: bool) -> Term:
    """An equality turned round. (An order may not be: with NaN neither `a < b` nor `a >= b` holds.)"""
    if is_0d:
        return Term(lambda site: f"{site.operand(left)} {sign} {site.operand(right)}", False)
    return Term(lambda site: f"({site.operand(left)} {sign} {site.operand(right)}).reshape(())", True)


def _tensor(test: ast.expr, facts: Facts) -> Term | Refusal:
    if facts.kinds(test) != TENSOR:
        return _not_a_tensor(test, facts)
    known = meta(test, facts)
    if known.is_0d and known.is_bool:
        return Term(lambda site: site.code(test), isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript))
    shaped = "" if known.is_0d else ".reshape(())"
    if known.is_bool:
        return Term(lambda site: site.operand(test) + shaped, True)
    return Term(lambda site: f"{site.operand(test)}{shaped} != 0", False)


def _not_a_tensor(test: ast.expr, facts: Facts) -> Refusal:
    text = " ".join(facts.text(test).split())
    if facts.is_scalar(test):
        return Refusal("scalar-predicate", f"`{text}` is a Python number that was read from a tensor before")
    return Refusal("predicate-not-a-tensor", f"`{text}` may also be something else than a tensor")


def _chain(test: ast.Compare, facts: Facts) -> Term | Refusal:
    """`a < b < c`: both comparisons, if evaluating `b` twice is the same as once."""
    operands = [test.left, *test.comparators]
    if not all(isinstance(each, ast.Name | ast.Constant | ast.Attribute) for each in operands):
        return Refusal("condition-not-simple", "a chained comparison would evaluate its middle twice")
    if any(facts.kinds(each) != TENSOR and not is_number(each, facts) for each in operands):
        return _not_a_tensor(test, facts)
    if not all(is_number(each, facts) or meta(each, facts).is_0d for each in operands):
        return Refusal("predicate-shape", "a chained comparison of tensors that may have several elements")
    pairs = list(zip(operands, test.ops, operands[1:], strict=False))
    if any(type(op) not in COMPARISONS for _, op, _ in pairs):
        return Refusal("condition-not-simple", "the comparison is not an arithmetic one")
    return Term(
        lambda site: " & ".join(f"({site.code(a)} {COMPARISONS[type(op)]} {site.code(b)})" for a, op, b in pairs), False
    )


def _call(test: ast.Call, facts: Facts) -> Term | Refusal:
    """Calls that read a tensor: `t.item()`, `bool(t)`, `torch.allclose(a, b)`."""
    name = facts.resolve(test.func)
    if name == "torch.Tensor.item" and isinstance(test.func, ast.Attribute):
        return term(test.func.value, facts)
    if name == "builtins.bool" and len(test.args) == 1:
        return term(test.args[0], facts)
    if name in ("torch.allclose", "torch.Tensor.allclose") and isinstance(test.func, ast.Attribute):
        owner, arguments = test.func.value, [*test.args, *(word.value for word in test.keywords)]
        return Term(lambda site: _all_close(site, owner, test, arguments), True)
    return _tensor(test, facts)


def _all_close(site: Site, owner: ast.expr, test: ast.Call, arguments: list[ast.expr]) -> str:
    names = ["" for _ in test.args] + [f"{word.arg}=" for word in test.keywords]
    inside = ", ".join(name + site.code(value) for name, value in zip(names, arguments, strict=True))
    return f"{site.operand(owner)}.isclose({inside}).all()"


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr, facts: Facts) -> Term | Refusal:
    """`t.item() > 3`: the same on the tensor, if the number is an int."""
    sign = COMPARISONS.get(type(op))
    a, b = _read(left, facts), _read(right, facts)
    if sign is None or (a is None and b is None):
        return _not_a_tensor(left if facts.is_data(left) else right, facts)
    number = right if a is not None else left
    read = a if a is not None else b
    if read is None or not _is_int(number, facts) or not meta(read, facts).is_0d:
        return Refusal("scalar-predicate", f"`{facts.text(left)}` is compared as a Python number, not as a tensor")
    first, second = (read, number) if a is not None else (number, read)
    return Term(lambda site: f"{site.operand(first)} {sign} {site.operand(second)}", False)


def _read(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The tensor that `node` reads a number from."""
    match node:
        case ast.Call(func=ast.Attribute(value=value), args=[]) if facts.resolve(node.func) == "torch.Tensor.item":
            return value if facts.kinds(value) == TENSOR else None
    return None


def _is_int(node: ast.expr, facts: Facts) -> bool:
    value = facts.value(node)
    return is_number(node, facts) and (type(value.const) is int or not value.kinds & ~2)
