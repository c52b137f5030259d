"""Regions: which code Dynamo will trace, from its entry points on, and what is known about it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from graphmend_lint.beginnings import Beginnings
from graphmend_lint.budget import part
from graphmend_lint.facts import Facts
from graphmend_lint.facts.docstrings import tensors
from graphmend_lint.facts.interpreter import Activation, Interpreter
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.sites import Compiled, CompileSite, is_spelled_out, reach
from graphmend_lint.facts.state import LIVE, PROBE, State
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
from graphmend_lint.headers import may_compile
from graphmend_lint.project import ClassDef, FunctionDef, FunctionNode, Imported, Module, Project, own_nodes
from graphmend_lint.source import Source
from graphmend_lint.syntax import defaults

MODULES: Final = "modules"  #: `forward` of every nn.Module, and every compile site
EXPLICIT: Final = "explicit"  #: compile sites only
COMPILE_NAMES: Final = frozenset({"compile", "export", "optimize", "draft_export"})
MIN_RECURSION: Final = 12_000  #: the interpreter recurses with the call depth of the code it reads


def analyse(
    sources: Sequence[Source],
    entry_points: str | tuple[str, ...] = MODULES,
    witness: Callable[[Project], object] | None = None,
    trouble: list[str] | None = None,
) -> dict[Path, Facts]:
    """Regions and facts of all files together, by path.

    `entry_points` is "modules", "explicit", or qualified names ("pkg.mod:Class.method") to add to compile sites.
    `witness` is given the project, which knows what else was read. An entry point that cannot be followed is a line in
    `trouble`, and the others are; without such a list, what it raises goes on.
    """
    project = Project(sources)
    if witness:
        witness(project)
    regions = Regions(Interpreter(project), trouble)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MIN_RECURSION))
    try:
        regions.trace(project, entry_points)
    finally:
        sys.setrecursionlimit(limit)
    tables = regions.interpreter.tables
    facts = {module.path: Facts(module.source, tables[module.path]) for module in project.linted}
    for module, site in regions.sites():
        facts[module.path].sites += (site,)
    for each in facts.values() if (whole := regions.whole()) else ():
        each.whole = whole
    return facts


class Regions:
    """Finds entry points and follows each of them."""

    def __init__(self, interpreter: Interpreter, trouble: list[str] | None = None) -> None:
        self.interpreter = interpreter
        self.trouble = trouble
        self.linted: set[Module] = set()
        self._sites: list[tuple[Compiled, list[FunctionNode]]] = []  #: and the functions that it enters
        self._asked: list[FunctionNode] = []  #: entry points that the settings name
        self._known: dict[tuple[FunctionDef, bool], dict[str, Value]] = {}  #: parameters of entry points
        self._early: dict[tuple[FunctionDef, object], ClassDef] = {}  #: entry points that are still to be followed

    def trace(self, project: Project, entry_points: str | tuple[str, ...]) -> None:
        """Interpret everything that the entry points reach."""
        self.linted = set(project.linted)
        if any(module.source.may_compile for module in project.linted):
            self.interpreter.edges = set()
        names = () if isinstance(entry_points, str) else entry_points
        for module in project.linted:
            with part(self.trouble, module.path, 1, "calls of the compiler"):
                self._compile_sites(module)
            for name in names:
                owner, _, qualified = name.partition(":")
                if owner == module.name:
                    with part(self.trouble, module.path, 1, qualified):
                        self._named(module, qualified)
        if entry_points == MODULES:
            self._modules(project)

    def _modules(self, project: Project) -> None:
        """Every module's `forward`. Those with unknown parameters come last: calls may have told what they are."""
        later: list[tuple[ClassDef, FunctionDef]] = []
        beginnings = Beginnings(project)
        for module in filter(beginnings.hold_modules, project.linted):
            with part(self.trouble, module.path, 1, "classes"):
                for cls, method in self._forwards(module):
                    if any(value.origin for value in self._parameters(method, UNKNOWN_VALUE).values()):
                        later.append((cls, method))
                    else:
                        self._early[method, self.interpreter.classes.outside(cls).target] = cls
        self.interpreter.enter = self._enter_early
        for (method, instance), cls in list(self._early.items()):
            if (method, instance) in self._early:
                del self._early[method, instance]
                self._method(cls, method)
        for cls, method in later:
            if method not in self.interpreter.informed:
                self._method(cls, method)

    def _forwards(self, module: Module) -> Iterator[tuple[ClassDef, FunctionDef]]:
        """The module classes of a file and their `forward`."""
        for cls in module.classes():
            method = self.interpreter.classes.find(cls, "forward") if self._is_module(cls) else None
            if isinstance(method, FunctionDef) and not self._adds_nothing(cls, method):
                yield cls, method

    def _enter_early(self, method: FunctionDef, receiver: Value) -> None:
        """Follow a module's `forward` when the first call of it is met, so that its summary can answer."""
        cls = self._early.pop((method, receiver.target), None)
        if cls is not None:
            entering, self.interpreter.entering = self.interpreter.entering, None
            self._method(cls, method)
            self.interpreter.entering = entering

    def _adds_nothing(self, cls: ClassDef, method: FunctionDef) -> bool:
        """True if another linted class's `forward` is inherited, and all that it calls with it."""
        owner = method.owner
        if owner is None or owner is cls or owner.module not in self.linted:
            return False
        return self.interpreter.classes.behaves_like(cls, owner)

    def _is_module(self, cls: ClassDef) -> bool:
        return self.interpreter.classes.is_module(cls)

    def whole(self) -> frozenset[FunctionNode]:
        """Functions that are compiled with `fullgraph=True`, and not otherwise as well."""
        edges = self.interpreter.edges or set()
        yes = [node for each, entries in self._sites if each.whole for node in entries]
        no = [node for each, entries in self._sites if not each.whole for node in entries]
        return reach(yes, edges) - reach([*no, *self._asked], edges) if yes else frozenset()

    # Entry points

    def _method(self, cls: ClassDef, method: FunctionDef) -> None:
        with part(self.trouble, method.module.path, method.node.lineno, method.name):
            receiver = self.interpreter.classes.outside(cls)
            function = self.interpreter.calls.decorated(method)._replace(receiver=receiver)
            self._enter(function, method, receiver)

    def _named(self, module: Module, qualified: str) -> None:
        first, _, rest = qualified.partition(".")
        value = self.interpreter.scope.member(module, first)
        if isinstance(value.target, ClassDef):
            method = self.interpreter.classes.find(value.target, rest or "forward")
            if isinstance(method, FunctionDef):
                self._asked.append(method.node)
                self._method(value.target, method)
        elif isinstance(value.target, FunctionDef):
            self._asked.append(value.target.node)
            self._enter(value, value.target, None)

    def _compile_sites(self, module: Module) -> None:
        """Run the code that calls torch.compile and its like, silently, and enter what it hands over."""
        if not module.source.may_compile:
            return
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

    def sites(self) -> Iterator[tuple[Module, CompileSite]]:
        """The places where something is compiled whose code is known, each once."""
        met: set[ast.expr] = set()
        for each, entries in self._sites:
            if entries and each.node not in met and each.module in self.linted:
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
            self._enter(value, value.target, value.receiver)
            return [value.target.node]
        if isinstance(value.target, Instance):
            for name in ("__call__", "forward"):
                method = self.interpreter.classes.find(value.target.cls, name)
                if isinstance(method, FunctionDef):
                    bound = self.interpreter.calls.decorated(method)._replace(receiver=value)
                    self._enter(bound, method, value)
                    return [each.node for each in (method, bound.target) if isinstance(each, FunctionDef)]
        return []

    # Entering

    def _enter(self, function: Value, raw: FunctionDef, receiver: Value | None) -> None:
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
        if key not in self._known:
            self._known[key] = self._read_parameters(function, receiver)
        return self._known[key]

    def _read_parameters(self, function: FunctionDef, receiver: Value | None) -> dict[str, Value]:
        signature, found = function.node.args, dict[str, Value]()
        arguments = [*signature.posonlyargs, *signature.args]
        given = defaults(signature)
        for argument in (*arguments[receiver is not None :], *signature.kwonlyargs):
            found[argument.arg] = self._parameter(argument, given.get(argument.arg), function)
        return found

    def _parameter(self, argument: ast.arg, default: ast.expr | None, function: FunctionDef) -> Value:
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


def _functions(module: Module) -> Iterator[tuple[FunctionDef, ClassDef | None]]:
    for bindings in module.names.values():
        for binding in bindings:
            if isinstance(binding, FunctionDef):
                yield binding, None
            elif isinstance(binding, ClassDef):
                for member in binding.members.values():
                    if isinstance(member, FunctionDef):
                        yield member, binding


def may_begin(project: Project) -> list[Module]:
    """The linted files in which a region may begin. The trees of the others are needed only if one of them asks."""
    beginnings = Beginnings(project)
    return [each for each in project.linted if each.source.may_compile or beginnings.hold_modules(each)]


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
