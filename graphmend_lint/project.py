"""The files being linted as one program: modules, imports, classes and functions, resolved on demand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from graphmend_lint.headers import stored_names
from graphmend_lint.places import Places
from graphmend_lint.source import Source, SourceError
from graphmend_lint.syntax import children

GLOBAL: Final = r"(?m)^[ \t]+global[ \t]+([\w, \t]+)$"
NO_NAMES: Final[dict[str, Any]] = {}
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Place = tuple[type[ast.AST], int, int]


class Missing:
    """Stands for the node of a definition whose tree was let go of: the file is parsed again to find it."""

    def __get__(self, definition: FunctionDef | ClassDef | None, owner: type) -> object:
        if definition is None:
            return self
        node = vars(definition)["node"] = definition.module.node_at(definition.place)
        return node


class FunctionDef:
    """A function, method, closure or lambda."""

    def __init__(
        self,
        node: FunctionNode,
        module: Module,
        name: str,
        owner: ClassDef | None = None,
        closure: dict[str, Any] | None = None,
    ) -> None:
        self.node = node
        self.module = module
        self.name = name  #: qualified inside its module: "Layer.forward"
        self.owner = owner
        self.closure = NO_NAMES if closure is None else closure  #: names of the enclosing function
        self.place: Place | None = None  #: where the node stands, once the module has let it go

    if TYPE_CHECKING:
        node: FunctionNode
    else:
        node = Missing()

    @cached_property
    def is_generator(self) -> bool:
        if not self.module.may_yield or "yield" not in self.text:
            return False
        return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(self.node))

    @property
    def text(self) -> str:
        """The lines that the function stands on, decorators included: a quick test before its tree is walked."""
        first = min((each.lineno for each in self.decorators), default=self.node.lineno)
        return self.module.text_between(min(first, self.node.lineno), self.node.end_lineno or self.node.lineno)

    @cached_property
    def decorator_names(self) -> frozenset[str]:
        """Last parts of the decorators' names, as written: "property", "staticmethod"."""
        called = [node.func if isinstance(node, ast.Call) else node for node in self.decorators]
        return frozenset(
            node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            for node in called
        )

    @property
    def decorators(self) -> list[ast.expr]:
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


class ClassDef:
    """A class; `bases` are resolved when first asked for."""

    def __init__(self, node: ast.ClassDef, module: Module, name: str, closure: dict[str, Any] | None = None) -> None:
        self.node = node
        self.module = module
        self.name = name
        self.closure = NO_NAMES if closure is None else closure
        self.place: Place | None = None

    if TYPE_CHECKING:
        node: ast.ClassDef
    else:
        node = Missing()

    @cached_property
    def members(self) -> dict[str, FunctionDef | ClassDef | ast.expr]:
        """Methods, classes in the class, and the values of its attributes, by name; the last definition wins."""
        found: dict[str, FunctionDef | ClassDef | ast.expr] = {}
        for statement in flat(self.node.body):
            match statement:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if not _redefines_property(statement):
                        found[name] = FunctionDef(statement, self.module, f"{self.name}.{name}", self, self.closure)
                case ast.ClassDef(name=name):
                    found[name] = ClassDef(statement, self.module, f"{self.name}.{name}", self.closure)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    found[name] = value
        return found

    @cached_property
    def fields(self) -> dict[str, ast.AnnAssign]:
        """Annotated class-level names in order: the fields, if this is a dataclass or named tuple."""
        return {
            statement.target.id: statement
            for statement in self.node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        }

    @cached_property
    def stores(self) -> dict[str, set[str]]:
        """Attribute name -> methods whose text looks as if they stored it on `self`."""
        found: dict[str, set[str]] = {}
        for name, member in self.members.items():
            if isinstance(member, FunctionDef):
                for attribute in stored_names(member.text):
                    found.setdefault(attribute, set()).add(name)
        return found


def _place(node: ast.expr | ast.stmt) -> Place:
    return type(node), node.lineno, node.col_offset


def _redefines_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr in {"setter", "deleter"} for d in node.decorator_list)


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module or class, and those inside its `if`, `try` and `with` blocks."""
    for statement in body:
        match statement:
            case ast.If():
                yield from flat(statement.body)
                yield from flat(statement.orelse)
            case ast.Try():
                yield from flat(statement.body)
                for handler in statement.handlers:
                    yield from flat(handler.body)
                yield from flat(statement.orelse)
                yield from flat(statement.finalbody)
            case ast.With():
                yield from flat(statement.body)
            case _:
                yield statement


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes below a function, without those of functions and classes nested in it."""
    stack = children(node)
    while stack:
        child = stack.pop()
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack += children(child)


class Imported(NamedTuple):
    """A name bound by an import: the module, and the name in it (None: the module itself)."""

    module: str
    level: int
    name: str | None


Binding = FunctionDef | ClassDef | Imported | ast.expr


@dataclass(eq=False, repr=False)
class Module:
    """A file as a module of the program."""

    source: Source
    name: str  #: dotted, from the outermost folder that is a package
    is_package: bool

    @property
    def path(self) -> Path:
        return self.source.path

    @cached_property
    def names(self) -> dict[str, list[Binding]]:
        """Every binding of every top-level name, in order."""
        found: dict[str, list[Binding]] = {}
        for statement in flat(self._body):
            for name, binding in self._bindings(statement):
                found.setdefault(name, []).append(binding)
        return found

    def may_define(self, name: str) -> bool:
        """False if the name does not stand in the text."""
        return "names" in vars(self) or self.source.mentions(name)

    @cached_property
    def stars(self) -> list[Imported]:
        """The `from x import *` of this module."""
        if not self.source.has_star:
            return []
        return [
            Imported(node.module or "", node.level, None)
            for node in flat(self._body)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        ]

    @cached_property
    def _body(self) -> list[ast.stmt]:
        """The statements; none of a file that another one imports and that is not Python."""
        try:
            return self.source.tree.body
        except SourceError:
            return []

    def let_go(self) -> None:
        """Forget text and tree until somebody asks again."""
        for definition in self._definitions():
            if definition.place is None:
                definition.place = _place(definition.node)
            with suppress(AttributeError):  # it is not there any more
                del definition.node
            if isinstance(definition, ClassDef):
                for name in ("stores", "fields"):
                    vars(definition).pop(name, None)
        self.source.let_go()
        for name in ("_body", "_by_place"):
            vars(self).pop(name, None)

    def node_at(self, place: Place | None) -> ast.AST | None:
        """The definition at a place of the file, parsing the file again if need be; None if there is none."""
        return self._by_place.get(place)

    @cached_property
    def _by_place(self) -> dict[Place | None, ast.AST]:
        found: dict[Place | None, ast.AST] = {}
        left = list(flat(self.source.tree.body))
        while left:
            node = left.pop()
            found[_place(node)] = node
            left += flat(node.body) if isinstance(node, ast.ClassDef) else ()
        return found

    def _definitions(self) -> Iterator[FunctionDef | ClassDef]:
        """What is defined at the top level and in its classes, as far as somebody has asked."""
        left = [each for bindings in vars(self).get("names", {}).values() for each in bindings]
        while left:
            each = left.pop()
            if isinstance(each, FunctionDef | ClassDef):
                yield each
            if isinstance(each, ClassDef):
                members = vars(each).get("members", {}).values()
                left += [member for member in members if isinstance(member, FunctionDef | ClassDef)]

    def text_between(self, first: int, last: int) -> str:
        """The text of some lines, 1-based, both included."""
        return "".join(self.source.lines[first - 1 : last])

    def _bindings(self, statement: ast.stmt) -> Iterator[tuple[str, Binding]]:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, FunctionDef(statement, self, name)
            case ast.ClassDef(name=name):
                yield name, ClassDef(statement, self, name)
            case ast.Import() | ast.ImportFrom():
                yield from imported_names(statement)
            case ast.Assign(targets=targets, value=value):
                yield from ((t.id, value) for t in targets if isinstance(t, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value

    @cached_property
    def may_yield(self) -> bool:
        """False for a file in which no function can be a generator."""
        return "yield" in self.source.text

    @cached_property
    def rebound_globals(self) -> frozenset[str]:
        """Names that some function declares `global`: their value may change."""
        if "global " not in self.source.text:
            return frozenset()
        declared = re.findall(GLOBAL, self.source.text)
        return frozenset(name.strip() for names in declared for name in names.split(","))

    def classes(self) -> Iterator[ClassDef]:
        """Classes at the top level of the module."""
        for bindings in self.names.values():
            yield from (binding for binding in bindings if isinstance(binding, ClassDef))


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    """The names an import statement binds."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            if alias.name != "*":
                yield alias.asname or alias.name, Imported(node.module or "", node.level, alias.name)
        elif alias.asname:
            yield alias.asname, Imported(alias.name, 0, None)
        else:
            yield alias.name.partition(".")[0], Imported(alias.name.partition(".")[0], 0, None)


class Project:
    """All modules by path and by dotted name. Modules beside the linted ones are read when an import asks for them."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._places = Places()
        self._absent: set[Path] = set()
        self.by_path: dict[Path, Module | None] = {}
        self._root_of: dict[Path, Path] = {}
        self.linted: list[Module] = [self._add(source) for source in sources]
        self._tops = {module.name.partition(".")[0] for module in self.linted}
        self._resolved: dict[tuple[Path, str, int], Module | None] = {}

    def _add(self, source: Source) -> Module:
        path = source.path.absolute()
        place = self._places.add(path)
        self._root_of[path] = place.root
        module = Module(source, ".".join(place.names), path.stem == "__init__")
        self.by_path[path] = module
        return module

    @property
    def asked(self) -> dict[Path, bool]:
        """Files that were asked for but not read, and whether each is there."""
        inits = {folder / "__init__.py": there for folder, there in self._places.packages.items()}
        return dict.fromkeys(self._absent, False) | inits

    def find(self, importer: Module, imported: Imported) -> Module | None:
        """The module an import names, if it is part of this program; None for anything outside it."""
        key = (importer.path, imported.module, imported.level)
        if key not in self._resolved:
            self._resolved[key] = self._find(importer, imported)
        return self._resolved[key]

    def _find(self, importer: Module, imported: Imported) -> Module | None:
        parts = imported.module.split(".") if imported.module else []
        if imported.level:
            above = importer.path.absolute().parents
            return self._load(above[imported.level - 1], parts) if imported.level <= len(above) else None
        own = self._root_of[importer.path.absolute()]
        for root in self._places.folders(own, parts[0]) if parts else ():
            if self._belongs(root, parts[0]) and (module := self._load(root, parts)):
                return module
        return None

    def _belongs(self, root: Path, package: str) -> bool:
        """False for installed packages that are not being linted: those are known from API data, or not at all."""
        if package in {"torch", "numpy"}:
            return False
        return package in self._tops or not {"site-packages", "dist-packages"} & set(root.parts)

    def submodule(self, package: Module, name: str) -> Module | None:
        """The module `name` inside a package."""
        return self._load(package.path.absolute().parent, [name]) if package.is_package else None

    def _load(self, folder: Path, parts: list[str]) -> Module | None:
        target = folder.joinpath(*parts)
        package = target / "__init__.py"
        for path in (target.with_name(f"{target.name}.py") if parts else package, package):
            if path in self.by_path:
                return self.by_path[path]
            if path.is_file():
                return self._read(path)
            self._absent.add(path)
        return None

    def _read(self, path: Path) -> Module | None:
        try:
            source = Source.read(path)
            _ = source.tree
        except SourceError:
            self.by_path[path] = None
            return None
        return self._add(source)
