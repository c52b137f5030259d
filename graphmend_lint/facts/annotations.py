"""What a type annotation says about a value."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import (
    BOOL,
    CONSTANT_VALUE,
    CONTAINER_VALUE,
    FLOATING,
    INTEGRAL,
    MODULE,
    NDARRAY_VALUE,
    NONE_VALUE,
    OBJECT,
    TENSOR,
    UNKNOWN_VALUE,
    Value,
    container,
    container_of,
    join_all,
)
from graphmend_lint.project import ClassDef, Module

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Interpreter

TENSORS: Final = {
    "torch.Tensor": 0,
    "torch.FloatTensor": FLOATING,
    "torch.HalfTensor": FLOATING,
    "torch.DoubleTensor": FLOATING,
    "torch.BFloat16Tensor": FLOATING,
    "torch.LongTensor": INTEGRAL,
    "torch.IntTensor": INTEGRAL,
    "torch.BoolTensor": BOOL,
    "torch.nn.Parameter": 0,
    "torch.nn.parameter.Parameter": 0,
}
PLAIN: Final = {"bool", "int", "float", "str", "bytes", "complex"}
PLAIN_EXTERNAL: Final = {"torch.dtype", "torch.device", "torch.Size", "torch.layout"}
SEQUENCES: Final = {
    "List",
    "list",
    "Sequence",
    "Iterable",
    "Iterator",
    "Collection",
    "Set",
    "set",
    "frozenset",
    "deque",
}
MAPPINGS: Final = {"Dict", "dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"}
TRANSPARENT: Final = {"Annotated", "Final", "ClassVar", "Required", "NotRequired"}


NO_TENSOR: Final = frozenset({"bool", "dict", "Dict", "Mapping"})


class Annotations:
    """Turns annotations into values; anything not understood is `otherwise`."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._known: dict[Module, dict[ast.expr, Value]] = {}

    def value(self, node: ast.expr, module: Module, otherwise: Value = UNKNOWN_VALUE) -> Value:
        """The value of anything with this annotation; `otherwise` if that says nothing, as `Any` and `object` do."""
        known = self._known.get(module)
        if known is None:
            known = self._known[module] = {}
        value = known.get(node)
        if value is None:
            known[node] = UNKNOWN_VALUE
            value = known[node] = self._read(node, module)
        return otherwise if value is UNKNOWN_VALUE else value

    def close(self, module: Module) -> None:
        """Forget what was read in a module."""
        self._known.pop(module, None)

    def _read(self, node: ast.expr, module: Module) -> Value:
        match node:
            case ast.Constant(value=None):
                return NONE_VALUE
            case ast.Constant(value=str(text)):
                parsed = _parsed(text)
                return UNKNOWN_VALUE if parsed is None else self._read(parsed, module)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return join_all([self._read(left, module), self._read(right, module)])
            case ast.Subscript(value=base, slice=inner):
                return self._generic(base, inner, module)
            case ast.Name() | ast.Attribute():
                return self._named(node, module)
        return UNKNOWN_VALUE

    def _generic(self, base: ast.expr, inner: ast.expr, module: Module) -> Value:
        arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        name = base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
        if name == "Optional":
            return join_all([self._read(inner, module), NONE_VALUE])
        if name == "Union":
            return join_all([self._read(argument, module) for argument in arguments])
        if name == "Literal":
            return CONSTANT_VALUE
        if name in TRANSPARENT:
            return self._read(arguments[0], module)
        if name in SEQUENCES:
            return container_of(self._read(arguments[0], module))
        if name in MAPPINGS:
            return container_of(self._read(arguments[-1], module))
        if name in {"Tuple", "tuple"}:
            return self._tuple(arguments, module)
        return self._named(base, module)

    def _tuple(self, arguments: list[ast.expr], module: Module) -> Value:
        match arguments:
            case [only, ast.Constant(value=value)] if value is ...:
                return container_of(self._read(only, module))
        items = tuple(self._read(argument, module) for argument in arguments)
        return container_of(join_all(items)) if len(items) == 1 else container(items)

    def _named(self, node: ast.expr, module: Module) -> Value:
        if isinstance(node, ast.Name) and node.id in PLAIN and node.id not in module.names:
            return CONSTANT_VALUE
        value = self._run.eval(node, self._run.top(module))
        if isinstance(value.target, ClassDef):
            return self._run.classes.outside(value.target)
        name = value.name or (f"builtins.{node.id}" if isinstance(node, ast.Name) else "")
        if name in TENSORS or name.rpartition(".")[2] == "Tensor":
            return Value(TENSOR, traits=TENSORS.get(name, 0))
        if name in PLAIN_EXTERNAL:
            return CONSTANT_VALUE
        if name.startswith("torch.nn.") and name.rpartition(".")[2][:1].isupper():
            return Value(MODULE, name=None if name == "torch.nn.Module" else name)
        if name == "numpy.ndarray":
            return NDARRAY_VALUE
        last = name.rpartition(".")[2]
        if last in SEQUENCES or last in MAPPINGS or last in {"tuple", "Tuple"}:
            return CONTAINER_VALUE
        return Value(OBJECT, name="logging.Logger") if name == "logging.Logger" else UNKNOWN_VALUE


@lru_cache(maxsize=4096)
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def says_no_tensor(node: ast.expr | None) -> bool:
    """True for `bool`, `dict[...]`, `bool | None` and the like.

    Such an annotation is believed even where a call passes a tensor: that call may stand on a path that nobody takes.
    """
    match node:
        case ast.Name(id=name):
            return name in NO_TENSOR
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return says_no_tensor(left)
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return says_no_tensor(inner)
        case ast.Subscript(value=named):
            return isinstance(named, ast.Name) and says_no_tensor(named)
    return False
