"""`torch.bincount(x, minlength=n)`: how many there are of each of `n` classes, counted by `one_hot`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.loads import loads_of

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "A class of `minlength` or more, which made the result longer, raises in eager mode, and is not counted in "
    "compiled code; the room that is needed for a while grows with the number of classes."
)
READS: Final = frozenset({"item", "numpy", "tolist"})


def class_counts(node: ast.Call, facts: Facts) -> Fix | None:
    """The same counts in a tensor of fixed length; None if nothing says how many classes there are."""
    classes, torch = _classes(node, facts), torch_name(facts, node)
    if classes is None or torch is None or _is_read(node, facts):
        return None
    tensor, number = classes

    def edits(site: Site) -> tuple[Edit, ...]:
        wide = meta(tensor, facts).dtype == "int64"
        given = site.argument(tensor) if wide else f"{site.operand(tensor)}.long()"
        return (site.expression(node, f"{torch}.nn.functional.one_hot({given}, {site.argument(number)}).sum(0)"),)

    return Fix("Count with `one_hot`", Applicability.UNSAFE, edits, CAVEAT, ("torch",))


def _is_read(node: ast.expr, facts: Facts) -> bool:
    """True if the counts are read into Python next: the graph breaks there, however they are counted."""
    match facts.parent(node):
        case ast.Attribute(attr=name) as method:
            return name in READS or _is_read(method, facts)
        case ast.Call(func=function) as call if function is node:
            return _is_read(call, facts)
        case ast.Assign(targets=[ast.Name(id=name)]) as given:
            return any(_is_read(each, facts) for each in loads_of(name, given, facts) or ())
    return False


def _classes(node: ast.Call, facts: Facts) -> tuple[ast.expr, ast.expr] | None:
    """The tensor of classes, and how many classes there are."""
    name = facts.resolve(node.func)
    match node:
        case ast.Call(args=[tensor], keywords=[ast.keyword(arg="minlength", value=number)]):
            known = name == "torch.bincount"
        case ast.Call(func=ast.Attribute(value=tensor), args=[], keywords=[ast.keyword(arg="minlength", value=number)]):
            known = name == "torch.Tensor.bincount"
        case _:
            return None
    plain = facts.kinds(tensor) == TENSOR and is_number(number, facts) and facts.value(number).const != 0
    return (tensor, number) if known and plain else None
