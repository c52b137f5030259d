"""Regions: which code Dynamo will trace, from its entry points on, and what is known about it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphmend_lint.beginnings import Beginnings
from graphmend_lint.budget import part
from graphmend_lint.entering import Entering
from graphmend_lint.facts import Facts
from graphmend_lint.facts.interpreter import Interpreter
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import Value
from graphmend_lint.project import ClassDef, FunctionDef, Module, Project
from graphmend_lint.source import Source
from graphmend_lint.turns import turns

if TYPE_CHECKING:
    from graphmend_lint.compiling import Compiling
    from graphmend_lint.memory import Memory

MODULES: Final = "modules"  #: `forward` of every nn.Module, and every compile site
EXPLICIT: Final = "explicit"  #: compile sites only
MIN_RECURSION: Final = 12_000  #: the interpreter recurses with the call depth of the code it reads


def analyse(
    sources: Sequence[Source],
    entry_points: str | tuple[str, ...] = MODULES,
    witness: Callable[[Project], object] | None = None,
    trouble: list[str] | None = None,
) -> dict[Path, Facts]:
    """Regions and facts of all files together, by path; for the arguments see `final_facts`."""
    found = {facts.source.path: facts for facts in final_facts(sources, entry_points, witness, trouble)}
    return {source.path: found[source.path] for source in sources}


def final_facts(
    sources: Sequence[Source],
    entry_points: str | tuple[str, ...] = MODULES,
    witness: Callable[[Project], object] | None = None,
    trouble: list[str] | None = None,
    brief: Container[Path] | None = None,
) -> Iterator[Facts]:
    """The facts of each file, as soon as nothing more is going to be known about it.

    `entry_points` is "modules", "explicit", or qualified names ("pkg.mod:Class.method") to add to compile sites.
    `witness` is given the project, which knows what else was read. An entry point that cannot be followed is a line in
    `trouble`, and the others are; without such a list, what it raises goes on. `brief` says which files may define
    module classes, and that of facts, trees and texts nothing is asked for once the next facts are.
    """
    project = Project(sources)
    if witness:
        witness(project)
    steps = Regions(project, trouble, brief).follow(entry_points)
    while (facts := _deeply(steps)) is not None:
        yield facts


def _deeply(steps: Iterator[Facts]) -> Facts | None:
    """The next of these facts; the interpreter may recurse as deeply as it needs on the way."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MIN_RECURSION))
    try:
        return next(steps, None)
    finally:
        sys.setrecursionlimit(limit)


class Regions:
    """Finds entry points and follows each of them."""

    def __init__(self, project: Project, trouble: list[str] | None, brief: Container[Path] | None) -> None:
        self.interpreter = Interpreter(project)
        self.trouble = trouble
        self._project = project
        self._brief = brief
        self._linted = frozenset(project.linted)
        self._memory = _memory(self.interpreter) if brief is not None else None
        self._entering = Entering(self.interpreter, trouble)
        self._compiling: Compiling | None = None
        self._unseen: dict[Module, None] = {}  #: modules whose entry points have not been looked for
        self._early: dict[tuple[FunctionDef, object], ClassDef] = {}  #: entry points that are still to be followed
        self._later: dict[Module, list[tuple[ClassDef, FunctionDef]]] = {}  #: those with unknown parameters

    def follow(self, entry_points: str | tuple[str, ...]) -> Iterator[Facts]:
        """Interpret everything that the entry points reach; yield the facts of each file once they are complete."""
        self._sites(() if isinstance(entry_points, str) else entry_points)
        left = dict.fromkeys(self._project.linted)
        pinned = self.interpreter.watched = self._compiling.reached() if self._compiling else set()
        for module in self._modules() if entry_points == MODULES else ():
            if module in left and module not in pinned:
                del left[module]
                yield self._facts(module)
                self._entering.close(module)
                self.interpreter.close(module)
                if self._memory:
                    self._memory.close(module)
        yield from self._lasting(list(left))

    def _facts(self, module: Module) -> Facts:
        return Facts(module.source, self.interpreter.tables[module.path])

    def _lasting(self, modules: list[Module]) -> Iterator[Facts]:
        """The facts of the files that rules for compile sites may ask about, from whichever file."""
        facts = {module: self._facts(module) for module in modules}
        if self._compiling:
            for module, site in self._compiling.sites():
                facts[module].sites += (site,)
            whole = self._compiling.whole()
            for each in facts.values():
                each.lasting, each.whole = True, whole
        yield from facts.values()

    def _sites(self, names: tuple[str, ...]) -> None:
        """Enter what is compiled, and what the settings name."""
        if not names and not any(module.source.may_compile for module in self._project.linted):
            return
        compiling = self._compiling = _compiling(self.interpreter, self._entering)
        for module in self._project.linted:
            with part(self.trouble, module.path, 1, "calls of the compiler"):
                if not compiling.look(module) and self._memory:
                    self._memory.pass_by([module])
            if module.source.may_compile and self._memory:
                self._memory.tidy()
            self._enter_named(module, names, compiling)

    def _enter_named(self, module: Module, names: tuple[str, ...], compiling: Compiling) -> None:
        for owner, _, qualified in (name.partition(":") for name in names):
            if owner == module.name:
                with part(self.trouble, module.path, 1, qualified):
                    compiling.name(module, qualified)

    def _modules(self) -> Iterator[Module]:
        """Follow every module's `forward`; yield each file once, as far as imports tell, nothing calls it any more.

        A `forward` with unknown parameters is followed last: calls of it may have shown what these are.
        """
        self._unseen = dict.fromkeys(self._holding_modules())
        self.interpreter.enter = self._enter_early
        for module, done in turns(list(self._unseen), self._project):
            self._look_for_entry_points(module)
            self._enter_rest_of_early(module)
            for each in done:
                self._enter_later(each)
            yield from (each for each in done if self._later.pop(each, None) is not None)
            if self._memory:
                self._memory.pass_by(done)

    def _enter_rest_of_early(self, module: Module) -> None:
        """Follow those of a file's `forward` that no call has been met of; following one may meet calls of others."""
        for key in [key for key, cls in self._early.items() if cls.module is module]:
            if key in self._early:
                self._entering.method(self._early.pop(key), key[0])

    def _enter_later(self, module: Module) -> None:
        """Follow those of a file's `forward` with parameters that no call has told the kinds of."""
        for cls, method in self._later.get(module, ()):
            if (method, cls) not in self.interpreter.informed:
                self._entering.method(cls, method)

    def _holding_modules(self) -> list[Module]:
        if self._brief is None:
            return may_hold(self._project)
        return [each for each in self._project.linted if each.path in self._brief]

    def _look_for_entry_points(self, module: Module) -> None:
        """Note the entry points of a file, once.

        In a brief run this is where a file may turn out not to be Python.
        """
        if module not in self._unseen:
            return
        del self._unseen[module]
        later = self._later.setdefault(module, [])
        with part(self.trouble, module.path, 1, "classes"):
            _ = module.source.tree if self._brief is not None else None
            for cls, method in self._forwards(module):
                if self._entering.guesses(method):
                    later.append((cls, method))
                else:
                    self._early[method, self.interpreter.classes.outside(cls).target] = cls

    def _forwards(self, module: Module) -> Iterator[tuple[ClassDef, FunctionDef]]:
        """The module classes of a file and their `forward`."""
        classes = self.interpreter.classes
        for cls in module.classes():
            method = classes.find(cls, "forward") if classes.is_module(cls) else None
            if isinstance(method, FunctionDef) and not self._adds_nothing(cls, method):
                yield cls, method

    def _enter_early(self, method: FunctionDef, receiver: Value) -> None:
        """Follow a module's `forward` when the first call of it is met, so that its summary can answer."""
        if isinstance(receiver.target, Instance):
            self._look_for_entry_points(receiver.target.cls.module)
        cls = self._early.pop((method, receiver.target), None)
        if cls is not None:
            entering, self.interpreter.entering = self.interpreter.entering, None
            self._entering.method(cls, method)
            self.interpreter.entering = entering

    def _adds_nothing(self, cls: ClassDef, method: FunctionDef) -> bool:
        """True if the class inherits its `forward`, and all that this calls, from another linted class."""
        owner = method.owner
        if owner is None or owner is cls or owner.module not in self._linted:
            return False
        return self.interpreter.classes.behaves_like(cls, owner)


def _memory(interpreter: Interpreter) -> Memory:
    from graphmend_lint.memory import Memory  # most runs are over few files

    return Memory(interpreter)


def _compiling(interpreter: Interpreter, entering: Entering) -> Compiling:
    from graphmend_lint.compiling import Compiling  # most files compile nothing themselves

    interpreter.edges = set()
    return Compiling(interpreter, entering)


def may_begin(project: Project) -> list[Module]:
    """The linted files in which a region may begin. The trees of the others are needed only if one of them asks."""
    held = frozenset(may_hold(project))
    return [each for each in project.linted if each.source.may_compile or each in held]


def may_hold(project: Project) -> list[Module]:
    """The linted files that may define a module class."""
    return list(filter(Beginnings(project).hold_modules, project.linted))
