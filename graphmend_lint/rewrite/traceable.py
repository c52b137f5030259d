"""What may run inside an arm of `torch.cond`: it changes nothing, draws nothing, and reads no value of a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.callee import callee, getter, is_property
from graphmend_lint.facts.effects import SIMPLE_BUILTINS
from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import DATA, MODULE, NONE, TENSOR, UNKNOWN, ZERO_DIM, Value
from graphmend_lint.rewrite.comparison import read
from graphmend_lint.rewrite.index_kind import may_mask
from graphmend_lint.shapes import dotted, told_to_change, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: modules that compute from weights and nothing else, and give a new tensor
STATELESS: Final = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear Bilinear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LayerNorm RMSNorm "
        "GroupNorm Embedding GELU SiLU Tanh Sigmoid Softplus Softmax LogSoftmax Mish PReLU"
    ).split()
)
#: modules that may be told to change what they are given, which does not matter behind one that makes a new tensor
ACTIVATIONS: Final = frozenset(
    f"torch.nn.{name}"
    for name in ("ReLU", "ReLU6", "LeakyReLU", "ELU", "SELU", "CELU", "Hardtanh", "Hardswish", "Identity")
)
NODES: Final = (
    ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Subscript, ast.Slice,
    ast.Tuple, ast.List, ast.keyword, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip
MEMBERSHIP: Final = (ast.In, ast.NotIn)
COUNTING: Final = SIMPLE_BUILTINS | {"builtins.range", "builtins.enumerate", "builtins.zip", "builtins.reversed"}


def is_traceable(node: ast.expr, facts: Facts, *, picking: bool = False) -> bool:
    """True if every part of the expression is known to be traceable.

    `picking`: a tensor of numbers may be an index, since it is used only where the original does it, too.
    """
    return all(isinstance(each, NODES) and _is_plain(each, facts, picking) for each in walk(node))


def test_is_traceable(test: ast.expr, facts: Facts) -> bool:
    """The same for a condition that becomes a tensor, and so reads no numbers from tensors any more."""
    match test:
        case ast.BoolOp(values=parts):
            return all(test_is_traceable(each, facts) for each in parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand) | ast.Call(func=ast.Name(id="bool"), args=[operand]):
            return test_is_traceable(operand, facts)
        case ast.Compare(left=left, comparators=others):
            return all(is_traceable(read(each, facts) or each, facts) for each in [left, *others])
    return is_traceable(read(test, facts) or test, facts)


def _is_plain(node: ast.AST, facts: Facts, picking: bool) -> bool:
    """True if the node itself, apart from those below it, may be traced."""
    match node:
        case ast.Attribute() if is_property(node, facts):
            function = getter(node, facts)
            runs_plainly = function is not None and all(runs(each, facts, picking=picking) for each in function.body)
            return runs_plainly and _is_there(node, facts)
        case ast.Name() | ast.Attribute():
            return _is_there(node, facts)
        case ast.Call():
            return _call(node, facts, picking)
        case ast.Subscript(slice=index):
            return not _picks(index, facts, picking)
        case ast.Slice(lower=lower, upper=upper, step=step):
            return not any(facts.kinds(each) & (DATA | UNKNOWN) for each in (lower, upper, step) if each is not None)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not facts.is_data(operand)
        case ast.Compare(left=left, ops=ops, comparators=others) if len(ops) > 1 or isinstance(ops[0], MEMBERSHIP):
            return not any(facts.is_data(each) for each in (left, *others))
    return True


def _is_there(node: ast.Name | ast.Attribute, facts: Facts) -> bool:
    """True unless the value may be None: both arms are traced, whichever is taken."""
    kinds = facts.kinds(node)
    if kinds & NONE:
        return False
    if not kinds & UNKNOWN or facts.resolve(node) is not None:
        return True
    return isinstance(node, ast.Name) and _is_required(node, facts)


def _is_required(node: ast.Name, facts: Facts) -> bool:
    """True for a parameter without a default that the function never compares with None."""
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef):
        return False
    places = [*function.args.posonlyargs, *function.args.args]
    required = places[: len(places) - len(function.args.defaults)]
    tests = [each for each in walk_function(function) if isinstance(each, ast.Compare)]
    asked = {dotted(each.left) for each in tests if isinstance(each.ops[0], ast.Is | ast.IsNot)}
    return node.id in {each.arg for each in required} - asked


def _picks(index: ast.expr, facts: Facts, picking: bool) -> bool:
    """True if the index may be a tensor or something unknown; with `picking`, tensors of numbers are allowed."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    asked = [each for each in parts if not isinstance(each, ast.Slice) and facts.kinds(each) & (DATA | UNKNOWN)]
    return any(not picking or _is_place(each, facts) or may_mask(each, facts) for each in asked)


def _is_place(node: ast.expr, facts: Facts) -> bool:
    """True unless the index is a tensor with dimensions: one without is read as a number."""
    value = facts.value(node)
    return value.kinds != TENSOR or bool(value.traits & ZERO_DIM) or meta(node, facts).is_0d


def _call(node: ast.Call, facts: Facts, picking: bool) -> bool:
    if any(word.arg in ("out", None) for word in node.keywords) or told_to_change(node) is not None:
        return False
    value = facts.value(node.func)
    if value.kinds == MODULE:
        return _computes(value) and _is_as_made(node.func, facts)
    name = facts.resolve(node.func)
    if name in COUNTING:
        return not any(facts.is_data(each) for each in node.args)
    if name is None:
        function = callee(node, facts)
        return function is not None and all(runs(each, facts, picking=picking) for each in function.body)
    entry = torch_api.function(name) if name.startswith("torch.") else None
    breaks = entry is None or (
        entry.breaks_gb is not None and not (entry.breaks_when == "arity:1" and len(node.args) > 1)
    )
    return entry is not None and entry.pure and not entry.random and not breaks


def _computes(module: Value) -> bool:
    """True for a module of torch that only computes; never for one of the project, which may do anything."""
    if module.name == "torch.nn.Sequential" and module.items:
        first, *others = module.items
        return _computes(first) and all(_computes(each) or each.name in ACTIVATIONS for each in others)
    return module.name in STATELESS and not isinstance(module.target, Instance)


def _is_as_made(module: ast.expr, facts: Facts) -> bool:
    """True unless other modules may be put into a `Sequential` later, or an `Embedding` scales its weights."""
    name = module.attr if isinstance(module, ast.Attribute) else ""
    if facts.value(module).name == "torch.nn.Embedding":
        return "max_norm" not in facts.source.text and not any(_scales(each) for each in walk(facts.source.tree))
    if facts.value(module).name != "torch.nn.Sequential":
        return True
    return bool(name) and not any(_refills(each, name) for each in walk(facts.source.tree))


def _scales(node: ast.AST) -> bool:
    """True for `nn.Embedding(size, width, None, 1.0)`, which changes its weights when it is called."""
    return isinstance(node, ast.Call) and (dotted(node.func) or "").endswith("Embedding") and len(node.args) > 3


def _refills(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="append" | "insert" | "extend" | "add_module" | "pop", value=owner)):
            return isinstance(owner, ast.Attribute) and owner.attr == name
        case ast.Subscript(value=ast.Attribute(attr=attr), ctx=ast.Store() | ast.Del()):
            return attr == name
        case ast.Assign(targets=[ast.Attribute(attr=attr)], value=value):
            return attr == name and not isinstance(value, ast.Call)
    return False


def runs(node: ast.stmt, facts: Facts, *, picking: bool = False) -> bool:
    """True for a statement that only computes."""
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case (
            ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
        ):
            return is_traceable(value, facts, picking=picking)
        case ast.Return(value=ast.expr() as value):
            return is_traceable(value, facts, picking=picking)
        case ast.If(test=test, body=body, orelse=orelse) if not facts.is_data(test):
            return is_traceable(test, facts, picking=picking) and all(
                runs(each, facts, picking=picking) for each in [*body, *orelse]
            )
        case ast.For(target=ast.Name() | ast.Tuple(), iter=turns, body=body, orelse=[]) if not facts.is_data(turns):
            return is_traceable(turns, facts, picking=picking) and all(
                runs(each, facts, picking=picking) for each in body
            )
    return False


def is_new(node: ast.expr, facts: Facts) -> bool:
    """True if the value is the result of a module that makes a new tensor."""
    return isinstance(node, ast.Call) and _computes(facts.value(node.func)) and _is_as_made(node.func, facts)
