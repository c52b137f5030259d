"""Runs functions on bounds of what their tensors hold, up to the expression that is asked for.

What is not followed may be anything: loops give their names any value, and a change in place any element.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.project import ClassDef, FunctionDef, Module
from graphmend_lint.rewrite import bounds
from graphmend_lint.rewrite.bounded_calls import applied, called_method, parameters_of
from graphmend_lint.rewrite.bounds import ANY, BOOLS, FINFO, HUGE, NONE, TRUE, Bounds, Known, Several, union
from graphmend_lint.rewrite.rowwise_calls import imports
from graphmend_lint.rewrite.special_methods import run_by_store
from graphmend_lint.shapes import dotted, names_bound, told_to_change
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 5  #: calls inside calls that are looked into


@dataclass
class Frame:
    """One run of one function."""

    names: dict[str, Known]
    module: Module | None = None  #: of a function in another file
    owner: ClassDef | None = None
    returns: list[Known] = field(default_factory=list)
    live: bool = True

    def copy(self) -> Frame:
        return Frame(dict(self.names), self.module, self.owner, self.returns, self.live)

    def become(self, arms: list[Frame]) -> None:
        """Replace this frame by what holds if control comes from any of these."""
        live = [each for each in arms if each.live]
        self.live = bool(live)
        if live:
            first, *others = live
            for other in others:
                keys = first.names.keys() | other.names.keys()
                first.names = {name: union(first.names.get(name, ANY), other.names.get(name, ANY)) for name in keys}
            self.names = first.names

    def forget(self, names: Iterable[str]) -> None:
        self.names.update(dict.fromkeys(names, ANY))


class Bounded:
    """One run, from a function whose parameters are known in part."""

    def __init__(self, facts: Facts, watched: ast.expr) -> None:
        self.facts = facts
        self.watched = watched
        self.seen: list[Known] = []  #: what the watched expression was
        self.passed: list[dict[str, Known]] = []  #: what it passes, if it is a call, by parameter
        self.entered: set[str] = set()  #: methods that were looked into, and functions that were not
        self.depth = 0
        self.changes = 0
        self._imports: dict[Module | None, dict[str, str]] = {None: imports(facts.source.tree)}

    def run(self, function: ast.FunctionDef, names: dict[str, Known]) -> None:
        """Run a function of this file up to the statement that holds what is watched."""
        row = self.watched.lineno
        last = next((i for i, each in enumerate(function.body) if (each.end_lineno or 0) >= row), len(function.body))
        self.block(function.body[: last + 1], Frame(names))

    # Statements

    def block(self, statements: Iterable[ast.stmt], frame: Frame) -> None:
        for statement in statements:
            if not frame.live:
                return
            self._statement(statement, frame)

    def _statement(self, statement: ast.stmt, frame: Frame) -> None:
        """Run one statement."""
        match statement:
            case ast.If(test=test, body=body, orelse=orelse):
                self._branch(test, body, orelse, frame)
            case ast.For() | ast.While() | ast.AsyncFor():
                self._loop(statement, frame)
            case ast.With(body=body):
                self._header([each.context_expr for each in statement.items], frame)
                frame.forget(names_bound([each.optional_vars for each in statement.items if each.optional_vars]))
                self.block(body, frame)
            case ast.Try() | ast.Match() | ast.FunctionDef() | ast.ClassDef():
                self._unknown(statement, frame)
            case ast.Return(value=value):
                self.changes += value is not None and changes_in_place(value)
                frame.returns.append(NONE if value is None else self.eval(value, frame))
                frame.live = False
            case ast.Raise() | ast.Continue() | ast.Break():
                frame.live = False
            case _:
                self._plain(statement, frame)

    def _plain(self, statement: ast.stmt, frame: Frame) -> None:
        """Run a statement without a block: an assignment, a call, and the like."""
        before = self.changes
        computed = statement_value(statement)
        value = ANY if computed is None else self.eval(computed, frame)
        bound = names_bound([statement])
        match statement:
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                frame.forget(bound)
                self._bind(target, value, frame)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op):
                old = self.eval(target, frame)
                both = isinstance(old, Bounds) and old.is_number
                frame.names[name] = bounds.computed(op, old, value) if both else ANY
                self.changes += not both
            case _:
                frame.forget(bound)
        self.changes += changes_in_place(statement)
        if self.changes > before:
            self._doubt(frame)

    def _bind(self, target: ast.expr, value: Known, frame: Frame) -> None:
        match target:
            case ast.Name(id=name):
                frame.names[name] = value
            case ast.Attribute() if any(True for _ in run_by_store(target, target.value, self.facts)):
                self.changes += 1
                self._doubt(frame)
            case ast.Tuple(elts=elements) if isinstance(value, Several) and len(value.items) == len(elements):
                for each, part in zip(elements, value.items, strict=True):
                    self._bind(each, part, frame)

    def _doubt(self, frame: Frame) -> None:
        """Forget every value that may have been changed in place under another name."""
        kept = {name: each for name, each in frame.names.items() if _is_fixed(each)}
        frame.names = kept

    def _header(self, nodes: list[ast.expr], frame: Frame) -> None:
        for each in nodes:
            self.eval(each, frame)
            if changes_in_place(each):
                self.changes += 1
                self._doubt(frame)

    def _branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], frame: Frame) -> None:
        truth = self._decided(test, frame)
        if changes_in_place(test):
            self.changes += 1
            self._doubt(frame)
        arms = [frame.copy(), frame.copy()]
        if truth is not False:
            self.block(body, arms[0])
        if truth is not True:
            self.block(orelse, arms[1])
        frame.become(arms if truth is None else [arms[not truth]])

    def _loop(self, statement: ast.For | ast.While | ast.AsyncFor, frame: Frame) -> None:
        """Run a loop. The names that it sets may hold anything, at the start of a turn and after the loop."""
        if changes_in_place(statement):
            self.changes += 1
            self._doubt(frame)
        bound = names_bound([statement])
        frame.forget(bound)
        inner = frame.copy()
        self.block(statement.body, inner)
        self.block(statement.orelse, inner)
        frame.forget(bound)

    def _unknown(self, statement: ast.stmt, frame: Frame) -> None:
        frame.forget(names_bound([statement]))
        if changes_in_place(statement):
            self.changes += 1
            self._doubt(frame)
        if any(isinstance(each, ast.Return) for each in walk(statement)):
            frame.returns.append(ANY)

    # Expressions

    def eval(self, node: ast.expr, frame: Frame) -> Known:
        value = self._value(node, frame)
        if node is self.watched:
            self.seen.append(value)
        return value

    def _value(self, node: ast.expr, frame: Frame) -> Known:
        """The value of an expression, by its syntax; ANY for what is not followed."""
        match node:
            case ast.Constant(value=value):
                return bounds.number(value)
            case ast.Name(id=name):
                return frame.names.get(name, ANY)
            case ast.Attribute(value=value, attr=attr):
                return self._attribute(self.eval(value, frame), attr)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self.eval(value, frame), index)
            case ast.BinOp(left=left, op=op, right=right):
                return bounds.computed(op, self.eval(left, frame), self.eval(right, frame))
            case ast.UnaryOp(op=op, operand=operand):
                return bounds.negated(op, self.eval(operand, frame))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return bounds.compared(op, self.eval(left, frame), self.eval(right, frame))
            case ast.BoolOp():
                truth = self._decided(node, frame)
                return ANY if truth is None else bounds.number(truth)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                truth = self._decided(test, frame)
                if truth is not None:
                    return self.eval(body if truth else orelse, frame)
                return union(self.eval(body, frame), self.eval(orelse, frame))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return Several(tuple(self.eval(each, frame) for each in elements))
            case ast.Call():
                return self._call(node, frame)
        return ANY

    def _decided(self, test: ast.expr, frame: Frame) -> bool | None:
        """The truth of a test; None if it is not certain."""
        if isinstance(test, ast.BoolOp):
            found = [self._decided(each, frame) for each in test.values]
            stop = isinstance(test.op, ast.Or)
            return stop if stop in found else None if None in found else not stop
        value = self.eval(test, frame)
        if value == NONE:
            return False
        if not isinstance(value, Bounds):
            return None
        truth = bounds.truth(value)
        return None if truth == BOOLS else truth == TRUE

    @staticmethod
    def _attribute(owner: Known, attr: str) -> Known:
        if owner == FINFO and attr in ("min", "max"):
            return Bounds(-HUGE, -1, False, True, True) if attr == "min" else Bounds(1, HUGE, False, True, True)
        return owner if attr in ("T", "mT", "data") and isinstance(owner, Bounds) else ANY

    @staticmethod
    def _subscript(owner: Known, index: ast.expr) -> Known:
        """The bounds of `x[...]`: whatever the index, those of the tensor's elements."""
        if isinstance(owner, Several):
            at = index.value if isinstance(index, ast.Constant) and isinstance(index.value, int) else None
            return owner.items[at] if at is not None and at < len(owner.items) else ANY
        return owner if isinstance(owner, Bounds) and not owner.is_number else ANY

    # Calls

    def _call(self, node: ast.Call, frame: Frame) -> Known:
        """The value of a call: of a function of the program, of torch or of Python, in this order."""
        if any(isinstance(each, ast.Starred) for each in node.args) or any(word.arg is None for word in node.keywords):
            return ANY
        given = [self.eval(each, frame) for each in node.args]
        words = {word.arg or "": self.eval(word.value, frame) for word in node.keywords}
        function = self._function(node.func, frame)
        if node is self.watched and function is not None:
            self.passed.append(parameters_of(function.node, given, words, bound=self._is_bound(node, function)))
        elif function is not None:
            before = self.changes
            value = self._enter(function, node, given, words)
            if self.changes > before:
                self._doubt(frame)
            return value
        first, _, rest = (dotted(node.func) or "").partition(".")
        known = self._known(frame).get(first)
        if known is not None:
            return applied(f"{known}.{rest}" if rest else known, given, words, node)
        if isinstance(node.func, ast.Name) and (value := called_builtin(node.func.id, given)) != ANY:
            return value
        if isinstance(node.func, ast.Attribute):
            owner = self.eval(node.func.value, frame)
            value = called_method(node.func.attr, owner, given, words, node)
            if owner != ANY or value != ANY:
                return value
        return self._trusted(node) if node is not self.watched and _has_tensor(given, words) else ANY

    def _trusted(self, node: ast.Call) -> Known:
        """The value of a call that is not looked into. Users are told that it must not change its arguments."""
        self.entered.add((dotted(node.func) or "a function").rpartition(".")[2])
        return ANY

    def _known(self, frame: Frame) -> dict[str, str]:
        if frame.module not in self._imports:
            assert frame.module is not None
            self._imports[frame.module] = imports(frame.module.source.tree)
        return self._imports[frame.module]

    def _function(self, node: ast.expr, frame: Frame) -> FunctionDef | None:
        """The function of the program that is called; None if it is not known, which is likelier in other files."""
        if frame.module is None:
            target = self.facts.value(node).target
            if hasattr(target, "cls") and node is getattr(self.watched, "func", None):
                target = target.cls.members.get("forward")
            return target if isinstance(target, FunctionDef) else None
        found: object = None
        match node:
            case ast.Name(id=name):
                found = frame.module.names.get(name, [None])[-1]
            case ast.Attribute(value=ast.Name(id="self"), attr=attr) if frame.owner is not None:
                found = frame.owner.members.get(attr)
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                cls = frame.module.names.get(name, [None])[-1]
                found = cls.members.get(attr) if isinstance(cls, ClassDef) else None
        return found if isinstance(found, FunctionDef) else None

    @staticmethod
    def _is_bound(node: ast.Call, function: FunctionDef) -> bool:
        """True for a bound method: its first parameter is not among the arguments."""
        if function.owner is None or "staticmethod" in function.decorator_names:
            return False
        name = dotted(node.func) or ""
        return not name.startswith(f"{function.owner.name}.")

    def _enter(self, function: FunctionDef, node: ast.Call, given: list[Known], words: dict[str, Known]) -> Known:
        """What a function returns; it is only looked into if it is given something that is known."""
        if not _has_tensor(given, words):
            return ANY
        plain = not function.is_generator and not function.decorator_names - {"staticmethod", "classmethod", "no_grad"}
        if self.depth >= DEPTH or not isinstance(function.node, ast.FunctionDef) or not plain:
            return self._trusted(node)
        self.depth += 1
        names = parameters_of(function.node, given, words, bound=self._is_bound(node, function))
        is_here = function.module.path.absolute() == self.facts.source.path.absolute()
        frame = Frame(names, None if is_here else function.module, function.owner)
        if function.owner is not None:
            self.entered.add(function.node.name)
        self.block(function.node.body, frame)
        self.depth -= 1
        return bounds.all_of([*frame.returns, *([NONE] if frame.live else [])])


def _has_tensor(given: list[Known], words: dict[str, Known]) -> bool:
    return any(isinstance(each, Bounds) and not each.is_number for each in (*given, *words.values()))


def called_builtin(name: str, given: list[Known]) -> Known:
    if name in ("bool", "int", "float") and len(given) == 1 and isinstance(value := given[0], Bounds):
        return bounds.truth(value)._replace(is_number=True) if name == "bool" else value._replace(is_number=True)
    return ANY


def statement_value(statement: ast.stmt) -> ast.expr | None:
    """What the statement computes."""
    value = getattr(statement, "value", getattr(statement, "test", None))
    return value if isinstance(value, ast.expr) else None


def changes_in_place(node: ast.AST) -> bool:
    """True if the node, or an expression inside it, changes something in place that may be a tensor."""
    for each in walk(node):
        match each:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.AugAssign(target=ast.Attribute()):
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name.endswith("_") and not name.endswith("__"):
                return True
            case ast.keyword(arg="out"):
                return True
            case ast.Call() if told_to_change(each) is not None:
                return True
    return False


def _is_fixed(value: Known) -> bool:
    return value == NONE or (isinstance(value, Bounds) and value.is_number)
