"""Whether a variable's tensor may be changed in place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.changing import changed_paths
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def may_change_path(path: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function changes a variable in place or, for an attribute, if any function of the file does."""
    if "." not in path:
        return changed_later(path, node, facts)
    return path.rpartition(".")[2] in _changed_attributes(facts)


@kept(8)
def _changed_attributes(facts: Facts) -> frozenset[str]:
    """Names of the attributes whose tensors a file changes in place."""
    paths = {path for each in walk(facts.source.tree) for path in changed_paths(each, facts)}
    return frozenset(path.rpartition(".")[2] for path in paths if "." in path)
