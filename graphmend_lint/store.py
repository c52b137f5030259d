"""The folder that tables are kept in from one run to the next.

A table is JSON behind its own hash, and is written whole or not at all. Whatever is wrong with it or with the folder,
it is as if it were not there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from graphmend_lint.seen import content, digest

FOLDER: Final = ".graphmend_lint_cache"
LIMIT: Final = 50  #: tables that are kept
TAG: Final = "CACHEDIR.TAG"
TAG_TEXT: Final = "Signature: 8a477f597d28d172789f06886806bc55\n# Cache of graphmend-lint. It may be deleted.\n"
OURS: Final = re.compile(r"[0-9a-f]{64}\.json|CACHEDIR\.TAG|\.gitignore|\w+\.tmp")


class Store(NamedTuple):
    """A folder of tables. Several runs may use it at once."""

    folder: Path

    def find(self, key: str) -> dict[str, Any]:
        """The table with this key; an empty one if there is none."""
        file = self.folder / f"{key}.json"
        try:
            table = _decoded(file.read_bytes())
        except (OSError, ValueError):
            return {}
        with suppress(OSError):
            os.utime(file)  # the oldest go first
        return table

    def keep(self, key: str, table: dict[str, Any]) -> None:
        """Write a table, if that can be done here."""
        with suppress(OSError):
            if self._prepare():
                self._write(f"{key}.json", _encoded(table))
                self._prune()

    def clean(self) -> bool:
        """Remove what was written; False if there is nothing.

        Raises:
            OSError: if it cannot be removed.
            ValueError: if the folder is somebody else's.
        """
        if not self.folder.is_dir():
            return False
        if content(self.folder / TAG) != digest(TAG_TEXT.encode()):
            raise ValueError(f"{self.folder}: not a cache of graphmend-lint")
        for name in filter(OURS.fullmatch, os.listdir(self.folder)):
            (self.folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it
            self.folder.rmdir()
        return True

    def _prepare(self) -> bool:
        """Make the folder; False if it is somebody else's."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = os.listdir(self.folder)
        if TAG in names:
            return True
        if not all(map(OURS.fullmatch, names)):
            return False
        self._write(TAG, TAG_TEXT.encode())
        self._write(".gitignore", b"*\n")
        return True

    def _write(self, name: str, data: bytes) -> None:
        import tempfile  # with all that it brings, only where something is written

        handle, written = tempfile.mkstemp(dir=self.folder, prefix="", suffix=".tmp")
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(written, self.folder / name)
        except BaseException:
            os.unlink(written)
            raise

    def _prune(self) -> None:
        """Remove the entries that were of no use for the longest time."""
        for _, path in sorted(self._entries(), reverse=True)[LIMIT:]:
            with suppress(FileNotFoundError):
                os.unlink(path)

    def _entries(self) -> Iterator[tuple[int, str]]:
        for each in os.scandir(self.folder):
            with suppress(FileNotFoundError):
                if each.name.endswith((".json", ".tmp")):
                    yield each.stat().st_mtime_ns, each.path


def _encoded(table: dict[str, Any]) -> bytes:
    body = json.dumps(table).encode()
    return digest(body).encode() + b"\n" + body


def _decoded(data: bytes) -> dict[str, Any]:
    """The table in a file.

    Raises:
        ValueError: if it holds none.
    """
    known, _, body = data.partition(b"\n")
    if digest(body).encode() != known:
        raise ValueError("damaged")
    table = json.loads(body)
    return table if isinstance(table, dict) else {}
