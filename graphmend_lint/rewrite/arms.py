"""The branches of an `if` as arms: which names each one sets, and what it must do before."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmend_lint.facts.callee import reads
from graphmend_lint.facts.effects import PURE, Effects, effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import Meta, meta, meta_of
from graphmend_lint.facts.reaching import definition, definition_at
from graphmend_lint.facts.values import CONSTANT, TENSOR
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.counted import Step, number_type, selected, step
from graphmend_lint.rewrite.in_place import changed_later as changed_later
from graphmend_lint.rewrite.select import Arm, is_fresh
from graphmend_lint.rewrite.spoken import spoken
from graphmend_lint.rewrite.stores import SAVED, Store, is_own, is_private, store
from graphmend_lint.rewrite.used_up import is_in_loop
from graphmend_lint.shapes import assignment, declared, dotted, mentions, mentions_inside, names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


@dataclass
class Branch:
    """One side of an `if`, as far as it is plain."""

    said: list[ast.stmt] = field(default_factory=list)  #: what it says first, for eager mode
    before: list[ast.stmt] = field(default_factory=list)  #: what must run first, whatever the condition
    values: dict[str, Arm] = field(default_factory=dict)  #: by name, attribute path, or the place of a store
    stores: dict[str, Store] = field(default_factory=dict)  #: where values go that have no name
    prepares: bool = False  #: `before` changes an object, harmlessly
    in_place: bool = False  #: an augmented assignment becomes a plain one
    doubts: Effects = PURE  #: what `before` may do


def branch(block: list[ast.stmt], node: ast.If | ast.Match, facts: Facts) -> Branch | Refusal:
    """The block taken apart into preparations and results."""
    found = Branch()
    for statement in block:
        refusal = _add(found, statement, node, facts)
        if refusal:
            return refusal
    return found


def _add(found: Branch, statement: ast.stmt, node: ast.If | ast.Match, facts: Facts) -> Refusal | None:
    """Add what a statement does to the branch; why it cannot be taken apart, if it cannot."""
    if isinstance(statement, ast.Pass):
        return None
    if first_use(statement) or is_refresh(statement):
        found.before.append(statement)
        found.prepares = True
        return None
    text = spoken(statement, facts) if not found.values and not found.before else None
    if text is not None:
        found.said += text if isinstance(text, list) else []
        return text if isinstance(text, Refusal) else None
    stored = store(statement, facts)
    if isinstance(stored, Refusal):
        return stored
    if stored is not None:
        return _add_store(found, stored, node, facts)
    count = selected(statement, facts) or step(statement)
    if count is not None and (kind := number_type(count.name, node, facts)) is not None:
        return _set(found, count.name, _counted(count, kind))
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
        return _unpack(found, statement, node, facts)
    return _add_value(found, statement, node, facts)


def _add_store(found: Branch, stored: Store, node: ast.If | ast.Match, facts: Facts) -> Refusal | None:
    own = bool(stored.own) and is_private(stored.own, node, facts)
    found.in_place |= own
    if stored.saved and not own and not no_grad(node, facts):
        return SAVED
    return _store(found, stored.renewed() if own else stored)


def _add_value(found: Branch, statement: ast.stmt, node: ast.If | ast.Match, facts: Facts) -> Refusal | None:
    """Add `name = value`: a result, or a preparation if the branch alone uses the name."""
    parts = assignment(statement)
    path = dotted(parts.target) if parts else None
    if parts is None or path is None or parts.augmented:
        return Refusal("arm-not-simple", "a branch does more than give values to names")
    plain = isinstance(parts.target, ast.Name)
    temporary = plain and is_temporary(path, node, facts)
    just_set = reads(parts.value, facts) & set(found.values)
    if just_set and (temporary or not plain or any("." in each for each in just_set)):
        return Refusal("arm-not-simple", "a branch uses a value that it has just set")
    if temporary and any(path in arm.reads for arm in found.values.values()):
        return Refusal("arm-not-simple", "a branch changes a name after it was used")
    if temporary and found.stores:
        return Refusal("arm-not-simple", "a branch computes something from what it has just stored")
    if temporary:
        return _prepare(found, statement, effects(parts.value, facts))
    arm = Arm.of(parts.value, facts)
    return _set(found, path, arm if isinstance(arm, Refusal) else arm._replace(inner=frozenset(just_set)))


def _unpack(found: Branch, statement: ast.Assign, node: ast.If | ast.Match, facts: Facts) -> Refusal | None:
    """Add `low, high = x.min(), x.max()`, if the branch alone uses the names."""
    names, is_plain = names_bound(statement.targets), len(statement.targets) == 1 and not found.stores
    if not is_plain or not all(is_temporary(each, node, facts) for each in names):
        return Refusal("arm-not-simple", "a branch does more than give values to names")
    if reads(statement.value, facts) & set(found.values) or any("." in each for each in names):
        return Refusal("arm-not-simple", "a branch uses a value that it has just set")
    if any(not arm.reads.isdisjoint(names) for arm in found.values.values()):
        return Refusal("arm-not-simple", "a branch changes a name after it was used")
    return _prepare(found, statement, effects(statement.value, facts))


def _counted(count: Step, kind: type) -> Arm:
    """The arm for the next value of a counter."""
    return Arm(
        lambda site: f"{count.name} {count.sign} {site.operand(count.value)}" if count.sign else site.code(count.value),
        Meta(),
        PURE,
        True,
        kind,
        reads=frozenset({count.name}),
    )


def _store(found: Branch, stored: Store) -> Refusal | None:
    """Add a store. Stores to one place are numbered, so that each is paired with the same one of the other branch."""
    count = sum(each.place == stored.place for each in found.stores.values())
    place = f"{stored.place} {count}" if count else stored.place
    found.stores[place] = stored
    return _set(found, place, _after(found, stored.value))


def _after(found: Branch, arm: Arm) -> Arm:
    """The arm, marked as one that is computed after what the branch has set so far."""
    return arm._replace(inner=frozenset(arm.reads & set(found.values)))


def _set(found: Branch, path: str, arm: Arm | Refusal) -> Refusal | None:
    if isinstance(arm, Refusal):
        return arm
    if path in found.values:
        return Refusal("arm-not-simple", "a branch sets the same name twice")
    found.values[path] = _with(arm, found.doubts)
    return None


def _prepare(found: Branch, statement: ast.stmt, doubts: Effects) -> Refusal | None:
    found.before.append(statement)
    found.doubts |= doubts
    found.values = {name: _with(arm, doubts) for name, arm in found.values.items()}
    return doubts.refusal


def first_use(statement: ast.stmt) -> bool:
    """True for `if not hasattr(self, "a"): self.a = ...`: running it early changes nothing else."""
    match statement:
        case ast.If(
            test=ast.UnaryOp(
                op=ast.Not(),
                operand=ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))]),
            ),
            body=[ast.Assign() as made],
            orelse=[],
        ):
            return f"{dotted(owner)}.{name}" in names_bound([made])
    return False


def is_refresh(statement: ast.stmt) -> bool:
    """True for `self.a = self.a.to(device)`: doing it again, or early, changes nothing else."""
    match statement:
        case ast.Assign(
            targets=[ast.Attribute() as target],
            value=ast.Call(func=ast.Attribute(value=base, attr="to" | "contiguous" | "cuda" | "cpu")),
        ):
            return dotted(target) is not None and dotted(target) == dotted(base)
    return False


def _with(arm: Arm, doubt: Effects) -> Arm:
    return arm._replace(effects=arm.effects | doubt)


def is_temporary(name: str, node: ast.If | ast.Match, facts: Facts) -> bool:
    """True if one branch alone sets the name, and no code outside the `if` reads what it set."""
    function = facts.function(node)
    if function is None or name in declared(function):
        return False
    inside, uses = {id(child) for child in walk(node)}, mentions(function, name)
    if len(uses) != len(mentions_inside(function, name)):
        return False  # a function inside may read it at any time
    mine = [use for use in uses if id(use) in inside and not isinstance(use.ctx, ast.Load)]
    read = [use for use in uses if id(use) not in inside and isinstance(use.ctx, ast.Load)]
    if not _are_on_one_side(mine, node) or _is_read_beside(mine[0], uses, node):
        return False
    return all(definition(use, facts).value is not None for use in read)


def _is_read_beside(made: ast.Name, uses: list[ast.Name], node: ast.If | ast.Match) -> bool:
    """True if the condition, or the other branch, reads what the name held before."""
    blocks = [node.body, node.orelse] if isinstance(node, ast.If) else [case.body for case in node.cases]
    own = {id(each) for block in blocks for part in block for each in walk(part) if _holds(block, made)}
    inside = {id(child) for child in walk(node)}
    return any(id(use) in inside - own and isinstance(use.ctx, ast.Load) for use in uses)


def _holds(block: list[ast.stmt], name: ast.Name) -> bool:
    return any(each is name for part in block for each in walk(part))


def _are_on_one_side(uses: list[ast.Name], node: ast.If | ast.Match) -> bool:
    """True if there are some, and all of them lie in one branch."""
    if len(uses) < 2 or isinstance(node, ast.Match):
        return len(uses) == 1
    ends = node.body[-1].end_lineno or 0
    return len({use.lineno <= ends for use in uses}) == 1


def unchanged(path: str, node: ast.If, facts: Facts) -> Arm | Refusal:
    """The value a name keeps where a branch does not set it."""
    load = _load(path, node)
    given = definition_at(path, node, facts)
    known = facts.kinds(load) if load is not None else facts.kinds(given.value) if given.value is not None else 0
    if known != TENSOR and "." not in path and (kind := number_type(path, node, facts)) is not None:
        return Arm(lambda site: path, Meta(), PURE, True, kind, reads=frozenset({path}))
    if known == CONSTANT and given.value is not None and (kept := _constant(path, given.value, facts)) is not None:
        return kept
    if known != TENSOR:
        return Refusal("value-unknown", f"what `{path}` holds before the branch is not known to be a tensor")
    fresh = given.value is not None and is_fresh(given.value, facts) and _is_alone(path, node, facts)
    found = meta(load, facts) if "." in path and load is not None else meta_of(path, given, facts)
    passed = "." not in path and (given.value is None or not no_grad_needed(given.value, facts))
    return Arm(lambda site: path, found, PURE, fresh, reads=frozenset({path}), passed=passed)


def _constant(path: str, value: ast.expr, facts: Facts) -> Arm | None:
    """The arm for a name that was given a number beforehand."""
    kind = type(facts.value(value).const)
    return Arm(lambda site: path, Meta(), PURE, True, kind, frozenset({path})) if kind in (int, float) else None


def _is_alone(name: str, node: ast.If, facts: Facts) -> bool:
    """False if the tensor may have become known elsewhere by now, and is changed in place somewhere."""
    function = facts.function(node)
    uses = mentions_inside(function, name) if function is not None else []
    before = uses if is_in_loop(node, facts) else [use for use in uses if use.lineno < node.lineno]
    known = any(facts.function(use) is not function or not is_own(use, facts) for use in before)
    return not known or not changed_later(name, node, facts)


def _load(path: str, node: ast.If) -> ast.expr | None:
    """A node in the `if` that reads the value which the path has before it."""
    places = [each for each in walk(node) if isinstance(each, ast.Name | ast.Attribute) and dotted(each) == path]
    first = min((each.lineno for each in places if not isinstance(each.ctx, ast.Load)), default=node.end_lineno or 0)
    return next((each for each in places if isinstance(each.ctx, ast.Load) and each.lineno <= first), None)
