"""Predication: an `if` on a tensor becomes straight code that selects with `torch.where`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import CONCRETE, FLOATS, Meta, may_agree
from graphmend_lint.facts.reaching import definition
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import Branch, branch, changed_later, unchanged
from graphmend_lint.rewrite.counted import number_type, selected, step
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.naming import fresh_name
from graphmend_lint.rewrite.number_uses import is_operand
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import COPY, IN_PLACE, Arm, doubted, judge, where, worst
from graphmend_lint.rewrite.spoken import SILENT, said
from graphmend_lint.rewrite.stores import Store, is_private
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.used_up import is_used_up
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Select with `torch.where`"
PREPARED: Final = (
    "What one branch prepares is now prepared always, both values must have one shape, dtype and device, "
    "and a new tensor is stored."
)


WRITTEN: Final = (
    "The tensor is written to whatever the condition, which autograd must allow, and values must have its dtype."
)
INDEXED: Final = "Elements are read and written whatever the condition, so an index that is out of range raises always."
DTYPES: Final = Refusal("shape-or-dtype-unknown", "what is written has another dtype than the tensor")
ESCAPES: Final = Refusal("value-escapes", "the number is used as a Python value; a tensor could not take its place")
ARMS: Final = Refusal("arms-differ", "the two sides are values of different types")


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
    shared: bool = False  #: the condition may be a tensor that the branches change

    def code(self, site: Site, depth: int) -> str:
        """The straight code, at `depth` levels inside the place of the `if`."""
        lines = [name for name, kept in (("THEN", self.then.before), ("OTHER", self.other.before)) if kept]
        test = self.test.tensor.code(site)
        lines += self.test.tensor.names(site).splitlines()
        if self.bind:
            kept = f"{self.test.tensor.operand()(site)}.clone()" if self.shared else test
            lines.append(f"{self.bind} = {kept}")
        lines += [said(self.torch, test, place) for test, place, each in self._said(test) if each]
        room = site.room(self.node, 4 * depth)
        lines += [self._store(site, path, self.bind or test, room) for path in self.pairs]
        return "\n".join(lines)

    def _said(self, test: str) -> list[tuple[str, str, list[ast.stmt]]]:
        """What each branch says: the condition, the placeholder in the new code, and the statements."""
        name = self.bind or test
        return [(name, "THEN_SAID", self.then.said), (f"not {name}", "OTHER_SAID", self.other.said)]

    def _store(self, site: Site, path: str, test: str, room: int) -> str:
        then, other = (arm.code(site) for arm in self.pairs[path])

        def value(room: int) -> str:
            return where(self.torch, test, then, other, room)

        store = self.store(path)
        return f"{path} = {value(room - len(path) - 3)}" if store is None else store.write(site, value, room)

    def store(self, path: str) -> Store | None:
        """How the value is stored, unless `path` is a name."""
        found = [each.stores[path] for each in (self.then, self.other) if path in each.stores]
        return max(found, key=lambda each: each.into, default=None)


def assigned(node: ast.If, facts: Facts) -> Fix | Refusal:
    """Both branches set names, attributes or buffers; or one does and the other leaves them."""
    prepared = _selection(node, facts)
    if isinstance(prepared, Refusal):
        return prepared
    verdicts = [_judged(path, prepared, facts) for path in prepared.pairs]
    for verdict in verdicts:
        if isinstance(verdict, Refusal):
            return verdict
    for path in prepared.pairs:
        if (changed := _changed(path, prepared, facts)) is not None:
            return Refusal("in-place-later", f"`{changed}` is changed in place later, which must reach the original")
    level, caveat = worst([each for each in verdicts if not isinstance(each, Refusal)])
    level, caveat = doubted(_doubts(prepared, facts, level, caveat), _index_doubt(prepared))
    level, caveat = doubted((level, caveat), prepared.test.tensor.doubt)
    return Fix(TITLE, level, lambda site: (_replace(site, prepared),), caveat, ("torch",))


def _index_doubt(found: Selection) -> str:
    return INDEXED if any(arm.effects.indexes for pair in found.pairs.values() for arm in pair) else ""


def _changed(path: str, found: Selection, facts: Facts) -> str | None:
    """The name of a tensor that `path` shares with others, and that is changed in place somewhere."""
    store = found.store(path)
    if store is not None and store.into:
        return None
    shared = [each for each in found.pairs[path] if not each.fresh]
    names = {name for each in shared for name in each.reads} | ({path} if shared else set())
    return next(
        (n for n in sorted(names) if changed_later(n, found.node, facts) and not is_private(n, found.node, facts)), None
    )


def _judged(path: str, found: Selection, facts: Facts) -> tuple[Applicability, str] | Refusal:
    """How far selecting what goes to `path` is the same as branching."""
    (a, b), store = found.pairs[path], found.store(path)
    if store is None and (a.number or b.number) and not _is_operand(path, found.node, facts):
        return ESCAPES
    if store is None or not store.into:
        kept = store is not None or not (a.passed or b.passed) or not is_used_up(path, found.node, facts)
        return judge(a, b, found.node, facts, operand=store is None, kept=kept)
    if a.number and b.number:
        return (Applicability.UNSAFE, WRITTEN) if a.number is b.number else ARMS
    if (
        a.meta.dtype != b.meta.dtype
        and {a.meta.dtype, b.meta.dtype} <= CONCRETE
        and not {a.meta.dtype, b.meta.dtype} <= FLOATS
    ):
        return DTYPES
    alike, metas = may_agree(a.meta, b.meta), (b.meta, a.meta) if a.number else (a.meta, b.meta)
    known = next((each for each in metas if each.shape is not None), Meta(frozenset({path})))
    a, b = (each._replace(fresh=True, number=None, meta=each.meta if alike else known) for each in (a, b))
    verdict = judge(a, b, found.node, facts)  # the tensor that is written into decides on shape and dtype
    both = path in found.then.stores and path in found.other.stores
    return verdict if isinstance(verdict, Refusal) or (both and alike) else (Applicability.UNSAFE, WRITTEN)


def _is_operand(name: str, node: ast.If, facts: Facts) -> bool:
    """True if the number that the name holds is only used in arithmetic with tensors."""
    function = facts.function(node)
    uses = [each for each in walk(function) if isinstance(each, ast.Name)] if function is not None else []
    loads = [each for each in uses if each.id == name and isinstance(each.ctx, ast.Load)]
    return bool(loads) and all(is_operand(each, facts) or _is_counted(each, facts) for each in loads)


def _is_counted(load: ast.Name, facts: Facts) -> bool:
    """True for the `n` that `n = n + 1` reads, and for those in `n = torch.where(test, n + 1, n)`."""
    above = facts.parent(load)
    while isinstance(above, ast.BinOp | ast.Call):
        above = facts.parent(above)
    if not isinstance(above, ast.Assign):
        return False
    count = selected(above, facts) or step(above)
    return count is not None and count.name == load.id and number_type(load.id, above, facts) is not None


def _doubts(found: Selection, facts: Facts, level: Applicability, caveat: str) -> tuple[Applicability, str]:
    if found.then.prepares or found.other.prepares:
        return Applicability.UNSAFE, PREPARED
    if found.then.said or found.other.said:
        return Applicability.UNSAFE, f"{caveat} {SILENT}".strip()
    if level is not Applicability.SAFE:
        return level, caveat
    if found.then.in_place or found.other.in_place:
        return Applicability.UNSAFE, IN_PLACE
    names = [path for path in found.pairs if found.store(path) is None or "buffer" in path]
    if any("." in path or changed_later(path, found.node, facts) for path in names):
        return Applicability.UNSAFE, COPY
    return level, caveat


def _selection(node: ast.If, facts: Facts) -> Selection | Refusal:
    """Both branches as values by name; a refusal if they do anything that cannot be selected."""
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True)
    if torch is None:
        return SHADOWED
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
    changes = any(store.into for store in (*then.stores.values(), *other.stores.values()))
    shared = changes and test.tensor.shared and not _is_own(test, facts)
    uses = [*pairs, *("said" for each in (then, other) if each.said)]
    return Selection(node, test, torch, then, other, pairs, _name_for(test, uses, node, facts), shared)


def _is_own(test: Condition, facts: Facts) -> bool:
    """True if the condition is a name, whose tensor the function has made and changes nowhere."""
    match test.tests:
        case [ast.Name(id=path) as name]:
            given = definition(name, facts).value
            return given is not None and is_fresh(given, facts) and not changed_later(path, name, facts)
    return False


def _pairs(then: Branch, other: Branch, node: ast.If, facts: Facts) -> dict[str, tuple[Arm, Arm]] | Refusal:
    """What each name or place gets on either side, in the order in which the branches set them."""
    pairs: dict[str, tuple[Arm, Arm]] = {}
    paths = list(dict.fromkeys([*then.values, *other.values]))
    if (then.stores or other.stores) and [each for each in paths if each in other.values] != list(other.values):
        return Refusal("arm-not-simple", "the branches store values in different order")
    for path in paths:
        a, b = _side(path, then, other, node, facts), _side(path, other, then, node, facts)
        if isinstance(a, Refusal):
            return a
        if isinstance(b, Refusal):
            return b
        if not all(_in_order(arm, pairs) for arm in (a, b)):
            return Refusal("arm-not-simple", "a value needs the old value of another name that changes")
        pairs[path] = (a, b)
    return pairs


def _side(path: str, own: Branch, opposite: Branch, node: ast.If, facts: Facts) -> Arm | Refusal:
    """What `path` holds after one branch: what the branch gives it, or else what it holds before."""
    if path in own.values:
        return own.values[path]
    store = opposite.stores.get(path)
    return unchanged(path, node, facts) if store is None else store.old


def _in_order(arm: Arm, done: Iterable[str]) -> bool:
    """True if the arm may be computed after `done`: of these, it reads only what its own branch has set."""
    return arm.reads & set(done) == arm.inner


def _name_for(test: Condition, pairs: Iterable[str], node: ast.AST, facts: Facts) -> str:
    """A name for the condition if it is used more than once; "" if it needs none."""
    paths = list(pairs)
    name = test.tests[0].id if len(test.tests) == 1 and isinstance(test.tests[0], ast.Name) else None
    plain = name is not None and name not in paths
    plain = plain and (_is_own(test, facts) or not any("[" in path for path in paths))
    return "" if len(paths) == 1 or plain else fresh_name(node, facts)


def _replace(site: Site, found: Selection) -> Edit:
    kept = {"THEN": found.then.before, "OTHER": found.other.before}
    kept |= {"THEN_SAID": found.then.said, "OTHER_SAID": found.other.said}
    if found.test.static:
        return under_known(site, found.node, found.test, found.code(site, 1), **kept)
    return site.replace(found.node, found.code(site, 0), **kept)


def under_known(site: Site, node: ast.If, test: Condition, code: str, **kept: list[ast.stmt]) -> Edit:
    """Put `code` in place of an `if`, under those parts of its condition that Python knows."""
    guard = test.known(site)
    inner = "\n".join(f"    {line}" if line else line for line in code.split("\n"))
    if test.joined is ast.Or:
        return site.replace(node, f"if {guard}:\n    BODY\nelse:\n{inner}", BODY=node.body, **kept)
    rest = "\nelse:\n    ORELSE" if node.orelse else ""
    return site.replace(node, f"if {guard}:\n{inner}{rest}", ORELSE=node.orelse, **kept)
