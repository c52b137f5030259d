"""What to verify: `FILE_OR_MODULE:FACTORY`, found without importing anything."""

from __future__ import annotations

import ast
import importlib.util
import sys
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path


class TargetError(Exception):
    """A target that cannot be used: one clear sentence why."""


@dataclass(frozen=True, slots=True)
class Target:
    """A factory in a file.

    The factory returns `(callable or module, args, kwargs)`, or `(callable or module, calls)` with a list of
    `(args, kwargs)` that one object gets in order.
    """

    path: Path
    module: str  #: the name to import it by
    root: Path  #: what `sys.path` needs for that
    factory: str
    packaged: bool  #: imported by name, not loaded as a lone file

    def __str__(self) -> str:
        return f"{self.path}:{self.factory}"


def parse_target(text: str, roots: tuple[Path, ...] = ()) -> Target:
    """The target that `text` names; modules are looked for in `roots`, then on `sys.path`.

    Raises:
        TargetError: if it names no file, or no factory.
    """
    place, separator, factory = text.rpartition(":")
    if not separator or not place or not factory.isidentifier():
        raise TargetError(f"{text!r} is not a target: write FILE_OR_MODULE:FACTORY, such as model.py:build")
    if place.endswith(".py") or "/" in place or "\\" in place:
        return _file_target(Path(place), factory)
    return Target(find_module(place, roots), place, _root(place, roots), factory, True)


def _file_target(path: Path, factory: str) -> Target:
    if not path.is_file():
        raise TargetError(f"{path}: no such file")
    path = path.resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    packaged = len(parts) > 1
    name = ".".join(parts)
    return Target(path, name if packaged else _free_name(name), root, factory, packaged)


def _free_name(stem: str) -> str:
    """A module name that shadows nothing of the standard library."""
    return f"{stem}_target" if stem in sys.stdlib_module_names or not stem.isidentifier() else stem


def _root(module: str, roots: tuple[Path, ...]) -> Path:
    top = module.partition(".")[0]
    for root in roots:
        if PathFinder.find_spec(top, [str(root)]) is not None:
            return root.resolve()
    return Path.cwd()


def find_module(name: str, roots: tuple[Path, ...] = ()) -> Path:
    """The source file of a module; its packages are not imported.

    Raises:
        TargetError: if there is none.
    """
    places: list[str] | None = [*map(str, roots), str(Path.cwd()), *sys.path]
    spec, prefix = None, ""
    for part in name.split("."):
        prefix = f"{prefix}.{part}".lstrip(".")
        spec = PathFinder.find_spec(prefix, places) if places else None
        if spec is None and prefix == part:
            spec = _installed(part)
        if spec is None:
            raise TargetError(f"no module named {prefix}" + (f" (in {name})" if prefix != name else ""))
        found = spec.submodule_search_locations
        places = list(found) if found is not None else None
    origin = spec.origin if spec else None
    if origin is None or not origin.endswith(".py"):
        raise TargetError(f"module {name} has no Python source file")
    return Path(origin).resolve()


def _installed(name: str) -> ModuleSpec | None:
    """A top-level module as any finder sees it: editable installs bring finders of their own."""
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None


def module_files(name: str, roots: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """The source files of a module: one, or for a package those of all its modules.

    Raises:
        TargetError: if there is no such module.
    """
    path = find_module(name, roots)
    return tuple(sorted(path.parent.rglob("*.py"))) if path.name == "__init__.py" else (path,)


def returned_function(tree: ast.Module, factory: str) -> str | None:
    """The function of the same file that `factory` returns to be called, if it returns one by its name."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if factory not in functions:
        return None
    for node in ast.walk(functions[factory]):
        match node:
            case ast.Return(value=ast.Tuple(elts=[ast.Name(id=name), *_])) if name in functions:
                return name
    return None
