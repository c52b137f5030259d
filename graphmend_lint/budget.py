"""What one part of a run may cost, and one line for whatever goes wrong in it, so that the rest goes on.

A part is an entry point that is followed, the rules on one file, or the fixes of one file. Time is looked at from
outside, by a timer signal, and costs nothing in between. Without such signals (on Windows, off the main thread) there
is no limit.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from graphmend_lint.source import SourceError

DEBUG: Final = "GRAPHMEND_LINT_DEBUG"  #: with it, an exception that nobody expected is shown in full
SECONDS = 60.0  #: of CPU time, for one part
TICK = 1.0  #: CPU seconds between two looks at the clock
NEVER: Final = float("inf")

_began = NEVER  #: CPU time at which the part that runs now would have begun, had nothing come in between


class OverBudget(BaseException):
    """Raised in the midst of a part whose time is up. A BaseException, so that no `except Exception` takes it."""


@contextmanager
def limits() -> Iterator[None]:
    """Watch the time of the parts that run inside."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _look)
    signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _look(_: int, __: FrameType | None) -> None:
    if time.process_time() - _began > SECONDS:
        raise OverBudget


@contextmanager
def part(trouble: list[str] | None, path: Path, row: int, what: str) -> Iterator[None]:
    """Run one part. If it fails, that is one line in `trouble`; without such a list, the exception goes on."""
    global _began
    start, outer = time.process_time(), _began
    _began = start
    try:
        yield
    except SourceError as error:
        if trouble is None:
            raise
        trouble.append(str(error))
    except (Exception, OverBudget) as error:
        if trouble is None or os.environ.get(DEBUG):
            raise
        trouble.append(f"{path}:{row}: {what}: {_reason(error)}")
    finally:
        _began = outer + time.process_time() - start


def _reason(error: BaseException) -> str:
    if isinstance(error, OverBudget):
        return f"given up after {SECONDS:g} s of CPU time"
    if isinstance(error, RecursionError):
        return "given up: nested too deeply"
    if isinstance(error, MemoryError):
        return "given up: not enough memory"
    lines = f"{type(error).__name__}: {error}".splitlines()
    return f"internal error: {lines[0]} (please report; {DEBUG}=1 shows the traceback)"
