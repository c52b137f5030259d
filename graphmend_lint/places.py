"""Where files stand as modules: the folder that their names begin in, and the name below it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

MAX_ROOTS: Final = 50  #: folders that every import is looked for in


class Place(NamedTuple):
    """A file as a module."""

    root: Path  #: the innermost folder around it that is no package
    names: tuple[str, ...]  #: of the packages from there on, and of the module; none: the `__init__.py` of no package

    @property
    def top(self) -> str:
        """The first part of the module's name."""
        return self.names[0] if self.names else ""


class Places:
    """Tells which folders are packages, asking the disk once for each, and where imports are looked for."""

    def __init__(self) -> None:
        self.packages: dict[Path, bool] = {}
        self._roots: dict[Path, None] = {}
        self._around: dict[Path, Path | None] = {}
        self._holders: dict[str, dict[Path, None]] = {}  #: first part of a module's name, and the roots that hold one

    def add(self, path: Path) -> Place:
        """The place of an absolute path. From now on, imports are also looked for in its root folder."""
        folder, names = path.parent, [] if path.stem == "__init__" else [path.stem]
        while self._is_package(folder):
            names.append(folder.name)
            folder = folder.parent
        place = Place(folder, tuple(reversed(names)))
        self._note(folder, place.top)
        if (package := self._package_around(folder)) is not None:
            self._note(package.parent, package.name)
        return place

    def _note(self, root: Path, top: str) -> None:
        self._roots.setdefault(root)
        self._holders.setdefault(top, {})[root] = None

    def _package_around(self, root: Path) -> Path | None:
        """The outermost package around a folder that is no package itself; None if there is none."""
        if root not in self._around:
            above = [folder for folder in root.parents if self._is_package(folder)]
            self._around[root] = above[-1] if above else None
        return self._around[root]

    def unit(self, place: Place) -> Path:
        """The outermost package around a file; for a file outside packages, its path without the ending."""
        return self._package_around(place.root) or place.root / place.top

    def _is_package(self, folder: Path) -> bool:
        known = self.packages.get(folder)
        if known is None:
            known = self.packages[folder] = (folder / "__init__.py").is_file()
        return known

    def folders(self, own: Path, top: str) -> Iterable[Path]:
        """Folders where a module may be, the importer's root first; of very many, only those known to hold it."""
        return dict.fromkeys((own, *(self._roots if len(self._roots) <= MAX_ROOTS else self._holders.get(top, ()))))
