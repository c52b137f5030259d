"""Whether a call of torch breaks the graph, where that hangs on its arguments."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.api_values import holds
from graphmend_lint.facts.values import TENSOR

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def breaks(entry: torch_api.Entry, node: ast.Call, facts: Facts) -> bool:
    """True if the condition under which the function breaks the graph (see `generate`) holds for this call."""
    if entry.breaks_gb is None or entry.breaks_when is None:
        return entry.breaks_gb is not None
    is_method = (facts.resolve(node.func) or "").startswith(torch_api.METHOD)
    return all(_holds(part, node, is_method, facts) for part in entry.breaks_when.split(" and "))


def _holds(part: str, node: ast.Call, is_method: bool, facts: Facts) -> bool:
    kind, _, position = part.partition(":")
    if kind == "repeats":
        return _repeats(node, is_method, facts)
    if kind != "tensor":
        return holds(part, node, len(node.args) - (0 if is_method else 1), is_method)
    at = int(position) - 1 if is_method else int(position)
    return at < len(node.args) and facts.kinds(node.args[at]) == TENSOR


def _repeats(node: ast.Call, is_method: bool, facts: Facts) -> bool:
    named = [word.value for word in node.keywords if word.arg == "repeats"]
    whole = not any(word.arg in (None, "input") for word in node.keywords)
    if whole and not is_method and len(node.args) + len(named) == 1:
        return True
    return any(facts.kinds(each) == TENSOR for each in (*node.args[1 - is_method : 2 - is_method], *named))
