"""Predication: an `if` on a tensor becomes straight code that selects with `torch.where`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import Branch, branch, changed_later, unchanged
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.naming import fresh_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import COPY, IN_PLACE, Arm, doubted, judge, where, worst
from graphmend_lint.rewrite.template import call, indented
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.shapes import same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Select with `torch.where`"
PREPARED: Final = (
    "What one branch prepares is now prepared always, both values must have one shape and dtype, "
    "and a new tensor is stored."
)


@dataclass(frozen=True)
class Selection:
    """Values by name, selected by one condition."""

    node: ast.If
    test: Condition
    torch: str
    then: Branch
    other: Branch
    pairs: dict[str, tuple[Arm, Arm]]
    bind: str  #: a name for the condition, if it is used more than once

    def code(self, site: Site, depth: int) -> str:
        """The straight code, at `depth` levels inside the place of the `if`."""
        lines = [name for name, kept in (("THEN", self.then.before), ("OTHER", self.other.before)) if kept]
        test = self.test.tensor.code(site)
        lines += self.test.tensor.names(site).splitlines()
        if self.bind:
            lines.append(f"{self.bind} = {test}")
        room = site.room(self.node, 4 * depth)
        lines += [self._store(site, path, self.bind or test, room) for path in self.pairs]
        return "\n".join(lines)

    def _store(self, site: Site, path: str, test: str, room: int) -> str:
        then, other = (arm.code(site) for arm in self.pairs[path])
        store = self.then.stores.get(path)
        if store is None:
            return f"{path} = {where(site, self.torch, test, then, other, room - len(path) - 3)}"
        flat = where(site, self.torch, test, then, other, 10**6)
        rest = [f"{word.arg}={site.code(word.value)}" for word in store.keywords]
        arguments = [site.code(store.args[0]), flat, *rest]
        line = call(site.code(store.func), arguments, room)
        if all(len(each) <= room for each in line.split("\n")):
            return line
        arguments[1] = where(site, self.torch, test, then, other, room - 4)
        return call(site.code(store.func), arguments, room)


def assigned(node: ast.If, facts: Facts) -> Fix | Refusal:
    """Both branches set names, attributes or buffers; or one does and the other leaves them."""
    prepared = _selection(node, facts)
    if isinstance(prepared, Refusal):
        return prepared
    verdicts = [judge(a, b, node, facts) for a, b in prepared.pairs.values()]
    for verdict in verdicts:
        if isinstance(verdict, Refusal):
            return verdict
    for path, (a, b) in prepared.pairs.items():
        if not (a.fresh and b.fresh) and changed_later(path, node, facts):
            return Refusal("in-place-later", f"`{path}` is changed in place later, which must reach the original")
    level, caveat = worst([each for each in verdicts if not isinstance(each, Refusal)])
    level, caveat = doubted(_doubts(prepared, facts, level, caveat), prepared.test.tensor.doubt)
    return Fix(TITLE, level, lambda site: (_replace(site, prepared),), caveat, ("torch",))


def _doubts(found: Selection, facts: Facts, level: Applicability, caveat: str) -> tuple[Applicability, str]:
    if found.then.prepares or found.other.prepares:
        return Applicability.UNSAFE, PREPARED
    if level is not Applicability.SAFE:
        return level, caveat
    if found.then.in_place or found.other.in_place:
        return Applicability.UNSAFE, IN_PLACE
    if any("." in path or changed_later(path, found.node, facts) for path in found.pairs):
        return Applicability.UNSAFE, COPY
    return level, caveat


def _selection(node: ast.If, facts: Facts) -> Selection | Refusal:
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True)
    if torch is None:
        return Refusal("torch-shadowed", "the name `torch` means something else in this function")
    if isinstance(test, Refusal):
        return test
    then, other = branch(node.body, node, facts), branch(node.orelse, node, facts)
    if isinstance(then, Refusal):
        return then
    if isinstance(other, Refusal):
        return other
    pairs = _pairs(then, other, node, facts)
    if isinstance(pairs, Refusal):
        return pairs
    if not pairs:
        return Refusal("arm-not-simple", "a branch does more than give values to names")
    return Selection(node, test, torch, then, other, pairs, _name_for(test, pairs, node, facts))


def _pairs(then: Branch, other: Branch, node: ast.If, facts: Facts) -> dict[str, tuple[Arm, Arm]] | Refusal:
    pairs: dict[str, tuple[Arm, Arm]] = {}
    for path in dict.fromkeys([*then.values, *other.values]):
        a = then.values.get(path) or unchanged(path, node, facts)
        b = other.values.get(path) or unchanged(path, node, facts)
        if isinstance(a, Refusal) or isinstance(b, Refusal):
            return a if isinstance(a, Refusal) else b if isinstance(b, Refusal) else _mixed()
        if not all(_in_order(arm, pairs) for arm in (a, b)):
            return Refusal("arm-not-simple", "a value needs the old value of another name that changes")
        if (path in then.stores or path in other.stores) and not _same_store(then.stores, other.stores, path):
            return _mixed()
        pairs[path] = (a, b)
    return pairs


def _in_order(arm: Arm, done: Iterable[str]) -> bool:
    """True if the arm may be computed after `done` has been: it reads new values of what its branch has set, only."""
    return arm.reads & set(done) == arm.inner


def _mixed() -> Refusal:
    return Refusal("arm-not-simple", "the branches store the value in different ways")


def _same_store(a: dict[str, ast.Call], b: dict[str, ast.Call], path: str) -> bool:
    if path not in a or path not in b:
        return False
    words = zip(a[path].keywords, b[path].keywords, strict=False)
    return len(a[path].keywords) == len(b[path].keywords) and all(same(x, y) for x, y in words)


def _name_for(test: Condition, pairs: Iterable[str], node: ast.AST, facts: Facts) -> str:
    """A name for the condition if it is used more than once; "" if it needs none."""
    paths = list(pairs)
    plain = len(test.tests) == 1 and isinstance(test.tests[0], ast.Name) and test.tests[0].id not in paths
    return "" if len(paths) == 1 or plain else fresh_name(node, facts)


def _replace(site: Site, found: Selection) -> Edit:
    node, static = found.node, found.test.static
    kept = {"THEN": found.then.before, "OTHER": found.other.before, "BODY": node.body, "ORELSE": node.orelse}
    if not static:
        return site.replace(node, found.code(site, 0), **kept)
    inner = indented("    " + found.code(site, 1))
    word = " and " if found.test.joined is ast.And else " or "
    guard = word.join(site.operand(each) if isinstance(each, LOOSE) else site.code(each) for each in static)
    if found.test.joined is ast.And:
        rest = "\nelse:\n    ORELSE" if node.orelse else ""
        return site.replace(node, f"if {guard}:\n{inner}{rest}", **kept)
    return site.replace(node, f"if {guard}:\n    BODY\nelse:\n{inner}", **kept)


LOOSE: Final = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
