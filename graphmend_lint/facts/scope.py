"""What a name refers to: a local, a closure's name, a module's definition or import, or a builtin."""

from __future__ import annotations

import ast
import builtins
import math
from functools import cache
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.untraced import LOOPS
from graphmend_lint.facts.values import (
    CONSTANT,
    CONSTANT_VALUE,
    FUNCTION,
    MISSING,
    OBJECT,
    PATTERN,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    join,
)
from graphmend_lint.project import Binding, ClassDef, FunctionDef, Imported, Module
from graphmend_lint.syntax import kept

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

SCRIPT_MAKERS: Final = frozenset({"torch.jit.script", "torch.jit.trace", "torch.jit.load"})
#: functions that make an object of a class with another name
MAKES: Final = {
    "re.compile": "re.Pattern()",
    **{f"{by}.{name}": "re.Match()" for by in ("re", "re.Pattern()") for name in ("match", "search", "fullmatch")},
}
BUILTINS: Final = frozenset(dir(builtins))
#: `from torch import nn`: packages of torch are named as they are documented
ALIASES: Final = {
    "torch.nn.modules.module.Module": "torch.nn.Module",
    "torch.functional": "torch",
    "torch._C._nn": "torch.nn.functional",
}
#: numbers that libraries have names for
NUMBERS: Final = {
    f"{module}.{name}": Value(CONSTANT, getattr(math, name), name=f"{module}.{name}")
    for module in ("math", "numpy", "torch")
    for name in ("e", "inf", "nan", "pi")
} | {"math.tau": Value(CONSTANT, math.tau, name="math.tau")}


class Scope:
    """Resolves names, across the modules of the project."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._globals: dict[Module, dict[str, Value]] = {}
        self._defaults: dict[Module, dict[ast.expr, Value]] = {}

    def name(self, name: str, activation: Activation) -> Value:
        """The value of a name that is not a local of the running function."""
        function = activation.function
        if function is not None and name in function.closure:
            value: Value = function.closure[name]
            return value
        return self.member(activation.module, name)

    def member(self, module: Module, name: str) -> Value:
        """The value of a top-level name of a module."""
        known = self.known(module)
        value = known.get(name)
        if value is None:
            known[name] = UNKNOWN_VALUE
            value = known[name] = self._lookup(module, name)
        return value

    def known(self, module: Module) -> dict[str, Value]:
        """The top-level names of a module that were looked up before."""
        known = self._globals.get(module)
        if known is None:
            known = self._globals[module] = {}
        return known

    def _lookup(self, module: Module, name: str) -> Value:
        bindings = module.names.get(name) if module.may_define(name) else None
        if bindings:
            value = self._bound(bindings, module)
            return value._replace(const=MISSING) if name in module.rebound_globals else value
        for star in module.stars:
            origin = self._run.project.find(module, star)
            value = self.member(origin, name) if origin is not None else UNKNOWN_VALUE
            if value.kinds != UNKNOWN or value.name is not None:
                return value
        submodule = self._run.project.submodule(module, name)
        if submodule is not None:
            return Value(OBJECT, target=submodule)
        return Value(FUNCTION, name=f"builtins.{name}") if name in BUILTINS else UNKNOWN_VALUE

    def _bound(self, bindings: list[Binding], module: Module) -> Value:
        definitions = [binding for binding in bindings if isinstance(binding, FunctionDef | ClassDef)]
        if definitions:
            return self.definition(definitions[-1])
        values = [self._binding(binding, module) for binding in bindings]
        known = [value for value in values if value.name or value.target or value.kinds != UNKNOWN]
        imported = any(isinstance(binding, Imported) for binding in bindings)
        if imported and known:
            return known[0]
        result = values[0]
        for value in values[1:]:
            result = join(result, value)
        return result

    def _binding(self, binding: Binding, module: Module) -> Value:
        match binding:
            case FunctionDef() | ClassDef():
                return self.definition(binding)
            case Imported():
                return self.imported(binding, module)
        value = self._run.eval(binding, self._run.top(module))
        if isinstance(binding, ast.Constant) and binding.value is False:
            return value._replace(dormant=True)
        return (
            value if value.kinds != CONSTANT or isinstance(value.const, bool | str) else value._replace(const=MISSING)
        )

    def imported(self, imported: Imported, module: Module) -> Value:
        """The value an import binds."""
        origin = self._run.project.find(module, imported)
        if imported.name is None:
            return Value(OBJECT, target=origin) if origin is not None else external(imported.module)
        if origin is None:
            return UNKNOWN_VALUE if imported.level else external(f"{imported.module}.{imported.name}")
        value = self.member(origin, imported.name)
        if value is UNKNOWN_VALUE and (submodule := self._run.project.submodule(origin, imported.name)) is not None:
            return Value(OBJECT, target=submodule)
        return value

    def definition(self, definition: FunctionDef | ClassDef) -> Value:
        """The value of a function or class, as its decorators leave it."""
        if isinstance(definition, ClassDef):
            return Value(FUNCTION, target=definition)
        return self._run.calls.decorated(definition)

    def default(self, node: ast.expr, function: FunctionDef) -> Value:
        """A parameter's default, evaluated once."""
        known = self._defaults.get(function.module)
        if known is None:
            known = self._defaults[function.module] = {}
        value = known.get(node)
        if value is None:
            top = self._run.top(function.module)
            top.function = FunctionDef(function.node, function.module, function.name, closure=function.closure)
            value = known[node] = self._run.eval(node, top)
        return value

    def close(self, module: Module) -> None:
        """Forget what a module's names and defaults are."""
        self._globals.pop(module, None)
        self._defaults.pop(module, None)


def made(name: str, otherwise: Value, told: Arguments) -> Value:
    """The object that a known class outside the project makes ("threading.Lock()"); else `otherwise`."""
    if any(word in LOOPS and value.const is False for word, value in told.keywords):
        return otherwise
    if name in MAKES or name in SCRIPT_MAKERS or name.rpartition(".")[2][:1].isupper():
        return Value(UNKNOWN, name=MAKES.get(name, f"{name}()"), origin=otherwise.origin)
    return otherwise


@cache
def external(name: str) -> Value:
    """Something outside the project, by its dotted name."""
    return NUMBERS.get(name) or Value(UNKNOWN, name=ALIASES.get(name, name))


@kept(4096)
def pattern(node: ast.JoinedStr) -> Value:
    """The value of an f-string whose parts are not all known: equal patterns may name the same attribute."""
    parts = [str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values]
    return Value(CONSTANT, name=f"{PATTERN}{''.join(parts)}") if "{}" in parts and len(parts) > 1 else CONSTANT_VALUE
