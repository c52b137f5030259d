"""Calls: of project functions and classes, of torch's API, of builtins and other libraries."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import autograd, torch_api
from graphmend_lint.facts.api_values import call_value
from graphmend_lint.facts.builtin_calls import BuiltinCalls
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.sites import Compiled, asks_whole
from graphmend_lint.facts.state import SILENT, unknown_from
from graphmend_lint.facts.torch_calls import INPLACE_AT, TorchCalls
from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    FUNCTION,
    MODULE,
    NONE,
    NONE_VALUE,
    OBJECT,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    join_all,
    join_optional,
)
from graphmend_lint.project import ClassDef, FunctionDef
from graphmend_lint.syntax import kept

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

COMPILING: Final = frozenset(
    {
        "torch.compiler.is_compiling",
        "torch.compiler.is_dynamo_compiling",
        "torch._dynamo.is_compiling",
        "torch._utils.is_compiling",
        "torch.distributed._functional_collectives.is_torchdynamo_compiling",
        "torch._dynamo.external_utils.is_compiling",
    }
)
NOT_COMPILING: Final = frozenset(
    {
        "torch.jit.is_scripting",
        "torch.jit.is_tracing",
        "torch.compiler.is_exporting",
        "torch.onnx.is_in_onnx_export",
        "torch._jit_internal.is_scripting",
        "torch._jit_internal.is_tracing",
    }
)
DISABLING: Final = frozenset({"torch.compiler.disable", "torch._dynamo.disable", "torch._dynamo.disallow_in_graph"})
OPAQUE: Final = frozenset(
    {
        "torch.compiler.allow_in_graph",
        "torch._dynamo.allow_in_graph",
        "torch.library.custom_op",
        "torch.compiler.assume_constant_result",
        "torch._dynamo.assume_constant_result",
        "torch._dynamo.nonstrict_trace",
        "torch.library.triton_op",
    }
)
#: decorators whose functions another compiler runs: nothing is known of what they do
ELSEWHERE: Final = frozenset(
    {
        "numba.cuda.jit",
        "numba.guvectorize",
        "numba.jit",
        "numba.njit",
        "numba.vectorize",
        "triton.autotune",
        "triton.heuristics",
        "triton.jit",
    }
)
COMPILERS: Final = frozenset(
    {
        "torch.compile",
        "torch.export.export",
        "torch._dynamo.optimize",
        "torch._dynamo.export",
        "torch.export.draft_export",
    }
)
TRANSPARENT_WRAPPERS: Final = frozenset({"functools.wraps", "functools.update_wrapper", "functools.lru_cache"})
#: words of methods that arrays have as well, under another name
ONLY_TORCH: Final = frozenset({"dim", "keepdim"})
MARKING: Final = DISABLING | OPAQUE | ELSEWHERE | COMPILERS
SPECIAL: Final = COMPILING | NOT_COMPILING | MARKING | TRANSPARENT_WRAPPERS | {"functools.partial"}
HOLDERS: Final = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})
#: classes of torch.nn of whose arguments nothing is kept: they hold no modules, and are not told to work in place
PLAIN_MODULES: Final = frozenset(
    name
    for name in torch_api.modules()
    if (last := name.rpartition(".")[2]) not in HOLDERS and last.lower() not in INPLACE_AT
)

NOTHING: Final = Arguments()


class Calls:
    """Evaluates calls."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._decorated: dict[FunctionDef, Value] = {}
        self.builtins = BuiltinCalls(interpreter)
        self.torch = TorchCalls(interpreter)

    def call(self, node: ast.Call, activation: Activation) -> Value:
        """The value of a call expression."""
        function = self._run.eval(node.func, activation)
        if activation.mode == SILENT and function.name in PLAIN_MODULES:
            return Value(MODULE, name=function.name)
        arguments = self._arguments(node, activation)
        return self.apply(function, arguments, activation, node)

    def _arguments(self, node: ast.Call, activation: Activation) -> Arguments:
        """The values of the arguments, with `*` and `**` taken apart where their items are known."""
        if not node.args and not node.keywords:
            return NOTHING
        positional: list[Value] = []
        keywords: dict[str, Value] = {}
        is_open, spread = False, None
        for part in node.args:
            value = self._run.eval(part, activation)
            if not isinstance(part, ast.Starred):
                positional.append(value)
            elif value.items is not None and value.keys is None:
                positional.extend(value.items)
            else:
                is_open, spread = True, join_optional(spread, value.element)
        for keyword in node.keywords:
            value = self._run.eval(keyword.value, activation)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif value.items is not None and value.keys is not None:
                keywords.update({k: v for k, v in zip(value.keys, value.items, strict=True) if isinstance(k, str)})
            elif value.items != ():
                is_open = True
        return Arguments(tuple(positional), tuple(keywords.items()), is_open, spread)

    def apply(
        self, function: Value, arguments: Arguments, activation: Activation, node: ast.Call | None = None
    ) -> Value:
        """The value of calling `function` with these arguments."""
        target = function.target
        if function.name == CHOICE and function.items:
            called = [each for each in function.items if _fits(self._entered(each), arguments)] or function.items
            tried = called[:1] if activation.mode == SILENT else called  # outside regions, one stands for all
            return join_all([self.apply(each, arguments, activation, node) for each in tried])
        if isinstance(target, FunctionDef):
            return self._project(function, target, arguments, activation)
        if isinstance(target, ClassDef):
            if function.name == autograd.APPLY:
                return autograd.apply(self._run, target, arguments, activation)
            return self._construct(target, arguments, activation)
        if isinstance(target, Instance):
            return self._invoke(function, arguments, activation)
        if function.kinds & MODULE and function.name:
            return self.torch.run_module(function, arguments, activation)
        if function.name == "functools.partial" and function.items:
            passed = dict(zip(function.keys or (), function.items[1:], strict=False))
            extra = tuple((k, v) for k, v in passed.items() if isinstance(k, str))
            front = tuple(v for k, v in passed.items() if isinstance(k, int))
            merged = Arguments(front + arguments.positional, extra + arguments.keywords, arguments.open)
            return self.apply(function.items[0], merged, activation, node)
        if node is None:
            node = ast.Call(ast.Name("", ast.Load()), [], [])
        if function.name is not None:
            return self._external(function, function.name, arguments, activation, node)
        return self._unknown(function, arguments, node)

    # Project code

    def _project(self, function: Value, target: FunctionDef, arguments: Arguments, activation: Activation) -> Value:
        if function.receiver is not None:
            arguments = arguments._replace(positional=(function.receiver, *arguments.positional))
        if function.name in ELSEWHERE:
            return UNKNOWN_VALUE
        if function.name in DISABLING or function.name in OPAQUE:
            table, activation.table = activation.table, None
            value = self._run.call(target, arguments, activation, function.receiver)
            activation.table = table
            return value
        if activation.mode == SILENT and function.receiver is not None and self._shared(target, arguments, activation):
            return NONE_VALUE
        return self._run.call(target, arguments, activation, function.receiver)

    def _shared(self, target: FunctionDef, arguments: Arguments, activation: Activation) -> bool:
        """True for a base constructor that is given nothing but settings: it is run once for all subclasses.

        What it stores is then copied into the caller's state.
        """
        receiver, *passed = arguments.positional
        owner = target.owner
        if owner is None or not isinstance(receiver.target, Instance) or owner is receiver.target.cls:
            return False
        values = (*passed, *(value for _, value in arguments.keywords))
        settings = all(value.kinds & (UNKNOWN | OBJECT | CONSTANT | NONE) for value in values)
        if not settings or not target.name.endswith(".__init__"):
            return False
        parameters = [argument.arg for argument in target.node.args.args[1:]]
        given = dict(zip(parameters, passed, strict=False)) | dict(arguments.keywords)
        built = self._run.classes.built(self._run.classes.outside(owner))
        for name, value in built.attributes.items():
            kept = self._rebound(value, built, receiver, activation) if value.kinds == FUNCTION else value
            activation.state.attributes[(receiver.target, name)] = given.get(name, kept)
        return True

    def _rebound(self, value: Value, built: Instance, receiver: Value, activation: Activation) -> Value:
        """A method that a shared constructor stored, bound to this object instead: `self.step = self.fast`."""
        if value.name == CHOICE and value.items:
            return join_all([self._rebound(each, built, receiver, activation) for each in value.items])
        bound = value.receiver is not None and value.receiver.target is built
        if not bound or not isinstance(value.target, FunctionDef) or isinstance(value.target.node, ast.Lambda):
            return value
        return self._run.attributes.attribute(receiver, value.target.node.name, activation)

    def _construct(self, cls: ClassDef, arguments: Arguments, activation: Activation) -> Value:
        value = self._run.classes.build(cls, arguments)
        if activation.table is not None and value.kinds in {OBJECT, MODULE}:
            constructor = self._run.classes.find(cls, "__init__")
            if isinstance(constructor, FunctionDef):
                bound = arguments._replace(positional=(value, *arguments.positional))
                self._run.call(constructor, bound, activation, value)
        return value

    def _entered(self, value: Value) -> Value:
        """The function that a call of an object enters; the value itself if that is no method of the project."""
        if isinstance(value.target, Instance):
            for name in ("__call__", "forward") if value.kinds & MODULE else ("__call__",):
                method = self._run.classes.find(value.target.cls, name)
                if isinstance(method, FunctionDef):
                    return Value(FUNCTION, target=method, receiver=value)
        return value

    def _invoke(self, value: Value, arguments: Arguments, activation: Activation) -> Value:
        entered = self._entered(value)
        if entered is not value:
            name = entered.target.name.rpartition(".")[2]
            return self.apply(self._run.attributes.attribute(value, name, activation), arguments, activation)
        if value.kinds & MODULE:
            for base in self._run.classes.externals(value.target.cls):
                if torch_api.module(base) is not None:
                    return self.torch.run_module(Value(MODULE, name=base), arguments, activation)
        return unknown_from(*arguments.positional)

    def decorated(self, function: FunctionDef, activation: Activation | None = None) -> Value:
        """What a function's decorators make of it. Decorators outside the project are taken to keep the signature."""
        known = self._decorated.get(function)
        if known is not None and (activation is None or not function.closure):
            return known
        value = Value(FUNCTION, target=function)
        self._decorated[function] = value
        for decorator in reversed(function.decorators):
            value = self._decorate(decorator, value, function, activation)
        self._decorated[function] = value
        return value

    def _decorate(
        self, decorator: ast.expr, value: Value, function: FunctionDef, activation: Activation | None
    ) -> Value:
        """What one decorator makes of a function."""
        top = activation or self._run.top(function.module)
        table, top.table = top.table, None
        try:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            maker = self._run.eval(called, top)
            if isinstance(maker.target, FunctionDef) and not _wraps(maker.target):
                return value
            if maker.name in ELSEWHERE:
                return value._replace(name=maker.name)
            wrapper = maker if called is decorator else self._run.eval(decorator, top)
            if wrapper.name == "functools.partial" and wrapper.items and wrapper.items[0].name in SPECIAL:
                wrapper = wrapper.items[0]
            name = wrapper.name or ""
            if name in DISABLING or name in OPAQUE:
                return value._replace(name=name)
            if name in COMPILERS:
                whole = asks_whole(decorator) if name == "torch.compile" else None
                self._run.compiled.append(Compiled(value, function.module, decorator, whole))
            if isinstance(wrapper.target, FunctionDef) and _wraps(wrapper.target):
                result = self.apply(wrapper, Arguments((value,)), top)
                return result if isinstance(result.target, FunctionDef) else value
        finally:
            top.table = table
        return value

    # Code outside the project

    def _external(
        self, function: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call
    ) -> Value:
        name = torch_api.canonical(name)
        if name in SPECIAL:
            return self._special(function, name, arguments, activation, node)
        if name.startswith("torch."):
            return self.torch.call(function, name, arguments, activation, node)
        return self.builtins.apply(function, name, arguments, activation, node)

    def _special(
        self, function: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call
    ) -> Value:
        """The value of a call that is about compilation, or that only wraps a function."""
        if name in COMPILING:
            return Value(CONSTANT, True, name="torch.compiler.is_compiling")
        if name in NOT_COMPILING:
            return Value(CONSTANT, False)
        if name in MARKING:
            return self._marked(name, arguments, activation, node)
        if name == "functools.partial" and arguments.positional:
            keys = (*range(len(arguments.positional) - 1), *(k for k, _ in arguments.keywords))
            values = (*arguments.positional, *(v for _, v in arguments.keywords))
            return Value(FUNCTION, name=name, items=values, keys=keys)
        return arguments.positional[0] if function.receiver is not None else external_decorator(name)

    def _marked(self, name: str, arguments: Arguments, activation: Activation, node: ast.Call) -> Value:
        """`torch.compile(f)` is an entry point; `torch.compiler.disable(f)` is f, marked."""
        value = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        if not arguments.positional or not value.kinds & ~(CONSTANT | NONE):
            return Value(UNKNOWN, name=name)  # a decorator with settings: `optimize("eager")`
        if name in COMPILERS:
            self._run.compiled.append(Compiled(value, activation.module, node, _whole(name, arguments)))
            return value
        return value._replace(name=name) if isinstance(value.target, FunctionDef) else value

    def _unknown(self, function: Value, arguments: Arguments, node: ast.Call) -> Value:
        """The value of a call of something unknown. A method that only tensors have proves its receiver a tensor."""
        if isinstance(node.func, ast.Attribute):
            entry = torch_api.method(node.func.attr)
            if entry is not None and (entry.tensor_only or any(word.arg in ONLY_TORCH for word in node.keywords)):
                self.proves(Value(UNKNOWN, origin=_receiver_origin(function, node.func.attr)), "tensor")
                return call_value(node.func.attr, entry, node, len(arguments.positional), True, UNKNOWN_VALUE)
        return unknown_from(*arguments.positional)

    def proves(self, value: Value, what: str) -> None:
        """Note that an unknown parameter is used as only a tensor can be."""
        if value.kinds & UNKNOWN and len(value.origin) == 1:
            for origin in value.origin:
                self._run.evidence.setdefault(origin, set()).add(what)
        elif value.items is not None:
            for item in value.items:
                self.proves(item, what)


def _whole(name: str, arguments: Arguments) -> bool | None:
    """Whether a call of torch.compile says `fullgraph=True`; None if that is not known."""
    if name != "torch.compile" or arguments.open:
        return None
    given = dict(arguments.keywords).get("fullgraph")
    const = given.const if given is not None else False
    return const if isinstance(const, bool) else None


@kept(4096)
def _wraps(function: FunctionDef) -> bool:
    """True if a decorator may return a wrapper: a function inside it calls something that is passed in."""
    names: set[str] = set()
    for node in ast.walk(function.node):
        if isinstance(node, ast.arguments):
            names |= {argument.arg for argument in (*node.posonlyargs, *node.args)}
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        for nested in ast.walk(function.node)
        if isinstance(nested, ast.FunctionDef | ast.Lambda) and nested is not function.node
        for node in ast.walk(nested)
    )


def _fits(function: Value, arguments: Arguments) -> bool:
    """False for a function of the project that cannot be called with these arguments."""
    if not isinstance(function.target, FunctionDef) or arguments.open:
        return True
    signature = function.target.node.args
    places = [*signature.posonlyargs, *signature.args][function.receiver is not None :]
    optional = len(signature.defaults)
    given = len(arguments.positional)
    names = {argument.arg for argument in (*places[given:], *signature.kwonlyargs)}
    passed = {name for name, _ in arguments.keywords}
    missing = {argument.arg for argument in places[given : max(given, len(places) - optional)]} - passed
    return (
        not missing and (given <= len(places) or bool(signature.vararg)) and (passed <= names or bool(signature.kwarg))
    )


def external_decorator(name: str) -> Value:
    """The value of a library's decorator, which is taken to return the function that it decorates."""
    return Value(UNKNOWN, name=f"{name}.decorator")


def _receiver_origin(function: Value, attribute: str) -> frozenset[str]:
    """Origins of the receiver, from those of the attribute that was read on it."""
    ending = f".{attribute}"
    return frozenset(origin.removesuffix(ending) for origin in function.origin if origin.endswith(ending))
