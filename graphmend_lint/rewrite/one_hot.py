"""`one_hot(x, max(x.max() + 1, n))[..., :n]`: classes are counted from the data, and those beyond `n` cut off."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import CONSTANT, SYMINT, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Fix, Refusal
from graphmend_lint.rewrite.defer import has_effect
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.tried import in_try
from graphmend_lint.shapes import dotted, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NAMES: Final = frozenset({"torch.nn.functional.one_hot", "torch._C._nn.one_hot"})
NUMBER: Final = CONSTANT | SYMINT | UNKNOWN  #: what bounds a slice and is no tensor
CAVEAT: Final = "A negative class gives zeros, and no class at all an empty tensor, where both used to raise."


def clipped(node: ast.Call, facts: Facts) -> Fix | Refusal | None:
    """The comparison with the classes that are kept; None for any other call."""
    around = facts.parent(node)
    if facts.resolve(node.func) not in NAMES or not isinstance(around, ast.Subscript) or around.value is not node:
        return None
    kept, given = _kept(around.slice), _arguments(node)
    if kept is None or given is None:
        return None
    (index, classes), torch = given, torch_name(facts, node)
    if facts.kinds(index) != TENSOR or facts.kinds(kept) & ~NUMBER or not _at_least(classes, kept, facts):
        return None
    if in_try(node, facts):
        return None
    if dotted(index) is None:
        return Refusal("evaluated-twice", "the classes would be evaluated twice: give them a name first")
    if torch is None:
        return SHADOWED
    gone = _only_for(classes, (index, kept), facts)

    def code(site: Site) -> str:
        name = site.code(index)
        classes = f"{torch}.arange({site.argument(kept)}, device={name}.device)"
        return f"({name}.unsqueeze(-1) == {classes}).to({torch}.int64)"

    return Fix(
        title="Compare with the classes that are kept",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(around, code(site)), *(site.remove(each) for each in gone)),
        caveat=CAVEAT,
        imports=("torch",),
    )


def _only_for(classes: ast.expr, others: tuple[ast.expr, ...], facts: Facts) -> list[ast.stmt]:
    """The statements that only compute the number of classes; `others` are the expressions that stay."""
    kept = {each.id for part in others for each in walk(part) if isinstance(each, ast.Name)}
    named = [each for each in walk(classes) if isinstance(each, ast.Name) and each.id not in kept]
    return [made for each in named for made in _unused(each, facts)]


def _unused(number: ast.Name, facts: Facts) -> list[ast.stmt]:
    """The statements that computed the number of classes, if nothing else reads what they set."""
    function = facts.function(number)
    if function is None:
        return []
    names = [each for each in walk(function) if isinstance(each, ast.Name) and each.id == number.id]
    stores = [each for each in names if not isinstance(each.ctx, ast.Load)]
    made = statement_of(stores[0], facts) if len(names) == 2 and len(stores) == 1 else None
    if not isinstance(made, ast.Assign) or made.targets != stores or has_effect(made.value, facts):
        return []
    rows = facts.source.lines[max(made.lineno - 2, 0) : made.end_lineno]
    explained = rows[0].lstrip().startswith("#") or any("#" in row for row in rows[1:])
    return [] if explained else [made]


def _kept(index: ast.expr) -> ast.expr | None:
    """`n` of `[..., :n]`."""
    match index:
        case ast.Tuple(elts=[ast.Constant(value=first), ast.Slice(lower=None, upper=ast.expr() as upper, step=None)]):
            return upper if first is ... else None
    return None


def _arguments(node: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    match node:
        case ast.Call(args=[index, classes], keywords=[]):
            return index, classes
        case ast.Call(args=[index], keywords=[ast.keyword(arg="num_classes", value=classes)]):
            return index, classes
    return None


def _at_least(classes: ast.expr, kept: ast.expr, facts: Facts) -> bool:
    """True for `max(..., kept)`, also by way of a name that is given its value on the straight line before."""
    found = definition(classes, facts).value if isinstance(classes, ast.Name) else classes
    match found:
        case ast.Call(args=[first, second], keywords=[]) if facts.resolve(found.func) == "builtins.max":
            steady = isinstance(classes, ast.Call) or _steady(kept, facts, found)
            return steady and (same(first, kept) or same(second, kept))
    return False


def _steady(kept: ast.expr, facts: Facts, since: ast.expr) -> bool:
    """True if the number is the same here and where the maximum was taken."""
    if isinstance(kept, ast.Constant):
        return True
    if not isinstance(kept, ast.Name):
        return False
    others = [each for each in walk(since) if isinstance(each, ast.Name) and each.id == kept.id]
    return bool(others) and all(definition(each, facts) == definition(kept, facts) for each in others)
