"""What to verify: `FILE_OR_MODULE:FACTORY` or `hf:FAMILY`, found without importing anything."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

FAMILY = "hf:"  #: what a target begins with that is a model family of transformers


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
    recipe: dict[str, Any] = field(default_factory=dict)  #: what `family` makes a model from; empty: not one of those
    inputs: tuple[str, ...] = ()  #: functions beside the factory that give more input sets; empty: `more_inputs`
    bad_inputs: tuple[str, ...] = ()  #: and those that the original refuses; empty: `bad_inputs`
    text: str = ""  #: as it was written, where that says more than path and factory

    def __str__(self) -> str:
        return self.text or f"{self.path}:{self.factory}"

    def job(self) -> dict[str, Any]:
        """What the worker needs to know."""
        job = {name: str(getattr(self, name)) for name in ("path", "module", "root", "factory")}
        inputs = {"inputs": list(self.inputs), "bad_inputs": list(self.bad_inputs)}
        return {**job, "packaged": self.packaged, "recipe": self.recipe, **inputs}


def parse_target(text: str, roots: tuple[Path, ...] = ()) -> Target:
    """The target that `text` names; modules are looked for in `roots`, then on `sys.path`.

    Raises:
        TargetError: if it names no file, or no factory.
    """
    if text.startswith(FAMILY):
        return _family_target(text)
    place, separator, factory = text.rpartition(":")
    if not separator or not place or not factory.isidentifier():
        raise TargetError(f"{text!r} is not a target: write FILE_OR_MODULE:FACTORY, such as model.py:build")
    if place.endswith(".py") or "/" in place or "\\" in place:
        return _file_target(Path(place), factory)
    return Target(find_module(place, roots), place, _root(place, roots), factory, True)


def _family_target(text: str) -> Target:
    """A model family: its factory is ours, in `family`."""
    family, _, query = text.removeprefix(FAMILY).partition("?")
    if not family:
        raise TargetError(f"{text!r} names no model family: write hf:FAMILY, such as hf:t5?hidden=64")
    try:
        options = {name: _value(value) for name, value in parse_qsl(query, strict_parsing=True)} if query else {}
    except ValueError:
        raise TargetError(f"{text!r}: what follows the ? must be NAME=VALUE&NAME=VALUE") from None
    path = Path(__file__).with_name("family.py")
    recipe = {"family": family, "options": options}
    return Target(path, f"{__package__}.family", path.parents[2], "build", True, recipe, text=text)


def _value(text: str) -> Any:
    """A number, list, table, true, false or null where it reads as one, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


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
