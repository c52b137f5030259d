"""Which files to lint: the paths a person names, and the Python files below the folders among them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from graphmend_lint.config import Settings, matches, spec

SUFFIXES = (".py", ".ipynb")


class Discovery(NamedTuple):
    """The files to lint, in a stable order, and one line for each path that cannot be used."""

    files: tuple[Path, ...]
    errors: tuple[str, ...]


def discover(paths: Iterable[Path], settings: Settings) -> Discovery:
    """The files named by `paths` and found below the folders among them, each once, whatever links lead to it.

    A file that is named is taken whatever it is called, and excluded only under `force_exclude`.
    """
    walk = _Walk(settings)
    files: dict[str, Path] = {}
    for path in paths:
        for file in walk.start(path):
            files.setdefault(os.path.realpath(file), file)
    return Discovery(tuple(files.values()), tuple(walk.errors))


def excluded(path: Path, settings: Settings) -> bool:
    """True if an `exclude` pattern matches the file or a folder that it is in."""
    return _Walk(settings._replace(force_exclude=True))._excluded(path)


class _Ignore(NamedTuple):
    """One .gitignore file: its folder and its patterns."""

    folder: Path
    patterns: tuple[str, ...]

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        """True: ignored. False: taken back in by a `!` pattern. None: nothing said."""
        relative = path.relative_to(self.folder).as_posix() + ("/" if is_folder else "")
        return spec(self.patterns).check_file(relative).include


@dataclass(eq=False, repr=False, slots=True)
class _Walk:
    """A walk over the tree; what went wrong on the way is in `errors`."""

    settings: Settings
    errors: list[str] = field(default_factory=list)

    def start(self, path: Path) -> Iterator[Path]:
        """The files that a path given by a person stands for."""
        if not path.exists():
            self.errors.append(f"{path}: no such file or directory")
        elif not self.settings.force_exclude or not self._excluded(path):
            yield from self._folder(path, self._above(path.absolute())) if path.is_dir() else (path,)

    def _above(self, folder: Path) -> tuple[_Ignore, ...]:
        """The .gitignore files above a folder, up to its repository; none if the folder itself is ignored."""
        found: list[_Ignore] = []
        for parent in folder.parents if self.settings.respect_gitignore else ():
            if (folder / ".git").exists():
                break
            found = [*_ignores(parent), *found]
            if (parent / ".git").exists():
                break
        else:
            return ()
        inside = [each for each in (folder, *folder.parents) if found and each.is_relative_to(found[0].folder)]
        return () if any(_ignored(tuple(found), each, True) for each in inside[:-1]) else tuple(found)

    def _folder(self, folder: Path, above: tuple[_Ignore, ...]) -> Iterator[Path]:
        """The Python files below a folder. Links to folders are not followed, so a walk ends."""
        ignores = (*above, *_ignores(folder)) if self.settings.respect_gitignore else ()
        for entry in self._entries(folder):
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            wanted = is_folder or (entry.name.endswith(SUFFIXES) and _is_file(entry))
            if not wanted or self._excluded(path) or _ignored(ignores, path.absolute(), is_folder):
                continue
            if is_folder:
                yield from self._folder(path, ignores)
            else:
                yield path

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.errors.append(f"{folder}: cannot read the directory: {error.strerror or error}")
            return []

    def _excluded(self, path: Path) -> bool:
        """True if an `exclude` pattern matches; plain names are looked up without the pattern engine."""
        plain, patterns = _split(self.settings.exclude)
        if path.name in plain or (self.settings.force_exclude and not plain.isdisjoint(self._inside(path).parts)):
            return True
        return bool(patterns) and matches(patterns, self.settings.root, path)

    def _inside(self, path: Path) -> Path:
        """The path below `root`; the path itself if it is elsewhere."""
        absolute, root = path.absolute(), self.settings.root.absolute()
        return absolute.relative_to(root) if absolute.is_relative_to(root) else path


def _is_file(entry: os.DirEntry[str]) -> bool:
    """True for a file, or a link to one; a link to itself is none."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _split(patterns: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    plain = frozenset(each for each in patterns if not set(each) & set("*?[]!/\\# "))
    return plain, tuple(each for each in patterns if each not in plain)


def _ignores(folder: Path) -> tuple[_Ignore, ...]:
    try:
        text = (folder / ".gitignore").read_text("utf-8", errors="replace")
    except OSError:
        return ()
    return (_Ignore(folder.absolute(), tuple(text.splitlines())),)


def _ignored(ignores: tuple[_Ignore, ...], path: Path, is_folder: bool) -> bool:
    """The innermost .gitignore that says anything about the path decides."""
    said = (each.verdict(path, is_folder) for each in reversed(ignores))
    return next((verdict for verdict in said if verdict is not None), False)
