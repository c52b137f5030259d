"""`F.one_hot(torch.cat([x, torch.arange(n)]))`: one of each class is added, which says how many there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, SYMINT, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.one_hot import NAMES
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

JOINS: Final = frozenset(f"torch.{name}" for name in ("cat", "concat", "concatenate", "hstack"))
NUMBER: Final = CONSTANT | SYMINT | UNKNOWN  #: what is no tensor
CAVEAT: Final = "A class of that number or more raises, where it used to make the result wider."


def all_classes(node: ast.Call, facts: Facts) -> Fix | None:
    """The same call with `num_classes=n`, if one of each class is among the elements; None for any other call."""
    if facts.resolve(node.func) not in NAMES or len(node.args) != 1 or node.keywords:
        return None
    number = next((each for each in _counts(node.args[0], facts) if _is_steady(each, node, facts)), None)
    if number is None:
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return (site.keyword(node, "num_classes", site.code(number)),)

    return Fix("Say how many classes there are", Applicability.UNSAFE, edits, CAVEAT)


def _counts(node: ast.expr, facts: Facts) -> Iterator[ast.expr]:
    """`n` of each `torch.arange(n)` that is joined into the tensor."""
    found = definition(node, facts).value if isinstance(node, ast.Name) else node
    match found:
        case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) if facts.resolve(found.func) in JOINS:
            for each in parts:
                yield from _counts(each, facts)
        case ast.Call(args=[number]) if facts.resolve(found.func) == "torch.arange":
            yield number


def _is_steady(number: ast.expr, node: ast.Call, facts: Facts) -> bool:
    """True if the number is one of Python's, and reads the same where the classes are told apart."""
    path = dotted(number)
    if facts.kinds(number) & ~NUMBER or (path is None and not isinstance(number, ast.Constant)):
        return False
    inside = any(each is number for each in walk(node.args[0]))
    if inside or isinstance(number, ast.Constant):
        return True
    if not isinstance(number, ast.Name):
        return not _is_stored(path or "", facts)
    return not _is_set_between(number, node, facts)


def _is_stored(path: str, facts: Facts) -> bool:
    """True if a method other than the constructor sets an attribute of that name."""
    name = path.rpartition(".")[2]
    for function in walk(facts.source.tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name != "__init__":
            stores = (each for each in walk(function) if isinstance(each, ast.Attribute) and each.attr == name)
            if any(not isinstance(each.ctx, ast.Load) for each in stores):
                return True
    return False


def _is_set_between(number: ast.Name, node: ast.Call, facts: Facts) -> bool:
    function = facts.function(node)
    names = [each for each in walk(function) if isinstance(each, ast.Name)] if function is not None else []
    stores = [each for each in names if each.id == number.id and not isinstance(each.ctx, ast.Load)]
    return any(number.lineno <= each.lineno <= node.lineno for each in stores)
