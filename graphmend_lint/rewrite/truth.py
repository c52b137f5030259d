"""Questions that Python asks of a tensor's elements, asked of the tensor: `any(t)`, `1.0 in t`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.allowed import allowed
from graphmend_lint.rewrite.comparison import read
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.naming import unused, value_name
from graphmend_lint.rewrite.term import COMPARISONS, Code, Named, Term, side

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

DIMENSIONS: Final = "A tensor with several dimensions, or with none, used to raise."
ELEMENTS: Final = 4  #: a list of numbers that is longer is not compared one by one
#: of a bool tensor's elements
TESTS: Final = frozenset({"torch.isnan", "torch.isinf", "torch.isfinite", "torch.isposinf", "torch.isneginf"})
#: of one number, by the name that torch has for it, too
NUMBER_TESTS: Final = {
    f"{module}.{name}": name for module in ("math", "numpy") for name in ("isnan", "isinf", "isfinite")
}


def element_test(test: ast.expr, facts: Facts) -> Term | Refusal | None:
    """The question as a tensor; None if it is not one of these."""
    if (values := allowed(test, facts)) is not None:
        return values.term()
    match test:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return _contains(left, right, facts)
        case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
            found = _contains(left, right, facts)
            return found.inverted() if isinstance(found, Term) else found
        case ast.Call(args=[argument], keywords=[]) if facts.resolve(test.func) in ("builtins.any", "builtins.all"):
            return _each(argument, (facts.resolve(test.func) or "").rpartition(".")[2], facts)
        case ast.Call() if facts.resolve(test.func) in ("torch.equal", "torch.Tensor.equal"):
            return _equal(test, facts)
        case ast.Call(args=[number], keywords=[]) if facts.resolve(test.func) in NUMBER_TESTS:
            return _of_number(number, NUMBER_TESTS[facts.resolve(test.func) or ""], facts)
    return None


def is_number_test(test: ast.expr, facts: Facts) -> ast.expr | None:
    """The tensor whose number `math.isnan` and its like are asked about; None if it is another question."""
    if not isinstance(test, ast.Call) or test.keywords or len(test.args) != 1:
        return None
    name, number = facts.resolve(test.func) or "", test.args[0]
    if name not in NUMBER_TESTS:
        return None
    whole = name.startswith("math.") and facts.kinds(number) == TENSOR  # NumPy asks each element of a tensor
    return number if whole else read(number, facts)


def _of_number(number: ast.expr, name: str, facts: Facts) -> Term | None:
    """`math.isnan(t.item())` as `torch.isnan(t)`."""
    above, torch = facts.parent(number), torch_name(facts, number)
    tensor = is_number_test(above, facts) if isinstance(above, ast.Call) else None
    if tensor is None or torch is None:
        return None
    shaped = "" if meta(tensor, facts).is_0d else ".reshape(())"
    return Term(lambda site: f"{torch}.{name}({site.argument(tensor)}){shaped}", True)


def _contains(left: ast.expr, right: ast.expr, facts: Facts) -> Term | Refusal | None:
    """`value in container` as a tensor, where one of the two is one."""
    if facts.kinds(right) == TENSOR and (is_number(left, facts) or facts.kinds(left) == TENSOR):
        return Term(lambda site: f"({side(site, right)} == {side(site, left)}).any()", True)
    if facts.kinds(left) != TENSOR or not isinstance(right, ast.List | ast.Tuple):
        return None
    numbers = [each for each in right.elts if is_number(each, facts)]
    if not 0 < len(numbers) == len(right.elts) <= ELEMENTS:
        return Refusal("condition-not-simple", "what is looked for is not one of a few numbers")
    before = () if isinstance(left, ast.Name) else (Named(value_name(left, facts), left),)
    shaped = "" if meta(left, facts).is_0d else ".reshape(())"

    def code(site: Site) -> str:
        name = before[0].name if before else site.code(left)
        tests = [f"{name} == {side(site, each)}" for each in numbers]
        joined = " | ".join(f"({each})" for each in tests) if len(tests) > 1 else tests[0]
        return f"({joined}){shaped}" if shaped else joined

    return Term(code, bool(shaped), before=before)


def _each(argument: ast.expr, name: str, facts: Facts) -> Term | None:
    """`any(t)`, or `any(v > 0 for v in t)`: the elements are those of a tensor with one dimension."""
    if facts.kinds(argument) == TENSOR:
        return Term(lambda site: f"{site.operand(argument)}.{name}()", True, DIMENSIONS)
    match argument:
        case ast.GeneratorExp(elt=elt, generators=[loop]) | ast.ListComp(elt=elt, generators=[loop]):
            inner = _of_element(elt, loop, facts)
            if inner is not None:
                return Term(lambda site: f"{inner(site)}.{name}()", True, DIMENSIONS)
    return None


def _of_element(elt: ast.expr, loop: ast.comprehension, facts: Facts) -> Code | None:
    """What the comprehension asks of each element, asked of the whole tensor."""
    if not isinstance(loop.target, ast.Name) or loop.ifs or loop.is_async or facts.kinds(loop.iter) != TENSOR:
        return None
    name, whole = loop.target.id, loop.iter
    match elt:
        case ast.Name(id=used) if used == name:
            return lambda site: site.operand(whole)
        case ast.Compare(left=ast.Name(id=used), ops=[op], comparators=[other]) if used == name:
            sign = COMPARISONS.get(type(op))
            if sign and is_number(other, facts):
                return lambda site: f"({side(site, whole)} {sign} {side(site, other)})"
        case ast.Call(func=function, args=[ast.Name(id=used)], keywords=[]) if used == name:
            if facts.resolve(function) in TESTS:
                return lambda site: f"{site.code(function)}({site.argument(whole)})"
    return None


def _equal(test: ast.Call, facts: Facts) -> Term | None:
    """`torch.equal(a, b)`, right for tensors of one shape."""
    pair = _operands(test, facts)
    if pair is None:
        return None
    a, b = pair
    known = meta(a, facts).shape is not None and meta(a, facts).shape == meta(b, facts).shape
    found = Term(lambda site: f"({side(site, a)} == {side(site, b)}).all()", True)
    if known:
        return found
    torch, name = torch_name(facts, test), unused(("equal", "are_equal", "is_equal"), test, facts)

    def gate(site: Site) -> str:
        return f"{site.operand(a)}.shape == {site.operand(b)}.shape"

    def value(site: Site) -> str:
        return f"{found.code(site)} if {gate(site)} else {site.operand(a)}.new_zeros((), dtype={torch}.bool)"

    alone = (lambda site: name, True, (Named(name, value),)) if torch is not None else None
    return found._replace(gates=(gate,), alone=alone)


def _operands(test: ast.Call, facts: Facts) -> tuple[ast.expr, ast.expr] | None:
    """The tensors that `torch.equal(a, b)` compares."""
    match test:
        case ast.Call(args=[a, b], keywords=[]) if facts.resolve(test.func) == "torch.equal":
            return a, b
        case ast.Call(func=ast.Attribute(value=a), args=[b], keywords=[]):
            return (a, b) if facts.resolve(test.func) == "torch.Tensor.equal" else None
    return None
