"""Which lines of some files ran: by Python itself, or under Dynamo's tracing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Lines:
    """Lines that ran, of the files that are watched."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._watched = {os.path.realpath(path) for path in paths}
        self._known: dict[str, str | None] = {}
        self.ran: dict[str, set[int]] = {path: set() for path in self._watched}

    def add(self, filename: str, line: int) -> None:
        """Note that `line` of `filename` ran, if that file is watched."""
        path = self.watched(filename)
        if path is not None:
            self.ran[path].add(line)

    def watched(self, filename: str) -> str | None:
        """The real path of `filename` if it is watched."""
        if filename not in self._known:
            path = os.path.realpath(filename)
            self._known[filename] = path if path in self._watched else None
        return self._known[filename]

    @contextmanager
    def trace(self) -> Iterator[None]:
        """Watch this thread while the block runs."""
        if not self._watched:
            yield
            return
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        return self._line if self.watched(frame.f_code.co_filename) else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        if event == "line":
            self.add(frame.f_code.co_filename, frame.f_lineno)
        return self._line
