"""Abstract execution of statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from graphmend_lint.facts import correlated, narrow
from graphmend_lint.facts.nesting import counted
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.operators import operate, truth_of
from graphmend_lint.facts.state import SILENT, State, unknown_from
from graphmend_lint.facts.values import (
    CONTAINER,
    DATA,
    FUNCTION,
    KNOWN,
    MISSING,
    NONE_VALUE,
    OBJECT_VALUE,
    TENSOR,
    UNKNOWN_VALUE,
    Value,
    container,
    container_of,
    join_optional,
)
from graphmend_lint.project import ClassDef, imported_names

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

STORING_METHODS: Final = frozenset(
    {"register_buffer", "register_parameter", "add_module", "register_module", "compile", "__init__"}
)
Execute = Callable[[Any, "Activation"], None]


DISPLAY: Final = (ast.Tuple, ast.List)


class Statements:
    """One method per statement type."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._dispatch: dict[type[ast.stmt], Execute] = counted(
            {
                ast.AnnAssign: self._annotated,
                ast.Assert: self._assert,
                ast.Assign: self._assign,
                ast.AsyncFor: self._for,
                ast.AsyncFunctionDef: self._function,
                ast.AsyncWith: self._with,
                ast.AugAssign: self._augmented,
                ast.Break: self._jump,
                ast.ClassDef: self._class,
                ast.Continue: self._jump,
                ast.Delete: self._delete,
                ast.Expr: self._expression,
                ast.For: self._for,
                ast.FunctionDef: self._function,
                ast.Global: self._global,
                ast.If: self._if,
                ast.Import: self._import,
                ast.ImportFrom: self._import,
                ast.Match: self._match,
                ast.Raise: self._raise,
                ast.Return: self._return,
                ast.Try: self._try,
                ast.While: self._while,
                ast.With: self._with,
            }
        )

    def run(self, body: list[ast.stmt], activation: Activation) -> None:
        """Execute statements until control leaves."""
        table = activation.table
        for statement in body:
            state = activation.state
            if not state.live:
                return
            if table is None:
                pass
            elif not state.dormant:
                table.reached[statement] = activation.chain
                if table.dormant:
                    table.dormant.discard(statement)
            elif statement not in table.reached:
                table.reached[statement] = activation.chain
                table.dormant.add(statement)
            execute = self._dispatch.get(type(statement))
            if execute is not None:
                execute(statement, activation)

    # Stores

    def assign(self, target: ast.expr, value: Value, activation: Activation) -> None:
        """Store into a name, attribute, element, or a pattern of them."""
        if isinstance(target, ast.Name):
            activation.state.names[target.id] = value
        elif isinstance(target, ast.Attribute):
            self._run.attributes.store(self._run.eval(target.value, activation), target.attr, value, activation)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value, activation)
            return
        elif isinstance(target, ast.Subscript):
            key = self._run.eval(target.slice, activation)
            self._store_item(target.value, key, value, activation)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, container_of(self._run.expressions.element(value)), activation)
            return
        if activation.table is not None:
            activation.table.values.setdefault(target, value)

    def _unpack(self, parts: list[ast.expr], value: Value, activation: Activation) -> None:
        items = value.items if value.keys is None else None
        starred = [i for i, part in enumerate(parts) if isinstance(part, ast.Starred)]
        if items is not None and not starred and len(items) == len(parts):
            for part, item in zip(parts, items, strict=True):
                self.assign(part, item, activation)
        elif items is not None and starred and len(items) >= len(parts) - 1:
            at, after = starred[0], len(parts) - starred[0] - 1
            middle = container(items[at : len(items) - after])
            values = [*items[:at], middle, *items[len(items) - after :]]
            for part, item in zip(parts, values, strict=True):
                self.assign(part.value if isinstance(part, ast.Starred) else part, item, activation)
        else:
            for part in parts:
                whole = value if isinstance(part, ast.Starred) else self._run.expressions.element(value)
                self.assign(part, whole, activation)

    def _store_item(self, base: ast.expr, key: Value, value: Value, activation: Activation) -> None:
        old = self._run.eval(base, activation)
        if not old.kinds & CONTAINER or not isinstance(base, ast.Name | ast.Attribute):
            return
        self.assign(base, with_item(old, key, value), activation)

    def _assign(self, node: ast.Assign, activation: Activation) -> None:
        value = self._run.eval(node.value, activation)
        switch = isinstance(node.value, ast.Constant) and (node.value.value is False or node.value.value is None)
        for target in node.targets:
            stored = value._replace(dormant=True) if switch and isinstance(target, ast.Attribute) else value
            if value.items is None and isinstance(target, DISPLAY) and isinstance(node.value, DISPLAY):
                self._spread(target.elts, node.value.elts, value, activation)
            else:
                self.assign(target, stored, activation)

    def _spread(self, targets: list[ast.expr], elements: list[ast.expr], whole: Value, activation: Activation) -> None:
        """Unpack a sequence in which one `*x` has an unknown length: the items before and behind it are exact."""
        stars = [at for at, part in enumerate(elements) if isinstance(part, ast.Starred)]
        if len(stars) != 1:
            self._unpack(targets, whole, activation)
            return
        values = [self._run.eval(part, activation) for part in elements]
        open_end = any(isinstance(part, ast.Starred) for part in targets)
        inner = self._run.expressions.element(whole if open_end else values[stars[0]])
        front, back = values[: stars[0]], values[stars[0] + 1 :]
        for at, part in enumerate(targets):
            from_end = len(targets) - at
            if isinstance(part, ast.Starred):
                self.assign(part, container_of(inner), activation)
                front, open_end = [], False
            elif at < len(front):
                self.assign(part, front[at], activation)
            else:
                exact = not open_end and from_end <= len(back)
                self.assign(part, back[-from_end] if exact else inner, activation)

    def _annotated(self, node: ast.AnnAssign, activation: Activation) -> None:
        if node.value is not None:
            value = self._run.eval(node.value, activation)
            if value is UNKNOWN_VALUE:
                value = self._run.annotations.value(node.annotation, activation.module)
            self.assign(node.target, value, activation)

    def _augmented(self, node: ast.AugAssign, activation: Activation) -> None:
        old = self._run.eval(node.target, activation)
        value = operate(old, self._run.eval(node.value, activation), node.op)
        if old.kinds == TENSOR and old.traits and not isinstance(node.op, ast.MatMult):
            value = old._replace(traits=old.traits & ~KNOWN)  # changed in place: shape and dtype stay
        if not isinstance(node.target, ast.Subscript):
            self.assign(node.target, value, activation)
        else:
            self._run.eval(node.target.slice, activation)

    def _delete(self, node: ast.Delete, activation: Activation) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                activation.state.names.pop(target.id, None)

    def _global(self, node: ast.Global, activation: Activation) -> None:
        for name in node.names:
            activation.state.names[name] = self._run.scope.member(activation.module, name)._replace(const=MISSING)

    # Control flow

    def _if(self, node: ast.If, activation: Activation) -> None:
        """Run the branches that the test allows, and join what holds after them."""
        if activation.mode == SILENT and not node.orelse and isinstance(node.body[0], ast.Raise):
            return  # a check of settings stores nothing
        test = self._run.eval(node.test, activation)
        truth, before, ends = truth_of(test), activation.state, []
        if test.kinds & DATA and isinstance(node.body[-1], ast.Raise):
            self._error(node.body[-1], activation)
        for wanted, body in ((True, node.body), (False, node.orelse)):
            taken = truth is None or truth is wanted
            if not taken and not test.dormant:
                continue
            state = activation.state = before.copy()
            state.dormant = before.dormant or not taken
            narrow.narrow(self._run, node.test, activation, wanted)
            self.run(body, activation)
            state = activation.state
            state.dormant = before.dormant
            ends.append(state)
        activation.state = before
        before.become(*ends)
        correlated.note(activation.given, node.test, before, ends)

    def _while(self, node: ast.While, activation: Activation) -> None:
        self._run.eval(node.test, activation)

        def once() -> None:
            narrow.narrow(self._run, node.test, activation, True)
            self.run(node.body, activation)
            self._run.eval(node.test, activation)

        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        self._loop(once, node.orelse, activation, endless=endless)

    def _for(self, node: ast.For | ast.AsyncFor, activation: Activation) -> None:
        iterated = self._run.eval(node.iter, activation)
        element = self._run.expressions.element(iterated)

        def once() -> None:
            self.assign(node.target, element, activation)
            self.run(node.body, activation)

        self._loop(once, node.orelse, activation, endless=False)

    def _loop(self, once: Callable[[], None], orelse: list[ast.stmt], activation: Activation, *, endless: bool) -> None:
        """Run the body of a loop until its state repeats; at most twice, since kinds settle soon."""
        before = activation.state
        breaks: list[State] = []
        activation.loops.append(breaks)
        start = before
        for _ in range(2):
            activation.state = start.copy()
            activation.given.clear()  # the next round may leave other values
            once()
            end = activation.state
            start = before.copy()
            start.become(before, end)
            if start.agrees(before):
                break
        activation.loops.pop()
        activation.given.clear()
        activation.state = before
        if endless:
            before.become(*breaks)
            return
        before.become(start)
        self.run(orelse, activation)
        before.become(activation.state, *breaks)
        activation.state = before

    def _jump(self, node: ast.Break | ast.Continue, activation: Activation) -> None:
        if activation.loops and isinstance(node, ast.Break):
            activation.loops[-1].append(activation.state.copy())
        activation.state.live = False

    def _try(self, node: ast.Try, activation: Activation) -> None:
        """Each handler may begin with the state before the block, or with the one after it."""
        before = activation.state.copy()
        self.run(node.body, activation)
        after = activation.state
        ends = []
        for handler in node.handlers:
            activation.state = before.copy()
            if after.live:
                activation.state.become(before.copy(), after.copy())
            if handler.name:
                activation.state.names[handler.name] = OBJECT_VALUE
            self.run(handler.body, activation)
            ends.append(activation.state)
        activation.state = after
        self.run(node.orelse, activation)
        ends.append(activation.state)
        end = before
        end.become(*ends)
        activation.state = end
        if node.finalbody:
            live, end.live = end.live, True
            self.run(node.finalbody, activation)
            end.live = end.live and live

    def _with(self, node: ast.With | ast.AsyncWith, activation: Activation) -> None:
        for item in node.items:
            manager = self._run.eval(item.context_expr, activation)
            entered = UNKNOWN_VALUE
            if isinstance(manager.target, Instance):
                enter = self._run.attributes.attribute(manager, "__enter__", activation)
                entered = self._run.calls.apply(enter, Arguments(), activation)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, entered, activation)
            if isinstance(manager.target, Instance):
                leave = self._run.attributes.attribute(manager, "__exit__", activation)
                self._run.calls.apply(leave, Arguments((NONE_VALUE, NONE_VALUE, NONE_VALUE)), activation)
        self.run(node.body, activation)

    def _match(self, node: ast.Match, activation: Activation) -> None:
        subject = self._run.eval(node.subject, activation)
        before, ends = activation.state, [activation.state.copy()]
        for case in node.cases:
            activation.state = before.copy()
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, ast.MatchAs | ast.MatchStar) and pattern.name:
                    activation.state.names[pattern.name] = unknown_from(subject)
            if case.guard is not None:
                self._run.eval(case.guard, activation)
            self.run(case.body, activation)
            ends.append(activation.state)
        activation.state = before
        before.become(*ends)

    def _return(self, node: ast.Return, activation: Activation) -> None:
        value = self._run.eval(node.value, activation) if node.value is not None else NONE_VALUE
        activation.returns.append((value, State({}, activation.state.attributes.copy())))
        activation.state.live = False

    def _raise(self, node: ast.Raise, activation: Activation) -> None:
        """End the path. What is raised is not evaluated: Dynamo gets there only if the program fails anyway."""
        activation.state.live = False

    def _error(self, node: ast.Raise, activation: Activation) -> None:
        """Evaluate what is raised under a test of a tensor: a fix may compute it. No rule is asked about it."""
        outer, activation.state.dormant = activation.state.dormant, True
        for argument in node.exc.args if isinstance(node.exc, ast.Call) else ():
            self._run.eval(argument, activation)
        activation.state.dormant = outer

    def _assert(self, node: ast.Assert, activation: Activation) -> None:
        if activation.mode == SILENT:
            return
        self._run.eval(node.test, activation)
        if node.msg is not None:
            self._run.eval(node.msg, activation)
        narrow.narrow(self._run, node.test, activation, True)

    # Definitions

    def _expression(self, node: ast.Expr, activation: Activation) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if activation.mode == SILENT and isinstance(node.value, ast.Call) and _only_calls(node.value):
            return
        self._run.eval(node.value, activation)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, activation: Activation) -> None:
        function = self._run.closure(node, activation)
        activation.state.names[node.name] = Value(FUNCTION, target=function)
        activation.state.names[node.name] = self._run.calls.decorated(function, activation)

    def _class(self, node: ast.ClassDef, activation: Activation) -> None:
        definition = ClassDef(node, activation.module, node.name, activation.state.names)
        activation.state.names[node.name] = Value(FUNCTION, target=definition)

    def _import(self, node: ast.Import | ast.ImportFrom, activation: Activation) -> None:
        for name, imported in imported_names(node):
            activation.state.names[name] = self._run.scope.imported(imported, activation.module)


def _only_calls(node: ast.Call) -> bool:
    """True for `self.prepare()`. What such a method stores is found when the attribute is asked for."""
    match node.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name not in STORING_METHODS
        case ast.Name(id=name):
            return name not in {"setattr", "compile"}
    return False


def with_item(old: Value, key: Value, value: Value) -> Value:
    """A container after `old[key] = value`."""
    if old.keys is not None and old.items is not None and key.const is not MISSING and len(old.keys) < 64:
        table = dict(zip(old.keys, old.items, strict=True)) | {key.const: value}
        return container(tuple(table.values()), tuple(table))._replace(name=old.name)
    if old.items == () and old.keys is None and key.const is not MISSING and old.name == "builtins.dict":
        return container((value,), (key.const,))
    return old._replace(items=None, keys=None, const=MISSING, element=join_optional(old.element, value))
