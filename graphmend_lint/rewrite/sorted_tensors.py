"""Tensors that Python puts in order, put in order by torch: `sorted(xs)` as `torch.stack(xs).sort().values`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.grad_mode import maybe_no_grad
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.iterators import may_be_iterator
from graphmend_lint.rewrite.naming import unused

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

Code = Callable[["Site"], str]
TITLE: Final = "Put the tensors in order inside the graph"
ALIKE: Final = (
    "There must be at least one tensor, all of one {}, and no NaN{}; what comes out are copies, and what is not used "
    "has a gradient of zero, not None."
)
NUMBERS: Final = ALIKE.format("dtype and with one number each", "")
KEYED: Final = ALIKE.format("shape and dtype", " among the keys")
OFF: Final = " Gradients are off here, so that the copies require none."
ESCAPES: Final = Refusal("value-escapes", "what comes first is known only from data")


def in_order(node: ast.Call, facts: Facts, names: frozenset[str]) -> Fix | Refusal:
    """A rewrite of a call of one of `names`: of `sorted`, `list.sort`, or of `min` and `max` with a key."""
    torch, name = torch_name(facts, node), facts.resolve(node.func) or ""
    items, words = _items(node), {word.arg: word.value for word in node.keywords}
    if name not in names or torch is None or items is None or not words.keys() <= {"key", "reverse"}:
        return ESCAPES
    keys, falls = _keys(words.get("key"), items, name in EXTREMES, facts), _falls(words.get("reverse"))
    if isinstance(keys, Refusal) or falls is None:
        return keys if isinstance(keys, Refusal) else ESCAPES
    whole = _whole(items, torch, facts)

    def code(site: Site) -> str:
        down = ", descending=True" if falls else ""
        if keys is None:
            return f"{whole(site)}.sort(dim=0, stable=True{down}).values"
        order = f"{torch}.stack([{keys(site)}]).flatten()"
        if name in EXTREMES:
            return f"{whole(site)}[{order}.{EXTREMES[name]}().reshape(1)].squeeze(0)"
        return f"{whole(site)}[{order}.argsort(stable=True{down})]"

    edits = _edits(node, name, items, code, facts)
    if edits is None:
        return ESCAPES
    caveat = (NUMBERS if keys is None else KEYED) + (OFF if maybe_no_grad(node, facts) else "")
    return Fix(TITLE, Applicability.UNSAFE, edits, caveat, ("torch",))


EXTREMES: Final = {"builtins.min": "argmin", "builtins.max": "argmax"}


def _edits(
    node: ast.Call, name: str, items: ast.expr, code: Code, facts: Facts
) -> Callable[[Site], tuple[Edit, ...]] | None:
    above = facts.parent(node)
    if name == "container.sort":
        if not isinstance(above, ast.Expr) or not isinstance(items, ast.Name):
            return None
        statement = above
        return lambda site: (site.replace(statement, f"{items.id}[:] = {code(site)}.unbind()"),)
    listed = name not in EXTREMES and not _is_taken_apart(node, above)
    return lambda site: (site.expression(node, f"list({code(site)}.unbind())" if listed else code(site)),)


def _items(node: ast.Call) -> ast.expr | None:
    """What is put in order: the object of `xs.sort()`, or the first argument; None for `sorted(*xs)`."""
    items = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
    return None if isinstance(items, ast.Starred) else items


def _whole(items: ast.expr, torch: str, facts: Facts) -> Code:
    """All of them as one tensor."""
    if facts.kinds(items) == TENSOR:
        return lambda site: site.operand(items)
    return lambda site: f"{torch}.stack({site.argument(items)})"


def _keys(key: ast.expr | None, items: ast.expr, extreme: bool, facts: Facts) -> Code | Refusal | None:
    """What is compared, item by item; None for the items themselves."""
    body: ast.expr | None = None
    match key:
        case None:
            return None
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=found):
            body = _unread(found)
            if isinstance(body, ast.Name) and body.id == name and not extreme:
                return None
        case ast.Attribute():
            name = unused(["each", "item"], key, facts)
        case _:
            return ESCAPES
    if not isinstance(items, ast.Name) or may_be_iterator(items, facts):
        return Refusal("evaluated-twice", "the tensors would stand in the new code twice: give them a name")

    def code(site: Site) -> str:
        made = f"{site.code(key)}({name})" if body is None else site.code(body)
        return f"{made} for {name} in {items.id}"

    return code


def _unread(key: ast.expr) -> ast.expr:
    """The key without `.item()`, which the order of the tensors does not need."""
    match key:
        case ast.Call(func=ast.Attribute(value=tensor, attr="item"), args=[], keywords=[]):
            return tensor
    return key


def _falls(reverse: ast.expr | None) -> bool | None:
    """True for the greatest first; None if that is not known."""
    match reverse:
        case None:
            return False
        case ast.Constant(value=bool(value)):
            return value
    return None


def _is_taken_apart(node: ast.Call, above: ast.AST | None) -> bool:
    """True where a tensor does as well as a list: it is unpacked, looped over, or one item is taken."""
    match above:
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return True
        case ast.For(iter=turns) | ast.comprehension(iter=turns):
            return turns is node
        case ast.Subscript(value=value, slice=ast.Constant(value=int())):
            return value is node
        case ast.Subscript(value=value, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int()))):
            return value is node
    return False
