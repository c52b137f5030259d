"""Checks that a tensor holds allowed values only: `any(int(v) not in allowed for v in torch.unique(t))`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, CONTAINER, DATA, INTEGRAL, NONE, TENSOR
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.term import Code, Term
from graphmend_lint.shapes import names_read

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: give the same values, each at least once
SAME_VALUES: Final = frozenset(
    f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("unique", "unique_consecutive", "flatten", "ravel")
) | {"torch.Tensor.tolist", "torch.Tensor.detach", "torch.Tensor.cpu"}
#: read one element; `int` cuts off what is behind the point
READS: Final = frozenset({"torch.Tensor.item", "builtins.int", "builtins.float"})
DOUBT: Final = "Values are compared in the tensor's dtype, and what is allowed must be numbers."


class Allowed(NamedTuple):
    """Which values a tensor may hold, and whether the test is true if it holds those alone."""

    code: Code
    holds: bool
    past: frozenset[str]  #: names that stand for the tensor's values in the test, and not in the code

    def term(self, *, negate: bool = False) -> Term:
        """The test, or its opposite, as a 0-dim bool tensor."""
        found = Term(self.code, True, DOUBT, past=self.past)
        return found if self.holds is not negate else found.inverted()


class Source(NamedTuple):
    """The tensor whose values are looked at."""

    tensor: ast.expr
    listed: bool  #: as Python's numbers
    past: frozenset[str]


def allowed(test: ast.expr, facts: Facts) -> Allowed | None:
    """The test as one of allowed values; None if it is another one."""
    name = facts.resolve(test.func) if isinstance(test, ast.Call) else None
    match test:
        case ast.Call(
            args=[ast.GeneratorExp(elt=elt, generators=[loop]) | ast.ListComp(elt=elt, generators=[loop])], keywords=[]
        ) if name in ("builtins.any", "builtins.all") and not loop.ifs:
            return _of_each(elt, loop, name == "builtins.all", facts)
    return None


def _of_each(elt: ast.expr, loop: ast.comprehension, every: bool, facts: Facts) -> Allowed | None:
    """`v in values` of all elements, or `v not in values` of any."""
    asked = _membership(elt)
    source, torch = _source(loop.iter, facts), torch_name(facts, elt)
    if asked is None or source is None or torch is None or not isinstance(loop.target, ast.Name):
        return None
    left, values, inside = asked
    if inside is not every:
        return None
    function = _read(left, loop.target.id, facts)
    if function is None or not _are_static(values, facts) or (not function and not source.listed):
        return None
    if source.past and any(changed_later(path, elt, facts) for path in names_read(source.tensor)):
        return None
    traits = facts.value(source.tensor).traits
    cut = ".long()" if traits & BOOL or (function == "builtins.int" and not traits & INTEGRAL) else ""

    def code(site: Site) -> str:
        tensor = site.code(source.tensor)
        numbers = f"{torch}.tensor([{_listed(values, site)}], device={tensor}.device)"
        return f"{torch}.isin({tensor}{cut}, {numbers}).all()"

    return Allowed(code, every, source.past)


def _membership(elt: ast.expr) -> tuple[ast.expr, ast.expr, bool] | None:
    """The sides of `v in values`, and whether it is asked so: False for `v not in values` and `not v in values`."""
    match elt:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare() as operand):
            found = _membership(operand)
            return None if found is None else (found[0], found[1], not found[2])
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[values]):
            return left, values, isinstance(op, ast.In)
    return None


def _listed(values: ast.expr, site: Site) -> str:
    if isinstance(values, ast.Set | ast.List | ast.Tuple):
        return ", ".join(site.argument(each) for each in values.elts)
    return f"*{site.code(values)}"


def _read(node: ast.expr, name: str, facts: Facts) -> str | None:
    """The function that reads an element; "" if none does, None if it is another expression."""
    match node:
        case ast.Name(id=found) if found == name:
            return ""
        case (
            ast.Call(args=[ast.Name(id=found)], keywords=[])
            | ast.Call(func=ast.Attribute(value=ast.Name(id=found)), args=[], keywords=[])
        ) if found == name:
            function = facts.resolve(node.func)
            return function if function in READS else None
    return None


def _source(node: ast.expr, facts: Facts) -> Source | None:
    """The tensor that the values are those of: what `unique` and its like are given, also by way of names."""
    past, listed = set[str](), False
    while True:
        if isinstance(node, ast.Name) and (given := definition(node, facts).value) is not None:
            if _given(given, facts) is None:
                break
            past.add(node.id)
            node = given
        given = _given(node, facts)
        if given is None:
            break
        listed |= isinstance(node, ast.Call) and facts.resolve(node.func) == "torch.Tensor.tolist"
        node = given
    plain = facts.kinds(node) == TENSOR and isinstance(node, ast.Name | ast.Attribute)
    return Source(node, listed, frozenset(past)) if plain else None


def _given(node: ast.expr, facts: Facts) -> ast.expr | None:
    """`t` of `torch.unique(t)` or `t.unique()`."""
    if not isinstance(node, ast.Call) or facts.resolve(node.func) not in SAME_VALUES or node.keywords:
        return None
    method = isinstance(node.func, ast.Attribute) and facts.kinds(node.func.value) == TENSOR
    given = [node.func.value] if method and isinstance(node.func, ast.Attribute) else []
    given += node.args
    return given[0] if len(given) == 1 else None


def _are_static(node: ast.expr, facts: Facts) -> bool:
    """True for numbers that Python knows."""
    value = facts.value(node)
    element = value.element
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Set | ast.List | ast.Tuple)
    return plain and value.kinds == CONTAINER and (element is None or not element.kinds & (DATA | CONTAINER | NONE))
