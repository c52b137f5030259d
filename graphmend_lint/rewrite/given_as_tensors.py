"""Tensors where torch takes numbers, given in a way that takes tensors: `torch.empty_like(x).fill_(t)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.number_arguments import BOUNDS, bounds_of, lone_bound
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

MAKES: Final = {"full_like": "empty_like", "new_full": "new_empty"}
CAVEAT: Final = (
    "Both tensors must be on one device; one that has dimensions or requires grad is taken, where it used to raise."
)
BOUND_CAVEAT: Final = f"{CAVEAT} What holds integers or has no dimensions may get the dtype of the bound."


def filled(node: ast.Call, facts: Facts) -> Fix | None:
    """`torch.full_like(x, t)` as `torch.empty_like(x).fill_(t)`; None for any other call."""
    name = torch_api.canonical(facts.resolve(node.func) or "")
    last = name.rpartition(".")[2]
    if last not in MAKES or not isinstance(node.func, ast.Attribute) or node.func.attr != last:
        return None
    value = _value(node)
    if value is None or facts.kinds(value) != TENSOR or any(word.arg in NOT_KEPT for word in node.keywords):
        return None
    function = node.func

    def edits(site: Site) -> tuple[Edit, ...]:
        given = [site.argument(each) for each in node.args if each is not value]
        given += [f"{word.arg}={site.code(word.value)}" for word in node.keywords if word.value is not value]
        made = f"{site.code(function.value)}.{MAKES[last]}({', '.join(given)})"
        return (site.expression(node, f"{made}.fill_({site.argument(value)})"),)

    return Fix("Fill it with the tensor", Applicability.UNSAFE, edits, CAVEAT)


NOT_KEPT: Final = frozenset({"requires_grad", "out", "size", "input", None})


def _value(node: ast.Call) -> ast.expr | None:
    """What `full_like` and `new_full` fill a tensor with."""
    named = [word.value for word in node.keywords if word.arg == "fill_value"]
    plain = len(node.args) == 2 and not any(isinstance(each, ast.Starred) for each in node.args)
    return named[0] if named else node.args[1] if plain else None


def one_by_one(node: ast.Call, facts: Facts) -> Fix | None:
    """`x.clamp(0, t)` as `x.clamp(min=0).clamp(max=t)`; None for any other call."""
    given = bounds_of(node, facts)
    if lone_bound(node, facts) is None or not isinstance(node.func, ast.Attribute):
        return None
    words, function = {word.arg for word in node.keywords}, node.func
    method = torch_api.canonical(facts.resolve(function) or "").startswith("torch.Tensor.")
    if not words <= {*BOUNDS} or len(node.args) + len(words) != 3 - method:
        return None
    tensor = function.value if method else node.args[0]

    def edits(site: Site) -> tuple[Edit, ...]:
        calls = "".join(f".{function.attr}({word}={site.argument(given[word])})" for word in BOUNDS)
        return (site.expression(node, f"{site.operand(tensor)}{calls}"),)

    return Fix("Apply the two bounds one by one", Applicability.UNSAFE, edits, BOUND_CAVEAT)
