"""Everything a call shows to the outside, in order: printed text, log records, warnings."""

from __future__ import annotations

import io
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from types import FrameType
from typing import Any

from graphmend_lint.verify.compare import Event

_COMPILER = "torch._dynamo.convert_frame"  #: on the stack while Dynamo compiles, gone when the program runs on


class _Stream(io.TextIOBase):
    """A stream that turns writes into events. What logging writes is left out, since records are events themselves."""

    def __init__(self, kind: str, events: list[Event]) -> None:
        self._kind = kind
        self._events = events

    def write(self, text: str) -> int:
        if text and not _called_by("logging"):
            foreign, last = _foreign(), self._events[-1] if self._events else None
            if last is not None and (last.kind, last.foreign) == (self._kind, foreign):
                self._events[-1] = Event(self._kind, last.text + text, foreign)
            else:
                self._events.append(Event(self._kind, text, foreign))
        return len(text)

    def writable(self) -> bool:
        return True


def _called_by(module: str) -> bool:
    """Whether a function of `module` is on the stack."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == module:
            return True
        frame = frame.f_back
    return False


def _foreign() -> bool:
    """Whether torch compiles now, in this thread or in one of its own."""
    return threading.current_thread() is not threading.main_thread() or _called_by(_COMPILER)


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
        foreign = _is_torch_file(filename) or _foreign()
        events.append(Event("warning", f"{category.__name__}: {message}", foreign))

    return show


def _is_torch_file(filename: str) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and filename.startswith(str(torch.__path__[0]))


def _record_factory(make: Any, events: list[Event]) -> Any:
    def factory(name: str, level: int, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record: logging.LogRecord = make(name, level, *args, **kwargs)
        if name.partition(".")[0] != "torch":
            text = f"{record.levelname} {name}: {record.getMessage()}"
            events.append(Event("log", text, _foreign()))
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
