"""Gradients that are taken in the middle of the graph: `torch.autograd.grad` of a new leaf as `torch.func.grad`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.lasting import leaves_something
from graphmend_lint.rewrite.template import call
from graphmend_lint.shapes import block_of
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "What else is made of the new leaf no longer requires grad, and what is derived must change nothing in place."
)
FLAGS: Final = frozenset({"create_graph", "retain_graph"})


class Taken(NamedTuple):
    """`leaf = start.requires_grad_()`, perhaps `value = ...`, and `(gradient,) = torch.autograd.grad(value, leaf)`."""

    leaf: ast.Assign
    name: str  #: of the leaf
    start: ast.expr
    value: ast.Assign | None
    derived: ast.expr  #: what is derived
    gradient: ast.Assign
    target: ast.expr
    kept: bool  #: the gradient is part of the graph


def derivative(node: ast.AST, facts: Facts) -> Fix | None:
    """The same gradient by `torch.func.grad`; None for anything but the two or three lines of a `Taken`."""
    taken, torch = _taken(node, facts), torch_name(facts, node)
    if taken is None or torch is None or _keeps_something(taken.derived, facts):
        return None
    return Fix(
        title="Derive with `torch.func`",
        applicability=Applicability.UNSAFE,
        edits=lambda site: _edits(site, taken, torch),
        caveat=CAVEAT,
        imports=("torch",),
    )


def _edits(site: Site, taken: Taken, torch: str) -> tuple[Edit, ...]:
    leaf = site.expression(taken.leaf.value, site.code(taken.start))
    function, target = f"lambda {taken.name}: {site.code(taken.derived)}", site.code(taken.target)
    room = site.room(taken.gradient, len(f"{target} = ({taken.name}).detach()"))
    if taken.value is None:
        line = f"{target} = {call(f'{torch}.func.grad', [function], room)}({taken.name})"
        return leaf, site.replace(taken.gradient, line if taken.kept else f"{line}.detach()")
    value = site.code(taken.value.targets[0])
    line = f"{target}, {value} = {call(f'{torch}.func.grad_and_value', [function], room)}({taken.name})"
    after = "" if taken.kept else f"\n{target} = {target}.detach()"
    return leaf, site.remove(taken.value), site.replace(taken.gradient, line + after)


def _taken(node: ast.AST, facts: Facts) -> Taken | None:
    """The lines that a call of `torch.autograd.grad` or `requires_grad_` belongs to."""
    statement = statement_of(node, facts)
    parent = facts.parent(statement) if statement is not None else None
    block = block_of(statement, parent) if statement is not None and parent is not None else []
    at = block.index(statement) if statement in block else -1
    for first in range(max(at - 2, 0), at + 1):
        for length in (2, 3):
            found = _lines(block[first : first + length], facts) if first + length <= len(block) else None
            if found is not None and any(each is statement for each in block[first : first + length]):
                return found
    return None


def _lines(lines: list[ast.stmt], facts: Facts) -> Taken | None:
    """Two or three lines that make a leaf, perhaps compute a value, and take the gradient; None for any others."""
    leaf, *between, last = lines
    start, name = _leaf(leaf, facts)
    target, grad = _gradient(last, facts)
    if start is None or grad is None or target is None or not isinstance(leaf, ast.Assign):
        return None
    out, given = _only(grad.args[0]), _only(grad.args[1])
    if not isinstance(given, ast.Name) or given.id != name or out is None or not isinstance(last, ast.Assign):
        return None
    kept = any(word.arg == "create_graph" and getattr(word.value, "value", False) for word in grad.keywords)
    value = between[0] if between else None
    if value is None:
        return Taken(leaf, name, start, None, out, last, target, kept) if _is_pure(out) else None
    match value, out:
        case ast.Assign(targets=[ast.Name(id=bound)], value=derived), ast.Name(id=read) if bound == read != name:
            return Taken(leaf, name, start, value, derived, last, target, kept) if _is_pure(derived) else None
    return None


def _leaf(line: ast.stmt, facts: Facts) -> tuple[ast.expr | None, str]:
    """What a new leaf is made of, in `leaf = start.detach().requires_grad_()`, and its name."""
    match line:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Attribute(value=start, attr="requires_grad_"), args=args, keywords=[]),
        ) if all(isinstance(each, ast.Constant) and each.value is True for each in args):
            return (start, name) if no_grad_needed(start, facts) else (None, "")
    return None, ""


def _gradient(line: ast.stmt, facts: Facts) -> tuple[ast.expr | None, ast.Call | None]:
    """The name that the gradient is given, and the call that takes it."""
    match line:
        case ast.Assign(targets=[ast.Tuple(elts=[ast.Name() as target]) | ast.List(elts=[ast.Name() as target])]):
            value: ast.expr = line.value
        case ast.Assign(targets=[ast.Name() as target], value=ast.Subscript(value=value, slice=ast.Constant(value=0))):
            pass
        case _:
            return None, None
    if not isinstance(value, ast.Call) or facts.resolve(value.func) != "torch.autograd.grad" or len(value.args) != 2:
        return None, None
    plain = all(word.arg in FLAGS and isinstance(word.value, ast.Constant) for word in value.keywords)
    return (target, value) if plain else (None, None)


def _only(node: ast.expr) -> ast.expr | None:
    """The tensor of `x`, `[x]` or `(x,)`; None if there are several."""
    match node:
        case ast.List(elts=[only]) | ast.Tuple(elts=[only]):
            return None if isinstance(only, ast.Starred) else only
        case ast.List() | ast.Tuple():
            return None
    return node


def _is_pure(node: ast.expr) -> bool:
    """True if the expression may stand in a lambda, and changes nothing in place as far as is seen."""
    return not any(
        isinstance(each, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom)
        or (isinstance(each, ast.Attribute) and each.attr.endswith("_") and not each.attr.endswith("__"))
        for each in walk(node)
    )


def _keeps_something(node: ast.expr, facts: Facts) -> bool:
    """True if computing the value is seen to store something, as batch normalization does with its statistics."""
    return any(leaves_something(each, facts, draws=False) for each in walk(node))
