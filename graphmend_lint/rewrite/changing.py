"""What a node changes in place, as far as its text shows: `x.add_(1)`, `x[0] = 1`, `torch.relu_(x)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import CHOICE, CONTAINER, MODULE, NDARRAY, TENSOR, UNKNOWN, Value, options
from graphmend_lint.project import FunctionDef
from graphmend_lint.shapes import dotted, told_to_change

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: methods whose result may share the tensor's memory
VIEWS: Final = words("""
    view view_as reshape reshape_as flatten unflatten squeeze unsqueeze transpose permute t swapaxes movedim expand
    expand_as detach contiguous narrow select chunk split unbind diagonal unfold to type_as float double half long
    numpy as_strided atleast_1d atleast_2d atleast_3d as_tensor asarray from_numpy ravel swapdims moveaxis hsplit vsplit
    dsplit tensor_split split_with_sizes broadcast_to cpu cuda bfloat16 int short byte bool view_as_real
    view_as_complex resolve_conj resolve_neg
""")
#: functions, and modules by their usual names, that give back what they are given unless they train
DROPS: Final = words("dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout")
#: modules that may give back what they are given; what others compute is new
PASSES_ON: Final = words("""
    Identity Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout Flatten Unflatten
""")
METHOD: Final = "torch.Tensor."
#: functions of `operator` that change their first argument
OPERATORS: Final = frozenset(
    f"operator.{name}"
    for name in words("iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift imatmul setitem")
)
DUNDERS: Final = frozenset({"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__"})


def is_in_place(name: str) -> bool:
    """True for the name of a method or function that changes what it is given: `add_`."""
    return (name.endswith("_") and not name.endswith("__")) or name in DUNDERS


def changed_paths(node: ast.AST, facts: Facts) -> frozenset[str]:
    """The names of the tensors that a node changes in place, wholly or in part."""
    return frozenset[str]().union(*(aliased(each) | _passed(each, facts) for each in changed(node, facts)))


def _passed(node: ast.expr, facts: Facts) -> set[str]:
    """What is passed to a function of the program whose result is changed: it may return the same tensor."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Call):
        return set()
    known, name = facts.value(node.func), (dotted(node.func) or "").rpartition(".")[2]
    handed = name in DROPS or bool(known.kinds & MODULE and passes_on(known))
    if not handed and not any(isinstance(each.target, FunctionDef | Instance) for each in options(known)):
        return set()
    return set[str]().union(*map(aliased, [*node.args, *(word.value for word in node.keywords)]))


def changed(node: ast.AST, facts: Facts) -> Iterator[ast.expr]:
    """The expressions whose tensors a node changes in place."""
    match node:
        case ast.AugAssign(target=ast.Subscript(value=value) as item):
            if facts.kinds(value) != CONTAINER or facts.kinds(item) & (TENSOR | NDARRAY | UNKNOWN):
                yield value
        case ast.Subscript(value=value, ctx=ast.Store()):
            if facts.kinds(value) != CONTAINER:
                yield value
        case ast.AugAssign(target=value):
            if facts.kinds(value) & (TENSOR | NDARRAY | UNKNOWN):
                yield value
        case ast.Call():
            yield from (word.value for word in node.keywords if word.arg == "out")
            told = told_to_change(node)
            yield from () if told is None else (told,)
            yield from _by_name(node, facts)
            yield from _by_value(node, facts)
        case ast.Attribute(value=owner, attr=name, ctx=ast.Load()) if is_in_place(name):
            if facts.kinds(owner) & (TENSOR | NDARRAY | UNKNOWN) and not _is_function(node, facts):
                yield owner  # the method may be called by another name


def _by_name(node: ast.Call, facts: Facts) -> Iterator[ast.expr]:
    """What a call changes whose name says so: the object of a method, the first argument of a function."""
    match node.func, node.args:
        case ast.Attribute(value=owner, attr=name), _ if is_in_place(name):
            if not _is_function(node.func, facts):
                yield owner
            else:
                yield from node.args[:1]
        case ast.Attribute(), [first, *_] if (dotted(node.func) or "").startswith("torch.ops."):
            yield from (first,) if any(map(is_in_place, (dotted(node.func) or "").split("."))) else ()
        case _, [first, *_] if (facts.resolve(node.func) or "") in OPERATORS:
            yield first
        case ast.Name(id="getattr"), [owner, ast.Constant(value=str(name)), *_]:
            yield from (owner,) if is_in_place(name) else ()
        case ast.Name(id="getattr"), [owner, *_] if facts.kinds(owner) & (TENSOR | NDARRAY):
            yield owner
        case ast.Name(id=name), _ if is_in_place(name) or is_in_place(facts.resolve(node.func) or ""):
            yield from node.args[:1]


def _by_value(node: ast.Call, facts: Facts) -> Iterator[ast.expr]:
    """What a call may change because it is given a function that does: `map(torch.relu_, tensors)`."""
    given = [*node.args, *(word.value for word in node.keywords)]
    names = [facts.resolve(each) or "" for each in given if isinstance(each, ast.Name | ast.Attribute)]
    if any(name.startswith("torch.") and is_in_place(name) for name in names):
        yield from given


def _is_function(node: ast.Attribute, facts: Facts) -> bool:
    """True for `F.relu_` and `torch.Tensor.add_`, which are given the tensor."""
    name = facts.resolve(node) or ""
    return (name.startswith("torch.") and not name.startswith(METHOD)) or (dotted(node.value) or "").endswith("Tensor")


SAME: Final = frozenset({"T", "mT", "H", "data", "real", "imag"})  #: attributes that share the tensor's memory


def aliased(value: ast.expr) -> set[str]:
    """The names and paths whose memory a value plainly shares: `x` in `x.view(-1)[0]`."""
    match value:
        case ast.Attribute(value=base, attr=attr) if attr in SAME:
            return aliased(base)
        case ast.Subscript(value=base) | ast.Starred(value=base):
            return aliased(base)
        case ast.Name() | ast.Attribute():
            return {path} if (path := dotted(value)) is not None else set()
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[first, *_]) if name in VIEWS:
            return aliased(first)
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in VIEWS or is_in_place(name):
            return aliased(base)
        case ast.IfExp(body=body, orelse=orelse):
            return aliased(body) | aliased(orelse)
        case ast.NamedExpr(target=target, value=given):
            return {target.id} | aliased(given)
        case (
            ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.BoolOp(values=elements) | ast.Dict(values=elements)
        ):
            return set[str]().union(*map(aliased, elements))
    return set()


def passes_on(module: Value) -> bool:
    """True if a module may give back what it is called with."""
    if module.name == CHOICE:
        return any(map(passes_on, options(module)))
    if module.name is None or module.target is not None:
        return True
    last = module.name.rpartition(".")[2]
    return last in PASSES_ON or (last == "Sequential" and all(map(passes_on, module.items or ())))
