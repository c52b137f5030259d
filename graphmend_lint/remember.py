"""What runs said about parts, kept so that a part is not linted again until one of its files changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from graphmend_lint.said import Said, from_table
from graphmend_lint.seen import digest, packages
from graphmend_lint.source import Source
from graphmend_lint.store import Store

LIMIT: Final = 5_000  #: parts that are kept; the last ones that were of use


class Remembered:
    """What earlier runs said about parts, as words and numbers by key, and what this one says."""

    def __init__(self, store: Store, run: str, contents: Mapping[str, str]) -> None:
        self._store = store
        self._kept = store.find(run)
        self._run = run  #: stands for everything but files that the answers depend on
        self._contents = contents  #: file to hash
        self._used: dict[str, Any] = {}

    def find(self, part: Sequence[Source]) -> Said | None:
        """What is known about a part, if that still holds."""
        key = self._key(part)
        try:
            said = from_table(table := self._kept[key])
        except (KeyError, TypeError, ValueError):
            return None
        if not said.seen.holds():
            return None
        self._used[key] = table
        return said

    def note(self, part: Sequence[Source], said: Said) -> None:
        """Remember what a part turned out to say."""
        self._used[self._key(part)] = said.as_table()

    def keep(self) -> None:
        """Keep it for the next run."""
        if not self._used.keys() <= self._kept.keys():
            self._store.keep(self._run, dict(islice({**self._used, **self._kept}.items(), LIMIT)))

    def _key(self, part: Sequence[Source]) -> str:
        files = [(str(each.path), self._contents.get(str(each.path), "")) for each in part]
        return digest(json.dumps([self._run, files, packages(each.path for each in part)]).encode())
