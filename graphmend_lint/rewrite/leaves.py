"""New tensors that require gradients which nobody takes: `torch.zeros(4, requires_grad=True)` as an operand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.shapes import declared
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Make the tensor without a gradient of its own"
CAVEAT: Final = (
    "The new tensor requires no gradient, and what is made of it requires one only where something else in it does."
)
MAKERS: Final = frozenset(
    f"torch.{name}"
    for name in words(
        "zeros ones full empty rand randn tensor arange linspace eye zeros_like ones_like full_like rand_like"
    )
)
#: words of a function that looks at gradients itself
LOOKS: Final = words(
    "grad backward autograd register_hook retain_grad requires_grad requires_grad_ is_leaf grad_fn jacobian vjp jvp"
)


def without_gradient(node: ast.Call, facts: Facts) -> Fix | None:
    """The tensor made without `requires_grad`, if it is only computed with, and its function looks at no gradient."""
    made = _made(node, facts)
    if made is None or not _is_operand(node, facts) or _looks(node, made, facts):
        return None
    kept = [each for each in made.keywords if each.arg != "requires_grad"]
    if "#" in facts.text(node):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        given = [site.argument(each) for each in made.args]
        given += [f"{each.arg}={site.code(each.value)}" if each.arg else f"**{site.code(each.value)}" for each in kept]
        return (site.expression(node, f"{site.code(made.func)}({', '.join(given)})"),)

    return Fix(TITLE, Applicability.UNSAFE, edits, CAVEAT)


def _made(node: ast.Call, facts: Facts) -> ast.Call | None:
    """The call that makes the tensor; `torch.zeros(4).requires_grad_()` asks for the gradient afterwards."""
    name = facts.resolve(node.func) or ""
    if name in MAKERS:
        return node
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Call() as made), args=[] | [ast.Constant(value=True)], keywords=[]):
            return made if name == "torch.Tensor.requires_grad_" and facts.resolve(made.func) in MAKERS else None
    return None


def _is_operand(node: ast.Call, facts: Facts) -> bool:
    """True if the tensor, or the local name that it is given to, is an operand wherever it is read."""
    above, function = facts.parent(node), facts.function(node)
    if function is None or isinstance(function, ast.Lambda):
        return False
    if not isinstance(above, ast.Assign | ast.AnnAssign):
        return _computes(node, facts)
    target = above.target if isinstance(above, ast.AnnAssign) else above.targets[0]
    if not isinstance(target, ast.Name) or (isinstance(above, ast.Assign) and len(above.targets) > 1):
        return False
    names = [each for each in walk(function) if isinstance(each, ast.Name) and each.id == target.id]
    stores = [each for each in names if not isinstance(each.ctx, ast.Load)]
    if target.id in declared(function) or any(facts.function(each) is not function for each in names):
        return False
    if any(isinstance(facts.parent(each), ast.AugAssign) for each in stores):
        return False  # a leaf that is changed in place raises
    loads = [each for each in names if isinstance(each.ctx, ast.Load)]
    sums = len(stores) > 1  # what is returned is no leaf, unless nothing was added
    return bool(loads) and all(
        _computes(each, facts) or (sums and isinstance(facts.parent(each), ast.Return)) for each in loads
    )


def _computes(node: ast.expr, facts: Facts) -> bool:
    """True for an operand of arithmetic, or an argument of a function of torch."""
    above = facts.parent(node)
    match above:
        case ast.BinOp():
            return True
        case ast.Call(args=args) if node in args:
            name = facts.resolve(above.func) or ""
            return name.startswith("torch.") and not name.endswith("_") and "nn.Module" not in name
        case ast.List() | ast.Tuple() if isinstance(call := facts.parent(above), ast.Call):
            return facts.resolve(call.func) in ("torch.cat", "torch.stack")
    return False


def _looks(node: ast.Call, made: ast.Call, facts: Facts) -> bool:
    """True if the function around has to do with gradients in any way but to make new leaves."""
    inside = {id(each) for each in walk(node)} - {id(each) for argument in made.args for each in walk(argument)}
    for each in walk(facts.function(node) or facts.source.tree):
        word = each.attr if isinstance(each, ast.Attribute) else each.id if isinstance(each, ast.Name) else ""
        if word in LOOKS and id(each) not in inside:
            above = facts.parent(each)
            if word != "requires_grad_" or not isinstance(above, ast.Call) or _made(above, facts) is None:
                return True
    return False
