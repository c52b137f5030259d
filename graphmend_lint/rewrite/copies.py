"""Copies that Dynamo can trace: `copy.deepcopy(t)` as `t.detach().clone()`, `copy.copy(xs)` as `xs.copy()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, CONTAINER, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Fix, Refusal
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

MAY_REQUIRE: Final = Refusal(
    "call-not-traceable", "the copy of a tensor that requires grad requires grad, too; `detach()` first if it need not"
)
UNTRACKED: Final = Refusal("call-not-traceable", "what is copied is not known to be one tensor, list or dict")
DEPTH = 8  #: definitions followed before the answer is "not known"


def copied(node: ast.Call, facts: Facts) -> Fix | Refusal | None:
    """The same copy made by what Dynamo traces; None if the call copies nothing."""
    name = facts.resolve(node.func)
    if name not in ("copy.copy", "copy.deepcopy"):
        return None
    if len(node.args) != 1 or node.keywords:
        return UNTRACKED
    given = node.args[0]
    if facts.kinds(given) == TENSOR:
        return _tensor(node, given, name == "copy.deepcopy", facts)
    if name == "copy.copy" and facts.kinds(given) == CONTAINER and _is_plain(given, facts):
        return _written(node, given, ".copy()", "Copy with the container's own method")
    return UNTRACKED


def _tensor(node: ast.Call, given: ast.expr, deep: bool, facts: Facts) -> Fix | Refusal:
    """The copy of a tensor that needs no gradient: `detach()` shares its memory, `clone()` does not."""
    if not no_grad_needed(given, facts):
        return MAY_REQUIRE
    if _has_attributes(given, facts):
        return UNTRACKED
    return _written(node, given, ".clone()" if deep else ".detach()", "Copy the tensor inside the graph")


def _has_attributes(given: ast.expr, facts: Facts) -> bool:
    """True if the function sets attributes on the tensor: a copy would have them as well."""
    function, path = facts.function(given), dotted(given)
    if function is None or path is None:
        return False
    stored = [each for each in walk(function) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)]
    return any(dotted(each.value) == path for each in stored)


def _written(node: ast.Call, given: ast.expr, suffix: str, title: str) -> Fix:
    return Fix(title, Applicability.SAFE, lambda site: (site.expression(node, site.operand(given) + suffix),))


def no_grad_needed(node: ast.expr, facts: Facts, depth: int = DEPTH) -> bool:
    """True for a tensor that is proven not to require grad: detached, of integers or bools, under `no_grad`."""
    if facts.value(node).traits & (BOOL | INTEGRAL):
        return True
    match node:
        case ast.Call():
            name = torch_api.canonical(facts.resolve(node.func) or "")
            return name in ("torch.Tensor.detach", "torch.detach") or (is_fresh(node, facts) and no_grad(node, facts))
        case ast.BinOp() | ast.UnaryOp():
            return no_grad(node, facts)
        case ast.Name() if depth:
            given = definition(node, facts).value
            return given is not None and no_grad_needed(given, facts, depth - 1)
    return False


def _is_plain(node: ast.expr, facts: Facts, depth: int = DEPTH) -> bool:
    """True if the value is proven to be a list, dict or set of Python itself."""
    match node:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call():
            return facts.resolve(node.func) in ("builtins.list", "builtins.dict", "builtins.set")
        case ast.Name() if depth:
            given = definition(node, facts).value
            return given is not None and _is_plain(given, facts, depth - 1)
    return False
