"""Numbers that are read for one check alone: `n = t.item()`, then `if n != size: raise ValueError(f"... {n}")`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.loads import loads_of
from graphmend_lint.shapes import assignment, block_of, guarded_raise, names_bound, names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Check = ast.If | ast.Assert
ONLY_RAISES: Final = frozenset({"index-may-fail", "branch-may-raise"})  #: and change nothing


def check_of(read: ast.stmt, facts: Facts) -> Check | None:
    """The one check, later in the same block, that uses the name which a statement sets; None if there is no such."""
    parts, parent = assignment(read), facts.parent(read)
    if parts is None or parts.augmented or not isinstance(parts.target, ast.Name) or parent is None:
        return None
    loads, block = loads_of(parts.target.id, read, facts), block_of(read, parent)
    if not loads or not block:
        return None
    after = block[block.index(read) + 1 :]
    check = next((each for each in after if _holds(each, loads[0])), None)
    if not isinstance(check, Check) or not all(_asks(check, each) for each in loads):
        return None
    between = after[: after.index(check)]
    return check if all(may_pass(read, each, facts) for each in between) else None


def _holds(statement: ast.AST, node: ast.expr) -> bool:
    return any(child is node for child in walk(statement))


def _asks(check: Check, load: ast.expr) -> bool:
    """True if the check needs the value to decide, or to say why it fails."""
    if isinstance(check, ast.Assert):
        return _holds(check, load)
    return guarded_raise(check) is not None and any(_holds(each, load) for each in (check.test, *check.body))


def may_pass(read: ast.stmt, other: ast.stmt, facts: Facts) -> bool:
    """True if the order of two statements does not matter: the other one only gives a name to what it computes."""
    parts, given = assignment(other), assignment(read)
    if parts is None or parts.augmented or not isinstance(parts.target, ast.Name) or given is None:
        return False
    if parts.target.id in names_read(given.value) | names_bound([read]):
        return False
    if any(changed_later(path, read, facts) for path in names_read(given.value)):
        return False
    found = effects(parts.value, facts).refusal
    return facts.is_scalar(parts.value) or found is None or found.reason in ONLY_RAISES
