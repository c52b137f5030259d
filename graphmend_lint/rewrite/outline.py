"""Branches as local functions: `torch.cond` runs the one that is taken, from inside the graph."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.values import MODULE, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.branches import fresh_name
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.predicate import Condition, condition
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.rewrite.traceable import is_new, is_traceable
from graphmend_lint.shapes import assignment, block_of, names_bound, names_read, returned, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Branch inside the graph with `torch.cond`"
ALIKE: Final = "Compiling raises unless both branches give one shape, dtype and layout; the result is a new tensor."


@dataclass(frozen=True)
class Outline:
    """A condition, two expressions, and where the one that is chosen goes."""

    node: ast.If
    test: Condition
    torch: str
    then: ast.expr
    other: ast.expr | None  #: None: the name keeps its value
    target: str  #: the name that is set; "" if the value is returned
    last: ast.Return | None  #: the other return, if it comes after the `if`
    bind: str  #: a name for the condition

    def code(self, site: Site, facts: Facts) -> str:
        """The two functions and the choice between them."""
        then, other = self._arm(site, self.then, facts), self._arm(site, self.other, facts)
        (first, second), test = _names(self.node, facts), self.test.tensor.code(site)
        lead = f"{self.target} = " if self.target else "return "
        eager = f"{lead}{first}() if {self.bind} else {second}()"
        return "\n".join([
            *([] if self.bind == test else [f"{self.bind} = {test}", ""]),
            f"def {first}():", f"    return {then}", "",
            f"def {second}():", f"    return {other}", "",
            f"if {self.torch}.compiler.is_compiling():",
            f"    {lead}{self.torch}.cond({self.bind}, {first}, {second})",
            *(["else:", f"    {eager}"] if self.target else [eager]),
        ])  # fmt: skip

    def _arm(self, site: Site, value: ast.expr | None, facts: Facts) -> str:
        if value is None:
            return f"{self.target}.clone()"
        text = site.code(value).replace("\n", "\n    ")
        return text if is_fresh(value, facts) or is_new(value, facts) else f"{site.operand(value)}.clone()"


def _names(node: ast.If, facts: Facts) -> tuple[str, str]:
    """Names for the two functions that the function around does not use."""
    function = facts.function(node)
    taken = names_bound([function]) | names_read(function) if function is not None else set()
    taken |= {each.name for each in walk_function(function) if isinstance(each, ast.FunctionDef)} if function else set()
    endings = ["", *(f"_{number}" for number in range(2, 100))]
    ending = next(each for each in endings if not {f"if_true{each}", f"if_false{each}"} & taken)
    return f"if_true{ending}", f"if_false{ending}"


def outlined(node: ast.If, facts: Facts, reason: Refusal) -> Fix | Refusal:
    """The gated `torch.cond`, where computing both sides was refused for `reason`; that refusal if this fails, too."""
    found = _outline(node, facts)
    if found is None or not any(_is_costly(each, facts) for each in _arms(found)) or _stores(node, facts):
        return reason
    if not all(_may_run(each, facts) for each in _arms(found)):
        return reason
    return Fix(TITLE, Applicability.UNSAFE, lambda site: _edits(site, found, facts), ALIKE, ("torch",))


def _outline(node: ast.If, facts: Facts) -> Outline | None:
    torch, test = torch_name(facts, node), condition(node.test, facts)
    if torch is None or isinstance(test, Refusal) or test.static:
        return None
    plain = len(test.tests) == 1 and isinstance(test.tests[0], ast.Name) and _is_flag(test.tests[0], facts)
    name = node.test.id if plain and isinstance(node.test, ast.Name) else fresh_name(node, facts)
    for find in (_setting, _returning):
        parts = find(node, facts)
        if parts is not None:
            return Outline(node, test, torch, *parts, name)
    return None


def _is_flag(node: ast.expr, facts: Facts) -> bool:
    known = meta(node, facts)
    return known.is_0d and known.is_bool


Parts = tuple[ast.expr, ast.expr | None, str, ast.Return | None]


def _setting(node: ast.If, facts: Facts) -> Parts | None:
    """Both branches set one name, or one does and the other leaves it."""
    then, other = _value(node.body), _value(node.orelse) if node.orelse else None
    if then is None or (node.orelse and (other is None or other[0] != then[0])):
        return None
    return then[1], None if other is None else other[1], then[0], None


def _value(block: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    parts = assignment(block[0]) if len(block) == 1 else None
    if parts is None or parts.augmented or not isinstance(parts.target, ast.Name):
        return None
    return parts.target.id, parts.value


def _returning(node: ast.If, facts: Facts) -> Parts | None:
    """Both branches return, or the code goes on to return at once."""
    then, parent = returned(node.body[0]) if len(node.body) == 1 else None, facts.parent(node)
    if then is None or parent is None:
        return None
    if node.orelse:
        other = returned(node.orelse[0]) if len(node.orelse) == 1 else None
        return None if other is None else (then, other, "", None)
    block = block_of(node, parent)
    after = block[block.index(node) + 1 :]
    match after:
        case [ast.Return(value=ast.expr() as value) as last]:
            return then, value, "", last
    return None


def _arms(found: Outline) -> list[ast.expr]:
    return [each for each in (found.then, found.other) if each is not None]


def _is_costly(value: ast.expr, facts: Facts) -> bool:
    """True if a branch runs a module or a function of the project; for plain arithmetic `cond` is too dear."""
    called = [facts.value(each.func) for each in walk(value) if isinstance(each, ast.Call)]
    return any(each.kinds & MODULE or isinstance(each.target, FunctionDef) for each in called)


def _may_run(value: ast.expr, facts: Facts) -> bool:
    return facts.kinds(value) == TENSOR and is_traceable(value, facts)


def _stores(node: ast.If, facts: Facts) -> bool:
    """True if the function, or another method of its class, stores attributes: torch may lose them."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef) or facts.function(function) is not None:
        return True
    above = facts.parent(function)
    around = above.body if isinstance(above, ast.ClassDef) else [function]
    methods = [each for each in around if isinstance(each, ast.FunctionDef) and each.name != "__init__"]
    return any("." in path for path in names_bound(methods)) or any(_is_nonlocal(each) for each in methods)


def _is_nonlocal(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Global | ast.Nonlocal) for each in walk_function(function))


def _edits(site: Site, found: Outline, facts: Facts) -> tuple[Edit, ...]:
    gone = (site.remove(found.last),) if found.last is not None else ()
    return (site.replace(found.node, found.code(site, facts)), *gone)
