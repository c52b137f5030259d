"""What an analysis looked at beside the linted files, and whether that is still so."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.vendor import NAME as VENDORED

if TYPE_CHECKING:
    from graphmend_lint.project import Project


class Seen(NamedTuple):
    """Files that were read, and files that were only asked for."""

    read: dict[str, str]  #: path to hash; an empty one: cannot be read
    asked: dict[str, bool]  #: path to whether such a file is there

    def holds(self) -> bool:
        """True if all of it is as it was."""
        return all(content(path) == known for path, known in self.read.items()) and all(
            os.path.isfile(path) == there for path, there in self.asked.items()
        )


def seen(projects: Iterable[Project]) -> Seen:
    """What these projects have looked at beside the files that they lint."""
    found = Seen({}, {})
    for project in projects:
        linted = {module.path.absolute() for module in project.linted}
        found.asked.update((str(path), there) for path, there in project.asked.items())
        for path, module in project.by_path.items():
            if path not in linted:
                source = module and module.source
                found.read[str(path)] = digest(source.encode(source.text)) if source else content(path)
    return found


def together(parts: Iterable[Seen]) -> Seen:
    """All that was looked at."""
    found = Seen({}, {})
    for each in parts:
        found.read.update(each.read)
        found.asked.update(each.asked)
    return found


def packages(files: Iterable[Path]) -> list[tuple[str, bool]]:
    """The packages that files are in, and whether each holds the module that fixes may call."""
    seen: dict[Path, bool] = {}
    for file in files:
        place = file.absolute().parent
        while place not in seen:
            seen[place] = (place / VENDORED).is_file()
            if (place / "__init__.py").is_file():
                place = place.parent
    return [(str(place), there) for place, there in seen.items()]


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def content(path: str | Path) -> str:
    """The hash of a file; empty if it cannot be read, or only once, as a pipe."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb", buffering=0) as file:
            return digest(file.read())
    except OSError:
        return ""
