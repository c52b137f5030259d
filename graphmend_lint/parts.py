"""Linted files in parts that have nothing to do with each other: no file imports from one of another part.

What is found in a part depends on nothing else, so that parts can be linted by several processes, and what was found
in one need not be looked for again as long as none of its files changes. Imports are read from the text: one that is
overlooked costs what a caller would have told, as if it were not linted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from graphmend_lint.headers import Bound, imports
from graphmend_lint.places import Place, Places
from graphmend_lint.source import Source


def parts(sources: Sequence[Source]) -> list[list[Source]]:
    """The sources, divided into as many parts as possible; parts and sources keep the given order."""
    return _Partition(sources).parts() if is_divisible(each.path for each in sources) else [list(sources)]


def is_divisible(files: Iterable[Path]) -> bool:
    """True if there may be several parts: files of one package are never in two."""
    places, units = Places(), set[Path]()
    for file in files:
        units.add(places.unit(places.add(file.absolute())))
        if len(units) > 1:
            return True
    return False


class _Partition:
    """Packages, and files that are in none, as far as imports join them."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._places = Places()
        self._place = [self._places.add(each.path.absolute()) for each in sources]
        self._units = [*map(self._places.unit, self._place)]
        self._leader = {unit: unit for unit in self._units}  #: a unit, and one that it is joined with
        self._found: dict[tuple[Path, str], tuple[Path, ...]] = {}

    def parts(self) -> list[list[Source]]:
        for source, place, own in zip(self._sources, self._place, self._units, strict=True):
            for name in _imported(source):
                for unit in self._named(name, place, source.path):
                    self._leader[self._first(unit)] = self._first(own)
        found: defaultdict[Path, list[Source]] = defaultdict(list)
        for source, own in zip(self._sources, self._units, strict=True):
            found[self._first(own)].append(source)
        return list(found.values())

    def _first(self, unit: Path) -> Path:
        """The unit that stands for all those that are joined with this one."""
        while (leader := self._leader[unit]) != unit:
            self._leader[unit] = self._leader[leader]
            unit = leader
        return unit

    def _named(self, name: str, importer: Place, path: Path) -> tuple[Path, ...]:
        """The units that an import may name, if they are other ones."""
        dotted = name.lstrip(".")
        level = len(name) - len(dotted)
        if 0 < level < len(importer.names):
            return ()
        own, top = importer.root, dotted.partition(".")[0]
        folders = path.absolute().parents[level - 1 : level] if level else self._places.folders(own, top)
        return next((units for each in folders if (units := self._below(each, dotted))), ())

    def _below(self, folder: Path, dotted: str) -> tuple[Path, ...]:
        """The units that a dotted name may mean, if it is looked for in this folder."""
        if (folder, dotted) not in self._found:
            self._found[folder, dotted] = tuple(self._look(folder, dotted))
        return self._found[folder, dotted]

    def _look(self, folder: Path, dotted: str) -> Iterable[Path]:
        for name in dotted.split(".") if dotted else ():
            folder = folder / name
            if folder in self._leader:
                return (folder,)
        return self._inside.get(folder, ())

    @cached_property
    def _inside(self) -> dict[Path, list[Path]]:
        """The units below each folder."""
        found: defaultdict[Path, list[Path]] = defaultdict(list)
        for unit in self._leader:
            for folder in unit.parents:
                found[folder].append(unit)
        return found


def _imported(source: Source) -> set[str]:
    """Dotted names that a source imports, with leading dots: of modules, or of what stands in them.

    Of `import a.b` that is "a.b", although it binds "a".
    """
    found = source.imports if source.is_held else imports(source.glance())
    names = {_dotted(each) for bounds in found.values() for each in bounds}
    return names - {name[: dot.start()] for name in names for dot in re.finditer(r"\.", name)}


def _dotted(bound: Bound) -> str:
    if bound.name is None:
        return bound.module
    return f"{bound.module}{'' if bound.module.endswith('.') else '.'}{bound.name}"
