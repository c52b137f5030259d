"""Following one entry point, with what its parameters are known to be or are proven to be by their uses."""

from __future__ import annotations

import ast

from graphmend_lint.budget import part
from graphmend_lint.facts.docstrings import tensors
from graphmend_lint.facts.interpreter import Interpreter
from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.state import LIVE, PROBE
from graphmend_lint.facts.values import (
    CONSTANT_VALUE,
    NONE,
    NONE_VALUE,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    join,
)
from graphmend_lint.project import ClassDef, FunctionDef, FunctionNode, Module
from graphmend_lint.syntax import defaults


class Entering:
    """Follows entry points; one that cannot be followed is a line in `trouble`."""

    def __init__(self, interpreter: Interpreter, trouble: list[str] | None) -> None:
        self.interpreter = interpreter
        self.trouble = trouble
        self._known: dict[Module, dict[tuple[FunctionDef, bool], dict[str, Value]]] = {}

    def method(self, cls: ClassDef, method: FunctionDef) -> None:
        """Follow a method of an object that was made outside the region."""
        with part(self.trouble, method.module.path, method.node.lineno, method.name):
            receiver = self.interpreter.classes.outside(cls)
            function = self.interpreter.calls.decorated(method)._replace(receiver=receiver)
            self.enter(function, method, receiver)

    def guesses(self, method: FunctionDef) -> bool:
        """True if some parameter of a method is not known, so that its uses must tell."""
        return any(value.origin for value in self._parameters(method, UNKNOWN_VALUE).values())

    def close(self, module: Module) -> None:
        """Forget what was read in a module."""
        self._known.pop(module, None)

    def enter(self, function: Value, raw: FunctionDef, receiver: Value | None) -> None:
        """Follow one entry point; unknown parameters are first tried out, to see what their uses prove."""
        parameters = self._parameters(raw, receiver)
        if any(value.origin for value in parameters.values()):
            self._call(function, raw, parameters, PROBE)
            evidence = self.interpreter.evidence
            proven = {name: self._proven(value, evidence, raw) for name, value in parameters.items()}
            optional = {name for name in _without_value(raw.node) if proven.get(name) is TENSOR_VALUE}
            parameters = {**proven, **dict.fromkeys(optional, join(TENSOR_VALUE, NONE_VALUE))}
        self._call(function, raw, parameters, LIVE)
        table = self.interpreter.tables.get(raw.module.path)
        if table is not None and raw.node not in table.functions and raw is not function.target:
            direct = Value(function.kinds, target=raw, receiver=receiver)
            self._call(direct, raw, parameters, LIVE)

    def _proven(self, value: Value, evidence: dict[str, set[str]], function: FunctionDef) -> Value:
        """An unknown parameter after its uses were seen."""
        if not value.origin:
            return value
        (origin,) = value.origin
        seen = evidence.get(origin, set())
        if "tensor" in seen:
            return TENSOR_VALUE
        nested = f"{origin}[][][]" in evidence  # a dict that holds lists of dicts, too
        if "tensor" in evidence.get(f"{origin}[]", ()) and not nested:
            return Value(UNKNOWN, element=TENSOR_VALUE)
        read = {each[1:] for each in seen if each.startswith(".")}
        alike = [cls for cls in function.module.classes() if _has_fields(cls, read)] if len(read) > 1 else []
        return self.interpreter.classes.outside(alike[0]) if len(alike) == 1 else UNKNOWN_VALUE

    def _call(self, function: Value, raw: FunctionDef, parameters: dict[str, Value], mode: int) -> None:
        signature = raw.node.args
        ordered = [a.arg for a in (*signature.posonlyargs, *signature.args)]
        positional = tuple(parameters[name] for name in ordered if name in parameters)
        keywords = tuple((a.arg, parameters[a.arg]) for a in signature.kwonlyargs)
        activation = self.interpreter.top(raw.module)
        activation.mode = mode
        if mode == LIVE:
            self.interpreter.entering = raw
            activation.table = self.interpreter.tables.get(raw.module.path)
        spread = UNKNOWN_VALUE if signature.vararg is not None and function.target is raw else None
        self.interpreter.calls.apply(function, Arguments(positional, keywords, spread=spread), activation)

    def _parameters(self, function: FunctionDef, receiver: Value | None) -> dict[str, Value]:
        """Values of an entry point's parameters, without the receiver: annotation, default, or to be proven."""
        key = (function, receiver is not None)
        known = self._known.setdefault(function.module, {})
        if key not in known:
            known[key] = self._read_parameters(function, receiver)
        return known[key]

    def _read_parameters(self, function: FunctionDef, receiver: Value | None) -> dict[str, Value]:
        signature, found = function.node.args, dict[str, Value]()
        arguments = [*signature.posonlyargs, *signature.args]
        given = defaults(signature)
        for argument in (*arguments[receiver is not None :], *signature.kwonlyargs):
            found[argument.arg] = self._parameter(argument, given.get(argument.arg), function)
        return found

    def _parameter(self, argument: ast.arg, default: ast.expr | None, function: FunctionDef) -> Value:
        """The value of one parameter: its annotation, its default, or unknown, to be proven by its uses."""
        unknown = Value(UNKNOWN, origin=frozenset({f"{function.module.name}:{function.name}:{argument.arg}"}))
        value = unknown
        if argument.annotation is not None:
            value = self.interpreter.annotated(argument.annotation, default, function, otherwise=unknown)
        elif argument.arg in tensors(function.node):
            value = TENSOR_VALUE
        if default is None:
            return value
        given = self.interpreter.scope.default(default, function)
        if given.kinds == NONE:
            return value if value.origin else join(value, NONE_VALUE)
        if not value.origin:
            return value
        return CONSTANT_VALUE if given.kinds & CONSTANT_VALUE.kinds else given


def _without_value(function: FunctionNode) -> list[str]:
    """Parameters whose default is None."""
    given = defaults(function.args).items()
    return [name for name, default in given if isinstance(default, ast.Constant) and default.value is None]


def _has_fields(cls: ClassDef, read: set[str]) -> bool:
    """True if objects of the class have all these attributes, and at least two as annotated fields."""
    return len(read & cls.fields.keys()) > 1 and read <= cls.fields.keys() | cls.members.keys()
