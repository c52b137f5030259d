"""Finding compile sites: the code that hands something to torch.compile is run, and what it hands over is entered."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from typing import Final

from graphmend_lint.entering import Entering
from graphmend_lint.facts.interpreter import Activation, Interpreter
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.sites import Compiled, CompileSite, is_spelled_out, reach
from graphmend_lint.facts.state import State
from graphmend_lint.facts.values import Value
from graphmend_lint.headers import may_compile
from graphmend_lint.project import ClassDef, FunctionDef, FunctionNode, Imported, Module, own_nodes

COMPILE_NAMES: Final = frozenset({"compile", "export", "optimize", "draft_export"})


class Compiling:
    """The compile sites of a program, and the entry points that the settings name."""

    def __init__(self, interpreter: Interpreter, entering: Entering) -> None:
        self.interpreter = interpreter
        self._entering = entering
        self._sites: list[tuple[Compiled, list[FunctionNode]]] = []  #: and the functions that it enters
        self._asked: list[FunctionNode] = []  #: entry points that the settings name

    def look(self, module: Module) -> bool:
        """Run the code that calls torch.compile and its like, silently, and enter what it hands over.

        True if something is handed over here.
        """
        if not module.source.may_compile:
            return False
        interpreter, words = self.interpreter, _compile_words(module)
        for function, owner in _functions(module):
            if any(_mentions(decorator, words) for decorator in function.decorators):
                interpreter.calls.decorated(function)
            if may_compile(function.text) and any(
                isinstance(n, ast.Call) and _mentions(n.func, words) for n in own_nodes(function.node)
            ):
                self._run_silently(function, owner)
        interpreter.statements.run(
            [statement for statement in module.source.tree.body if _names_one(statement, module, words)],
            interpreter.top(module),
        )
        compiled, interpreter.compiled = interpreter.compiled, []
        for each in compiled:
            self._sites.append((each, self._compiled(each.value)))
        return bool(compiled)

    def sites(self) -> Iterator[tuple[Module, CompileSite]]:
        """The places where something with known code is compiled, each once."""
        met: set[ast.expr] = set()
        for each, entries in self._sites:
            if entries and each.node not in met and each.module.path in self.interpreter.tables:
                met.add(each.node)
                functions = reach(entries, self.interpreter.edges or set())
                yield each.module, CompileSite(each.node, is_spelled_out(each.node, each.module), each.whole, functions)

    def _run_silently(self, function: FunctionDef, owner: ClassDef | None) -> None:
        receiver = self.interpreter.classes.outside(owner) if owner is not None else None
        positional = (receiver,) if receiver is not None else ()
        top = Activation(function.module, State({}, {}))
        self.interpreter.call(function, Arguments(positional, open=True), top, receiver)

    def _compiled(self, value: Value) -> list[FunctionNode]:
        """Follow what is compiled, and say which functions that enters."""
        if isinstance(value.target, FunctionDef):
            self._entering.enter(value, value.target, value.receiver)
            return [value.target.node]
        if isinstance(value.target, Instance):
            for name in ("__call__", "forward"):
                method = self.interpreter.classes.find(value.target.cls, name)
                if isinstance(method, FunctionDef):
                    bound = self.interpreter.calls.decorated(method)._replace(receiver=value)
                    self._entering.enter(bound, method, value)
                    return [each.node for each in (method, bound.target) if isinstance(each, FunctionDef)]
        return []

    def name(self, module: Module, qualified: str) -> None:
        """Enter the function or class of a module that the settings name."""
        first, _, rest = qualified.partition(".")
        value = self.interpreter.scope.member(module, first)
        if isinstance(value.target, ClassDef):
            method = self.interpreter.classes.find(value.target, rest or "forward")
            if isinstance(method, FunctionDef):
                self._asked.append(method.node)
                self._entering.method(value.target, method)
        elif isinstance(value.target, FunctionDef):
            self._asked.append(value.target.node)
            self._entering.enter(value, value.target, None)

    def whole(self) -> frozenset[FunctionNode]:
        """Functions that are compiled with `fullgraph=True`, and not otherwise as well."""
        edges = self.interpreter.edges or set()
        yes = [node for each, entries in self._sites if each.whole for node in entries]
        no = [node for each, entries in self._sites if not each.whole for node in entries]
        return reach(yes, edges) - reach([*no, *self._asked], edges) if yes else frozenset()

    def reached(self) -> set[Module]:
        """The modules that hold a site or something that is reached from one."""
        entered = {node for _, entries in self._sites for node in entries} | set(self._asked)
        functions = reach(entered, self.interpreter.edges or set())
        modules = self.interpreter.project.linted
        found = {each for each in modules if not functions.isdisjoint(self.interpreter.tables[each.path].functions)}
        return found | {compiled.module for compiled, _ in self._sites}


def _functions(module: Module) -> Iterator[tuple[FunctionDef, ClassDef | None]]:
    """The functions of a module's top level, and the methods of its classes, each with the class or None."""
    for binding in chain.from_iterable(module.names.values()):
        if isinstance(binding, FunctionDef):
            yield binding, None
        elif isinstance(binding, ClassDef):
            yield from ((each, binding) for each in binding.members.values() if isinstance(each, FunctionDef))


def _names_one(statement: ast.stmt, module: Module, words: frozenset[str]) -> bool:
    """True for a statement of a module's top level that names one of `words`. Other names are looked up as needed."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    text = module.text_between(statement.lineno, statement.end_lineno or statement.lineno)
    return any(word in text for word in words)


def _compile_words(module: Module) -> frozenset[str]:
    """Names by which a module calls torch.compile and its like: their own, and what it has made of them."""
    words = COMPILE_NAMES
    for name, bindings in module.names.items():
        for binding in bindings:
            imported = isinstance(binding, Imported) and binding.name in COMPILE_NAMES
            if imported or (isinstance(binding, ast.Call) and _mentions(binding, COMPILE_NAMES)):
                words |= {name}
    return words


def _mentions(node: ast.expr, words: frozenset[str]) -> bool:
    while isinstance(node, ast.Attribute):
        if node.attr in words:
            return True
        node = node.value
    if isinstance(node, ast.Name):
        return node.id in words
    named = (child for child in ast.walk(node) if isinstance(child, ast.Attribute | ast.Name))
    return any((each.attr if isinstance(each, ast.Attribute) else each.id) in words for each in named)
