"""Run jobs in child processes: each with caches and a process group of its own, and a time limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphmend_lint.verify.environment import scrubbed

_TAIL = 1500  #: characters of a failed child's output that are shown
_FORKS = sys.platform.startswith("linux")  #: elsewhere a process that has loaded torch must not fork twice


class NoTimeError(Exception):
    """The deadline for all jobs together is over, or came while one ran: that says nothing about the model."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one child may use."""

    seconds: float = 300.0
    memory: int | None = None  #: bytes of address space; None: no limit


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: `result` if it could say so itself, else `failure`."""

    result: dict[str, Any]
    failure: str = ""  #: "", or one line: crashed, hung, or what went wrong
    kind: str = ""  #: "crash", "hang" or "error" with a failure
    output: str = ""  #: the last lines it printed
    folder: Path = Path()


class Workers:
    """Runs jobs one after another; leaves no process behind."""

    def __init__(self, deadline: float | None = None) -> None:
        self._server: subprocess.Popen[str] | None = None
        self.deadline = deadline  #: by `time.monotonic`, for all jobs together

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def run(self, job: dict[str, Any], folder: Path, limits: Limits) -> Ended:
        """Run one job; its files go to `folder`, which is made.

        Raises:
            NoTimeError: if the deadline comes first.
        """
        left = limits.seconds if self.deadline is None else self.deadline - time.monotonic()
        if left <= 0:
            raise NoTimeError("no time is left")
        ended = self._run(job, folder, replace(limits, seconds=min(left, limits.seconds)))
        if ended.kind == "hang" and left < limits.seconds:
            raise NoTimeError("no time is left")
        return ended

    def _run(self, job: dict[str, Any], folder: Path, limits: Limits) -> Ended:
        folder.mkdir(parents=True)
        path = folder / "job.json"
        path.write_text(json.dumps({**job, "folder": str(folder), "memory": limits.memory}), "utf-8")
        if self._server is None and not self._start():
            return Ended({}, "crashed: the worker could not start", "crash", self._stop(), folder)
        answer = self._ask({"job": str(path), "seconds": limits.seconds})
        if answer is None:
            return Ended({}, "crashed: the worker went away", "crash", self._stop(), folder)
        if not _FORKS:
            self._stop()
        return _ended(folder, json.loads(answer), limits)

    def _start(self) -> bool:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "graphmend_lint.verify.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=scrubbed(os.environ),
            start_new_session=True,
        )
        assert self._server.stdout is not None
        return self._server.stdout.readline().strip() == "ready"

    def _ask(self, order: dict[str, Any]) -> str | None:
        server = self._server
        assert server is not None
        assert server.stdin is not None
        assert server.stdout is not None
        with suppress(BrokenPipeError):
            server.stdin.write(json.dumps(order) + "\n")
            server.stdin.flush()
            return server.stdout.readline().strip() or None
        return None

    def _stop(self) -> str:
        """End the server, and with it the child it waits for; what it complained about."""
        server, self._server = self._server, None
        if server is None:
            return ""
        server.terminate()
        try:
            _, complaint = server.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            complaint = ""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        return complaint.strip()[-_TAIL:]


def _ended(folder: Path, code: int | None, limits: Limits) -> Ended:
    printed = folder / "output.txt"
    output = printed.read_text("utf-8", "replace").strip()[-_TAIL:] if printed.exists() else ""
    if code is None:
        return Ended({}, f"hangs: still running after {limits.seconds:g} s", "hang", output, folder)
    written = folder / "result.json"
    if code != 0 or not written.is_file():
        return Ended({}, f"crashed: {_death(code)}", "crash", output, folder)
    result = json.loads(written.read_text("utf-8"))
    failure = f"fails: {result['error']}" if "error" in result else ""
    return Ended(result, failure, "error" if failure else "", output, folder)


def _death(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
