"""Everything a call shows to the outside, in order: printed text, log records, warnings."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from graphmend_lint.verify.compare import Event


class _Stream(io.TextIOBase):
    """Writes become events; text that logging itself writes is left out, as its records are events already."""

    def __init__(self, kind: str, events: list[Event]) -> None:
        self._kind = kind
        self._events = events

    def write(self, text: str) -> int:
        if text and not _from_logging():
            last = self._events[-1] if self._events else None
            if last is not None and last.kind == self._kind:
                self._events[-1] = Event(self._kind, last.text + text)
            else:
                self._events.append(Event(self._kind, text))
        return len(text)

    def writable(self) -> bool:
        return True


def _from_logging() -> bool:
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if frame.f_globals.get("__name__") == "logging":
            return True
        frame = frame.f_back
    return False


@contextmanager
def capture() -> Iterator[list[Event]]:
    """Collect events while the block runs, those of loggers that do not propagate too."""
    events: list[Event] = []
    make = logging.getLogRecordFactory()
    with (
        warnings.catch_warnings(),
        redirect_stdout(_Stream("out", events)),
        redirect_stderr(_Stream("err", events)),
    ):
        warnings.simplefilter("always")
        warnings.showwarning = _warning_recorder(events)
        logging.setLogRecordFactory(_record_factory(make, events))
        try:
            yield events
        finally:
            logging.setLogRecordFactory(make)


def _warning_recorder(events: list[Event]) -> Any:
    def show(message: Warning | str, category: type[Warning], filename: str, *_: object, **__: object) -> None:
        events.append(Event("warning", f"{category.__name__}: {message}", _is_torch_file(filename)))

    return show


def _is_torch_file(filename: str) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and filename.startswith(str(torch.__path__[0]))


def _record_factory(make: Any, events: list[Event]) -> Any:
    def factory(name: str, level: int, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = make(name, level, *args, **kwargs)
        if name.partition(".")[0] != "torch":
            events.append(Event("log", f"{record.levelname} {name}: {record.getMessage()}"))
        return record

    return factory


@contextmanager
def all_levels() -> Iterator[None]:
    """Let every logger but torch's own emit all its levels."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] != "torch"]
    loggers = [logging.root, *(logging.getLogger(name) for name in names)]
    before = [(logger, logger.level, logger.disabled) for logger in loggers]
    disabled = logging.root.manager.disable
    for logger in loggers:
        logger.setLevel(1)
        logger.disabled = False
    logging.disable(logging.NOTSET)
    try:
        yield
    finally:
        for logger, level, was_disabled in before:
            logger.setLevel(level)
            logger.disabled = was_disabled
        logging.disable(disabled)
