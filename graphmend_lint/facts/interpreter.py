"""Abstract interpretation of the functions that Dynamo traces: calls, their summaries, and their records.

A call runs the callee's statements on abstract values, as Dynamo inlines it. What it returns is kept per function,
receiver and kinds of arguments. Expressions and statements that are met on the way go into the file's `Table`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from graphmend_lint.facts.annotations import Annotations, says_no_tensor
from graphmend_lint.facts.attributes import Attributes
from graphmend_lint.facts.calls import Calls
from graphmend_lint.facts.classes import Classes
from graphmend_lint.facts.correlated import Given
from graphmend_lint.facts.docstrings import tensors
from graphmend_lint.facts.expressions import Expressions
from graphmend_lint.facts.facts import Table
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.runs import RunKey, Runs, Summary
from graphmend_lint.facts.scope import Scope
from graphmend_lint.facts.sites import Compiled, Edges
from graphmend_lint.facts.state import DORMANT, LIVE, PROBE, SILENT, State
from graphmend_lint.facts.statements import Statements
from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    FUNCTION,
    MISSING,
    MODULE,
    NONE,
    NONE_VALUE,
    OBJECT,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    container,
    container_of,
    covers,
    join_all,
    join_answers,
)
from graphmend_lint.model import Frame
from graphmend_lint.project import ClassDef, FunctionDef, FunctionNode, Module, Project

MAX_DEPTH: Final = 45  #: calls inside calls; deeper ones answer UNKNOWN
MAX_NESTED: Final = 8  #: runs of one function inside each other, as calls of models that hold models make them
MAX_SUMMARIES: Final = 8  #: per function and receiver; then arguments are widened


@dataclass(eq=False, repr=False, slots=True)
class Activation:
    """One run of one function (or of a module's top level, or a class body)."""

    module: Module
    state: State
    mode: int = SILENT
    table: Table | None = None  #: None: nothing is written down
    function: FunctionDef | None = None
    receiver: Value | None = None
    key: Hashable | None = None
    depth: int = 0
    chain: tuple[Frame, ...] = ()
    returns: list[tuple[Value, State]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[list[State]] = field(default_factory=list)  #: states at `break` and `continue`, innermost last
    outer: dict[str, Value] = field(default_factory=dict)  #: names of the module, unless closures come first
    given: dict[str, Given] = field(default_factory=dict)  #: what tests for None say of other names


class Interpreter:
    """Runs functions abstractly and remembers what it saw."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.tables: dict[Path, Table] = {module.path: Table() for module in project.linted}
        self.evidence: dict[str, set[str]] = {}  #: unknown parameter -> what its uses prove
        self.compiled: list[Compiled] = []  #: what was handed to torch.compile and its like
        self.edges: Edges | None = None  #: who calls whom, if somebody asks
        self.watched: set[Module] | None = None  #: whose calls matter; None: all
        self._runs: dict[Module, Runs] = {}
        #: called on an object of a class, with arguments whose kinds, but not values, are all known
        self.informed: set[tuple[FunctionDef, ClassDef | None]] = set()
        self.enter: Callable[[FunctionDef, Value], None] | None = None  #: follows an entry point that is called early
        self.entering: FunctionDef | None = None  #: the entry point that the next call is about
        self._active: Counter[FunctionNode] = Counter()  #: runs that have begun and not ended
        self.annotations = Annotations(self)
        self.scope = Scope(self)
        self.classes = Classes(self)
        self.attributes = Attributes(self)
        self.calls = Calls(self)
        self.statements = Statements(self)
        self.expressions = Expressions(self)
        self.eval = self.expressions.eval

    def call(self, function: FunctionDef, arguments: Arguments, caller: Activation, receiver: Value | None) -> Value:
        """The value of calling `function`; its effects on attributes are put into the caller's state."""
        if caller.depth >= MAX_DEPTH:
            return UNKNOWN_VALUE
        if self.edges is not None and caller.table is not None and caller.function is not None:
            self._note_call(caller.function, function)
        names = self._bind(function, arguments)
        mode = self._mode(caller)
        if mode == PROBE and not function.closure and not any(value.origin for value in names.values()):
            mode = SILENT  # nothing is to be learnt there
        summary = self._entered(function, receiver, names, mode) or self._summary(
            function, receiver, names, mode, caller
        )
        if summary is None:
            return UNKNOWN_VALUE
        if summary.stores:
            caller.state.attributes.update(summary.stores)
        return summary.value

    def _note_call(self, caller: FunctionDef, callee: FunctionDef) -> None:
        if self.edges is not None and (self.watched is None or caller.module in self.watched):
            self.edges.add((caller.node, callee.node))

    def _summary(
        self,
        function: FunctionDef,
        receiver: Value | None,
        names: dict[str, Value],
        mode: int,
        caller: Activation,
    ) -> Summary | None:
        """What the call does, from an earlier run if there was one; None inside a recursion."""
        runs = self._runs_in(function.module)
        key = self._key(function, receiver, names, mode, runs)
        informed = mode == LIVE and all(map(_says_kind, names.values()))
        if informed:
            self.informed.add((function, class_of(receiver)))
        if key not in runs.summaries:
            passed, entering = names.copy(), self.entering is function
            if entering:
                self.entering = None
            runs.summaries[key] = None
            summary = runs.summaries[key] = self._run(function, names, key, mode, caller, receiver)
            if mode in (SILENT, LIVE):
                target = receiver.target if receiver is not None else None
                runs.done.setdefault((function, target, mode), []).append((passed, summary))
        return runs.summaries[key]

    def _runs_in(self, module: Module) -> Runs:
        runs = self._runs.get(module)
        if runs is None:
            runs = self._runs[module] = Runs()
        return runs

    def _entered(
        self, function: FunctionDef, receiver: Value | None, names: dict[str, Value], mode: int
    ) -> Summary | None:
        """What an earlier call was found to do, if its arguments cover those of this one (see `covers`)."""
        if mode not in (SILENT, LIVE):
            return None
        target = receiver.target if receiver is not None else None
        done = self._runs_in(function.module).done
        known = done.get((function, target, LIVE))
        if mode == SILENT:
            known = [*(known or ()), *done.get((function, target, SILENT), ())]
        elif known is None and receiver is not None and self.entering is not function and self.enter is not None:
            self.enter(function, receiver)
            known = done.get((function, target, LIVE))
        for passed, summary in known or ():
            if all(covers(passed[name], value) for name, value in names.items() if name in passed):
                return summary
        return None

    @staticmethod
    def _mode(caller: Activation) -> int:
        if caller.table is None:
            return min(caller.mode, PROBE)
        return DORMANT if caller.state.dormant else LIVE

    def _key(
        self, function: FunctionDef, receiver: Value | None, names: dict[str, Value], mode: int, runs: Runs
    ) -> RunKey:
        target = receiver.target if receiver is not None else None
        who = (function, target, mode)
        count = runs.counts.get(who, 0)
        if count >= MAX_SUMMARIES:
            nested = self._active[function.node] > MAX_NESTED
            for name, value in names.items():
                if value is not receiver:
                    names[name] = _widened(value, times=count // MAX_SUMMARIES, nested=nested)
        key = (who, tuple(names.values()))
        if key not in runs.summaries:
            runs.counts[who] = count + 1
        return key

    def _run(
        self,
        function: FunctionDef,
        names: dict[str, Value],
        key: Hashable,
        mode: int,
        caller: Activation,
        receiver: Value | None,
    ) -> Summary:
        """Run the body of a function on the values of its names."""
        node, table, chain = function.node, None, caller.chain
        if mode > PROBE:
            table = self.tables.get(function.module.path)
            chain = (*chain, Frame(function.module.path, node.lineno, function.name))
            if table is not None and mode == LIVE:
                table.functions.setdefault(node, chain)
            table = table or _NOWHERE
        state = State(names, {}, dormant=mode == DORMANT)
        activation = Activation(function.module, state, mode, table, function, receiver, key, caller.depth + 1, chain)
        if not function.closure:
            activation.outer = self.scope.known(function.module)
        if isinstance(node, ast.Lambda):
            return Summary(self.eval(node.body, activation), {})
        self._active[node] += 1
        try:
            self.statements.run(node.body, activation)
        finally:
            self._active[node] -= 1
            if not self._active[node]:
                del self._active[node]
        return self._summarise(function, activation)

    def _summarise(self, function: FunctionDef, activation: Activation) -> Summary:
        exits = [*activation.returns]
        if activation.state.live:
            exits.append((NONE_VALUE, activation.state))
        if not exits:
            return Summary(UNKNOWN_VALUE, {})
        end = State({}, {})
        end.become(*(State({}, state.attributes) for _, state in exits))
        if function.is_generator:
            return Summary(container_of(join_all(activation.yields) if activation.yields else None), end.attributes)
        value = join_answers([value for value, _ in exits])
        if value.kinds == UNKNOWN and not isinstance(function.node, ast.Lambda) and function.node.returns is not None:
            value = self.annotations.value(function.node.returns, function.module, otherwise=value)
        if isinstance(function.node, ast.AsyncFunctionDef):
            value = UNKNOWN_VALUE
        return Summary(value, end.attributes)

    def _bind(self, function: FunctionDef, arguments: Arguments) -> dict[str, Value]:
        """The values of the callee's parameters: what the call passes, or the defaults."""
        signature, keywords = function.node.args, dict(arguments.keywords)
        parameters = [*signature.posonlyargs, *signature.args]
        names: dict[str, Value] = {}
        defaults = dict(zip(reversed(parameters), reversed(signature.defaults), strict=False))
        for index, parameter in enumerate(parameters):
            if index < len(arguments.positional):
                default = defaults.get(parameter)
                names[parameter.arg] = self._passed(arguments.positional[index], parameter, default, function)
            else:
                default = defaults.get(parameter)
                names[parameter.arg] = self._keyword(parameter, default, keywords, arguments.open, function)
        if signature.vararg:
            rest = arguments.positional[len(parameters) :]
            is_open = arguments.open or arguments.spread is not None
            names[signature.vararg.arg] = container_of(UNKNOWN_VALUE) if is_open else container(rest)
        for parameter, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True):
            names[parameter.arg] = self._keyword(parameter, default, keywords, arguments.open, function)
        if signature.kwarg:
            rest_keys = tuple(keywords)
            known = container(tuple(keywords.values()), rest_keys)
            names[signature.kwarg.arg] = container_of(UNKNOWN_VALUE) if arguments.open else known
        return names

    def _keyword(
        self,
        parameter: ast.arg,
        default: ast.expr | None,
        keywords: dict[str, Value],
        is_open: bool,
        function: FunctionDef,
    ) -> Value:
        if parameter.arg in keywords:
            return self._passed(keywords.pop(parameter.arg), parameter, default, function)
        if default is None or is_open:
            return self._passed(UNKNOWN_VALUE, parameter, default, function)
        return self.scope.default(default, function)

    def _passed(self, value: Value, parameter: ast.arg, default: ast.expr | None, function: FunctionDef) -> Value:
        trusted = value.kinds != UNKNOWN and not (value.kinds & TENSOR and says_no_tensor(parameter.annotation))
        if parameter.annotation is None and value is UNKNOWN_VALUE and parameter.arg in tensors(function.node):
            return TENSOR_VALUE
        if parameter.annotation is None or trusted:
            return value
        said = self.annotated(parameter.annotation, default, function, otherwise=value)
        if said.kinds & CONTAINER and value.kinds & TENSOR:  # a dict in a dict whose annotation leaves that out
            return said._replace(items=None, keys=None, element=UNKNOWN_VALUE)
        return said

    def annotated(
        self, annotation: ast.expr, default: ast.expr | None, function: FunctionDef, otherwise: Value
    ) -> Value:
        """What a parameter's annotation says; `otherwise` if its default shows that it cannot be trusted."""
        value = self.annotations.value(annotation, function.module, otherwise=otherwise)
        if default is None or value is otherwise:
            return value
        given = self.scope.default(default, function)
        agree = given.kinds & (value.kinds | NONE | UNKNOWN) or value.kinds & UNKNOWN
        return value if agree else otherwise

    def closure(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, activation: Activation) -> FunctionDef:
        """The function that a nested `def` or `lambda` makes; one per enclosing run, so that summaries are found."""
        key = (node, activation.key)
        closures = self._runs_in(activation.module).closures
        function = closures.get(key)
        if function is None:
            outer = activation.function.name if activation.function else ""
            name = getattr(node, "name", "<lambda>")
            function = FunctionDef(node, activation.module, f"{outer}.{name}" if outer else name)
            closures[key] = function
        function.closure = activation.state.names
        if activation.function is not None and activation.function.closure:
            function.closure = {**activation.function.closure, **activation.state.names}
        return function

    def close(self, module: Module) -> None:
        """Write nothing more down about a module."""
        self.tables.pop(module.path, None)
        self._runs.pop(module, None)
        self.annotations.close(module)
        self.scope.close(module)
        self.classes.close(module)
        _NOWHERE.clear()

    def forget_receivers(self, closed: Container[Module]) -> None:
        """Forget what methods of open modules did to objects whose classes are in closed ones."""
        for runs in self._runs.values():
            runs.forget(closed)

    def holds_facts(self, module: Module) -> bool:
        """True if something was written down about a module."""
        table = self.tables.get(module.path)
        return table is not None and bool(table.functions or table.values)

    def top(self, module: Module) -> Activation:
        """A run without a function, in which expressions of the module's top level are evaluated silently."""
        return Activation(module, State({}, {}))


_NOWHERE = Table()  #: for files that are read because linted files import them: nobody asks


def class_of(receiver: Value | None) -> ClassDef | None:
    """The class of the object that a method runs on, as far as it is known."""
    target = receiver.target if receiver is not None else None
    return target.cls if isinstance(target, Instance) else None


def _says_kind(value: Value) -> bool:
    return not value.kinds & UNKNOWN and value.const is MISSING and value.kinds != NONE


def _widened(value: Value, *, times: int, nested: bool) -> Value:
    """The value with fewer distinctions, so that a function that is called in many ways has few summaries.

    Deep in a recursion, and after very many calls, not even functions are told apart: code that makes a new closure
    each time would never run out of them.
    """
    if times > (3 if nested else 40) and not _is_one_of_few(value):
        return UNKNOWN_VALUE if value.kinds & (FUNCTION | OBJECT | MODULE) else Value(value.kinds)
    if times > 1:
        items = value.items if value.name == CHOICE else None
        return Value(value.kinds, name=value.name, target=value.target, items=items, element=_plain(value.element))
    if value.kinds & ~FUNCTION == 0:
        return value
    if not value.kinds & ~(OBJECT | MODULE | NONE):
        return Value(UNKNOWN if value.kinds & OBJECT else value.kinds)
    plain = value if value.kinds & ~CONSTANT else CONSTANT_VALUE
    return plain._replace(const=MISSING, items=None, keys=None, traits=0, dormant=False)


def _is_one_of_few(value: Value) -> bool:
    """True for a function that is no closure. A program has only so many, and decorators are called with them."""
    return isinstance(value.target, FunctionDef) and not value.target.closure


def _plain(element: Value | None) -> Value | None:
    return None if element is None else Value(element.kinds, name=element.name, target=element.target)
