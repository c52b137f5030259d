"""Conditions that compiled code may read again for the gradient, after the tensor has been changed.

Measured on torch 2.13: the condition of a `torch.where` is not always kept for the gradient. It may be computed again
from a buffer, which by then holds another value.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.changing import changed_paths
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: a comparison of these is a result so much smaller that it is kept, not computed again
WIDE: Final = frozenset({"int64", "float64"})
LONG: Final = frozenset({"torch.long", "torch.int64"})


def read_again(tests: list[ast.expr], shared: bool, facts: Facts) -> Refusal | None:
    """Why the gradient may be wrong, if a tensor that decides is changed in place elsewhere; None if none is.

    `shared`: the condition is the tensor itself, and not computed from it.
    """
    if all(no_grad(test, facts) for test in tests):
        return None
    for test in tests:
        path = _stored(test, facts, 0) or (_itself(test, facts) if shared else None)
        if path is not None:
            why = f"`{path}` is changed in place, and may be read again, as it is then, for the gradient"
            return Refusal("gradient-differs", why)
    return None


def _itself(test: ast.expr, facts: Facts) -> str | None:
    """The path of the tensor that is the condition, or that it is a view of, if the function changes it in place."""
    while isinstance(test, ast.Subscript):
        test = test.value
    path = dotted(test)
    return path if path is not None and changed_later(path, test, facts) else None


def _stored(test: ast.expr, facts: Facts, depth: int) -> str | None:
    """The path of an attribute that the condition is computed from, and that something changes in place."""
    changed = _changed_attributes(facts)
    if not changed:
        return None
    kept = {id(side) for each in walk(test) if isinstance(each, ast.Compare) for side in _kept(each, facts)}
    for node in walk(test):
        found = None
        if isinstance(node, ast.Attribute) and node.attr in changed and id(node) not in kept:
            found = dotted(node) if facts.kinds(node) & TENSOR else None
        elif isinstance(node, ast.Name) and depth < DEPTH and facts.kinds(node) & TENSOR:
            given = definition(node, facts).value
            found = _stored(given, facts, depth + 1) if given is not None else None
        if found is not None:
            return found
    return None


DEPTH: Final = 5


def _kept(node: ast.Compare, facts: Facts) -> list[ast.expr]:
    """The tensors of a comparison whose result is kept."""
    sides = [each for each in (node.left, *node.comparators) if facts.kinds(each) & TENSOR]
    return sides if len(sides) == 1 and _is_wide(sides[0], facts) else []


def _is_wide(node: ast.expr, facts: Facts) -> bool:
    if isinstance(node, ast.Attribute):
        made = _buffers(facts.source.tree).get(node.attr, [])
        return bool(made) and all(_is_long(each) for each in made)
    return meta(node, facts).dtype in WIDE


@kept(8)
def _buffers(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """What the buffers of a file begin as, by their names."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=str(name)), made, *_]):
                found.setdefault(name, []).append(made)
    return found


def _is_long(made: ast.expr) -> bool:
    """True for a call that says that its tensor holds whole numbers of eight bytes."""
    if not isinstance(made, ast.Call):
        return False
    dtype = next((dotted(word.value) for word in made.keywords if word.arg == "dtype"), None)
    of_number = dotted(made.func) == "torch.tensor" and not made.keywords
    number = made.args[0] if of_number and len(made.args) == 1 else None
    return dtype in LONG or (isinstance(number, ast.Constant) and type(number.value) is int)


CHANGING: Final = frozenset({ast.AugAssign, ast.Subscript, ast.Call})


@kept(4)
def _changed_attributes(facts: Facts) -> frozenset[str]:
    """Names of the attributes that code which Dynamo reaches changes in place."""
    paths = [path for each in facts.nodes(CHANGING) for path in changed_paths(each, facts)]
    return frozenset(path.rpartition(".")[2] for path in paths if "." in path)
