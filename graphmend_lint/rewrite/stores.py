"""What a branch stores other than in names: elements, list and dict items, buffers, and changes in place."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.callee import reads
from graphmend_lint.facts.effects import NAN_GRADIENT, OVERFLOWS, PURE, SHAPED, Effects, effects, takes_root
from graphmend_lint.facts.meta import Meta, is_number, meta
from graphmend_lint.facts.values import CONTAINER, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.select import Arm, is_fresh
from graphmend_lint.rewrite.template import ONE_LINE, call
from graphmend_lint.rewrite.term import Code
from graphmend_lint.shapes import assignment, call_statement, dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
SIGNS: Final = {"add_": ast.Add(), "sub_": ast.Sub(), "mul_": ast.Mult(), "div_": ast.Div()}
SAVED: Final = Refusal("in-place", "a gradient needs the tensor as it was before it is written to")
#: methods whose gradient needs their result, or nothing
SAVE_RESULT: Final = frozenset("exp tanh sigmoid sqrt rsqrt reciprocal relu neg masked_fill floor ceil round".split())
LIST: Final = Refusal("arm-not-simple", "a list would grow in one of the branches only")
NUMBER: Final = Refusal("value-escapes", "the number is kept in a container, and would become a tensor")
MISSING: Final = Refusal("arm-not-simple", "what the other branch leaves there may not be there yet")
Writes = Callable[["Site", Callable[[int], str], int], str]


class Store(NamedTuple):
    """One statement that stores a value: where it goes, and what is there if it does not."""

    place: str  #: the same for stores that may become one: "append out", "out[i]"
    value: Arm
    old: Arm | Refusal
    write: Writes  #: the statement, for a value and the room on its line
    into: bool  #: the value is written into a tensor, which stays the same object
    own: str = ""  #: the name of that tensor, if the value has its shape and dtype: the name may be given a new one

    saved: bool = False  #: the gradient of the value needs the tensor as it was, before the value is written into it

    def renewed(self) -> Store:
        """The same for a tensor that nothing else refers to."""
        lead = f"{self.own} = "
        return self._replace(write=lambda site, value, room: lead + value(room - len(lead)), into=False)


def store(statement: ast.stmt, facts: Facts) -> Store | Refusal | None:
    """The statement as a store; None if it is none of these."""
    stored, parts = call_statement(statement), assignment(statement)
    if stored is not None:
        return _by_call(stored, facts)
    if parts is None:
        return None
    owner = parts.target.value if isinstance(parts.target, ast.Subscript) else parts.target
    is_tensor = facts.kinds(owner) == TENSOR
    if parts.augmented is not None:
        return _augmented(parts.augmented, facts) if is_tensor else None
    value = (_value if is_tensor else Arm.of)(parts.value, facts)
    return _element(parts.target, value, facts) if isinstance(parts.target, ast.Subscript) else None


def _by_call(node: ast.Call, facts: Facts) -> Store | Refusal | None:
    match node:
        case ast.Call(
            func=ast.Attribute(value=owner, attr="register_buffer"), args=[ast.Constant(value=str(name)), new]
        ):
            return _registered(node, owner, name, new, facts)
        case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[new], keywords=[]):
            return _appended(node, owner, new, facts)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if (
            name.endswith("_") and facts.kinds(owner) == TENSOR
        ):
            return _in_place(node, owner, name, facts)
    return None


def _registered(node: ast.Call, owner: ast.expr, name: str, new: ast.expr, facts: Facts) -> Store | Refusal | None:
    """`self.register_buffer("name", new)`."""
    path, value = dotted(owner), _buffer(new, facts)
    if path is None:
        return None
    if isinstance(value, Refusal):
        return value
    words = "".join(f", {word.arg}={facts.text(word.value)}" for word in node.keywords)
    return Store(f"buffer {path}.{name}{words}", value, MISSING, _call_with(node, 1), into=False)


def _appended(node: ast.Call, owner: ast.expr, new: ast.expr, facts: Facts) -> Store | Refusal | None:
    """`values.append(new)` on a list."""
    path = dotted(owner)
    if path is None or facts.kinds(owner) != CONTAINER:
        return None
    value = Arm.of(new, facts)
    if isinstance(value, Refusal):
        return value
    if value.number is not None:
        return NUMBER
    return Store(f"append {path}", value, LIST, _call_with(node, 0), into=False)


def _value(node: ast.expr, facts: Facts) -> Arm | Refusal:
    """The arm for a value that is written into a tensor. Whether that requires grad is up to the tensor."""
    if isinstance(facts.value(node).const, bool):
        return Arm(lambda site: site.code(node), Meta(), PURE, True, bool)
    match node:
        case ast.Call(func=ast.Attribute(value=inner), args=[], keywords=[]):
            found = Arm.of(inner, facts, in_range=True)
            if facts.resolve(node.func) == "torch.Tensor.detach" and isinstance(found, Arm):
                effects = found.effects._replace(nan_gradient=False, overflows=False)
                return found._replace(code=lambda site: site.code(node), effects=effects, fresh=False)
    return Arm.of(node, facts, in_range=True)


def _buffer(node: ast.expr, facts: Facts) -> Arm | Refusal:
    """The arm for the value of a buffer: a tensor, since anything else would have raised."""
    path = dotted(node)
    if path is None or not facts.kinds(node) & UNKNOWN:
        return Arm.of(node, facts)
    known = Meta(frozenset({f"{path}@"}), f"{path}@")
    return Arm(lambda site: site.argument(node), known, Effects(total=False), False, reads=frozenset({path}))


def _call_with(node: ast.Call, place: int) -> Writes:
    """The call, with another argument at `place`."""

    def write(site: Site, value: Callable[[int], str], room: int) -> str:
        before = [site.argument(each) for each in node.args[:place]]
        after = [f"{word.arg}={site.code(word.value)}" for word in node.keywords]
        line = call(site.code(node.func), [*before, value(ONE_LINE), *after], room)
        if all(len(each) <= room for each in line.split("\n")):
            return line
        return call(site.code(node.func), [*before, value(room - 4), *after], room)

    return write


def _element(target: ast.Subscript, new: Arm | Refusal, facts: Facts) -> Store | Refusal | None:
    """`x[i] = v`, where the index is fixed, or `d["a"] = v`."""
    if dotted(target.value) is None:
        return None
    kept = facts.kinds(target.value) == CONTAINER and isinstance(target.slice, ast.Constant)
    if not kept and (facts.kinds(target.value) != TENSOR or not _is_fixed(target.slice, facts)):
        return None
    if isinstance(new, Refusal):
        return new
    if kept:
        return (
            NUMBER if new.number is not None else Store(facts.text(target), new, MISSING, _target(target), into=False)
        )
    found = effects(target, facts).in_range()
    read = target.value if _is_all(target.slice) else target
    old = Arm(lambda site: site.code(read), meta(read, facts), found, False, reads=frozenset(reads(target, facts)))
    return Store(facts.text(target), new, found.refusal or old, _target(target), into=True)


def _is_all(index: ast.expr) -> bool:
    match index:
        case ast.Constant(value=value):
            return value is ...
        case ast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _target(target: ast.expr) -> Writes:
    def write(site: Site, value: Callable[[int], str], room: int) -> str:
        text = site.code(target)
        return f"{text} = {value(room - len(text) - 3)}"

    return write


def _is_fixed(index: ast.expr, facts: Facts) -> bool:
    """True for an index of numbers, slices of numbers, `...` and `None`."""
    match index:
        case ast.Tuple(elts=elements):
            return all(_is_fixed(each, facts) for each in elements)
        case ast.Slice(lower=lower, upper=upper, step=step):
            return all(each is None or is_number(each, facts) for each in (lower, upper, step))
        case ast.Constant(value=value):
            return value is None or value is ... or type(value) is int
    return isinstance(index, ast.Name) and is_number(index, facts)


def _in_place(node: ast.Call, owner: ast.expr, name: str, facts: Facts) -> Store | Refusal | None:
    """`x.mul_(2)` as the value `x * 2`, written into `x`."""
    path, plain = dotted(owner), name.removesuffix("_")
    if path is None or name.endswith("__"):
        return None
    match name, node.args:
        case "zero_", []:
            return _written(path, owner, Arm(lambda site: "0", Meta(), PURE, True, int), facts)
        case (("fill_" | "copy_"), [value]) if not node.keywords:
            found = _value(value, facts)
            return found if isinstance(found, Refusal) else _written(path, owner, found, facts)
        case (("add_" | "sub_" | "mul_" | "div_"), [value]) if not node.keywords:
            return _operated(path, owner, SIGNS[name], value, facts)
    return _by_function(node, owner, path, plain, facts)


def _by_function(node: ast.Call, owner: ast.expr, path: str, plain: str, facts: Facts) -> Store | Refusal:
    """`x.clamp_(min=0)` as the value `x.clamp(min=0)`, written into `x`."""
    entry = torch_api.method(plain)
    if entry is None or not entry.pure or entry.random:
        return Refusal("in-place", f"`{path}` is changed in place")
    if not (entry.same or plain in SHAPED or entry.same_with_numbers):
        return Refusal("in-place", f"`{path}` is changed in place")
    given = _all([*node.args, *(word.value for word in node.keywords)], facts)
    if given.refusal:
        return given.refusal
    doubts = given | Effects(total=False, nan_gradient=plain in NAN_GRADIENT, overflows=plain in OVERFLOWS)

    def code(site: Site) -> str:
        words = [f"{word.arg}={site.code(word.value)}" for word in node.keywords]
        return f"{path}.{plain}({', '.join([*map(site.argument, node.args), *words])})"

    arm = Arm(code, meta(owner, facts), doubts, True, reads=frozenset(reads(node, facts)))
    numbers = all(is_number(each, facts) for each in [*node.args, *(word.value for word in node.keywords)])
    own = path if numbers and entry.same_with_numbers else ""
    return _written(path, owner, arm, facts, own)._replace(saved=plain not in SAVE_RESULT)


def _all(nodes: list[ast.expr], facts: Facts) -> Effects:
    found = PURE
    for node in nodes:
        found |= effects(node, facts)
    return found


def _augmented(statement: ast.AugAssign, facts: Facts) -> Store | Refusal | None:
    """`self.x += v` as `self.x + v`, written into `self.x`; `x[i] += v` as `x[i] + v`, stored."""
    target, path = statement.target, dotted(statement.target)
    if isinstance(target, ast.Subscript):
        arm = _operation(lambda site: site.code(target), target, statement.op, statement.value, facts)
        stored = _element(target, arm, facts)
        saved = _saves(statement.op, statement.value, facts) and facts.kinds(target.value) == TENSOR
        return stored._replace(saved=saved) if isinstance(stored, Store) else stored
    return None if path is None else _operated(path, target, statement.op, statement.value, facts)


def _operated(path: str, owner: ast.expr, op: ast.operator, value: ast.expr, facts: Facts) -> Store | Refusal:
    arm = _operation(lambda site: path, owner, op, value, facts)
    alike = is_number(value, facts) or meta(value, facts).dtype == (meta(owner, facts).dtype or "?")
    if isinstance(arm, Refusal):
        return arm
    return _written(path, owner, arm, facts, path if alike else "")._replace(saved=_saves(op, value, facts))


def _saves(op: ast.operator, value: ast.expr, facts: Facts) -> bool:
    """True if the gradient of `x op value` needs `x` itself."""
    return isinstance(op, ast.Pow) or not (isinstance(op, ast.Add | ast.Sub) or is_number(value, facts))


def _operation(owner: Code, node: ast.expr, op: ast.operator, value: ast.expr, facts: Facts) -> Arm | Refusal:
    """`node op value` as an arm."""
    sign, right = OPERATORS.get(type(op)), _operand(value, facts)
    if sign is None:
        return Refusal("in-place", "an augmented assignment changes its target in place")
    if isinstance(right, Refusal):
        return right
    const = facts.value(value).const
    plain = isinstance(const, int | float) and const != 0 and not takes_root(op, const)
    hazard = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow) and not plain
    doubts = right.effects | Effects(total=False, nan_gradient=hazard, overflows=isinstance(op, ast.Pow))
    given = right.reads | reads(node, facts) | {dotted(node) or ""} - {""}
    return Arm(
        lambda site: f"{owner(site)} {sign} {site.operand(value)}",
        meta(node, facts),
        doubts,
        True,
        reads=frozenset(given),
    )


def _operand(value: ast.expr, facts: Facts) -> Arm | Refusal:
    """What a tensor is computed with; of a Python number it need not be known whether it is a float."""
    if is_number(value, facts):
        return Arm(lambda site: site.argument(value), Meta(), effects(value, facts), True, object)
    return Arm.of(value, facts, in_range=True)


def _written(path: str, owner: ast.expr, value: Arm, facts: Facts, own: str = "") -> Store:
    """A store into all of a tensor."""
    old = Arm(lambda site: path, meta(owner, facts), PURE, False, reads=frozenset({path}))

    def write(site: Site, value: Callable[[int], str], room: int) -> str:
        line = f"{path}.copy_({value(ONE_LINE)})"
        return line if len(line) <= room and "\n" not in line else call(f"{path}.copy_", [value(room - 4)], room)

    return Store(f"{path}[...]", value, old, write, into=True, own=own)


def is_private(name: str, node: ast.AST, facts: Facts) -> bool:
    """True if the function makes the tensor itself, and nothing else can refer to it."""
    function = facts.function(node)
    if function is None or isinstance(function, ast.Lambda):
        return False
    names = [each for each in walk(function) if isinstance(each, ast.Name) and each.id == name]
    outer = [each for each in walk(function) if isinstance(each, ast.Global | ast.Nonlocal)]
    given = {each.arg for each in walk(function) if isinstance(each, ast.arg)}
    if name in given or any(name in each.names for each in outer):
        return False
    return bool(names) and all(facts.function(each) is function and is_own(each, facts) for each in names)


def is_own(node: ast.Name, facts: Facts) -> bool:
    """True if this use gives the name a new tensor, or reads it without keeping the tensor."""
    above = facts.parent(node)
    match above:
        case ast.AugAssign(target=target) if target is node:
            return True
        case ast.Assign(targets=[target], value=value) if target is node:
            return is_fresh(value, facts)
        case ast.BinOp() | ast.Compare() | ast.Return() | ast.AugAssign():
            return True
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.UAdd)
        case ast.Tuple():
            return isinstance(facts.parent(above), ast.Return)
        case ast.Subscript(value=value, ctx=ast.Store()):
            return value is node
        case ast.Call():
            return is_fresh(above, facts)
        case ast.Attribute(attr=attr):
            around = facts.parent(above)
            called = isinstance(around, ast.Call) and (
                isinstance(facts.parent(around), ast.Expr) or is_fresh(around, facts)
            )
            return attr in ("shape", "dtype", "device") or called
    return False
