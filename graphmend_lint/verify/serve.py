"""A process that has torch loaded and forks a child for each job, so that torch is imported once and not seven times.

Reads `{"job": PATH, "seconds": S}` lines, answers each with a line: the child's exit code, or `null` if it ran out of
time. A child leads a process group of its own, which is killed when the child ends, runs out of time, or when nobody
waits for this process any more.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

import torch._dynamo  # noqa: F401 - what this process is for

from graphmend_lint.verify import worker

_POLL = 0.02  #: seconds between looks at a child


def main() -> int:
    """Serve until standard input ends."""
    signal.signal(signal.SIGTERM, _leave)
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(run(order["job"], order["seconds"])), flush=True)
    return 0


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(0)


def run(job: str, seconds: float) -> int | None:
    """Run a job in a fork; its exit code (negative: the signal that ended it), None if it ran out of time."""
    child = os.fork()
    if child == 0:
        _child(job)
    try:
        return _wait(child, seconds)
    finally:
        _kill(child)


def _child(job: str) -> NoReturn:
    """Run a job in the forked process, and end the process with it."""
    code = 70
    try:
        os.setsid()
        folder = Path(job).parent
        output = os.open(folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.environ |= {"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}
        code = worker.main(job)
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        os._exit(code)


def _wait(child: int, seconds: float) -> int | None:
    end, parent = time.monotonic() + seconds, os.getppid()
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if os.getppid() != parent:
            sys.exit(1)
        time.sleep(_POLL)
    return None


def _kill(child: int) -> None:
    """End the child's whole group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)


if __name__ == "__main__":
    sys.exit(main())
