"""Run worker processes: each with its own caches and process group, with a time limit, killed with its children."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TAIL = 1500  #: characters of a failed child's output that are shown


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


def run_job(job: dict[str, Any], folder: Path, limits: Limits) -> Ended:
    """Run one job in a child process; its files go to `folder`."""
    folder.mkdir(parents=True)
    path = folder / "job.json"
    path.write_text(json.dumps({**job, "folder": str(folder), "memory": limits.memory}), "utf-8")
    with (folder / "output.txt").open("wb") as output:
        child = subprocess.Popen(
            [sys.executable, "-m", "graphmend_lint.verify.worker", str(path)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_environment(folder),
            start_new_session=True,
        )
        try:
            code: int | None = child.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _kill(child)
    return _ended(folder, code, limits)


def _environment(folder: Path) -> dict[str, str]:
    caches = {"TORCHINDUCTOR_CACHE_DIR": folder / "inductor", "TRITON_CACHE_DIR": folder / "triton"}
    return {**os.environ, **{name: str(path) for name, path in caches.items()}, "PYTHONHASHSEED": "0"}


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End the child and all it started (they share its process group)."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _ended(folder: Path, code: int | None, limits: Limits) -> Ended:
    output = (folder / "output.txt").read_text("utf-8", "replace").strip()[-_TAIL:]
    if code is None:
        return Ended({}, f"hangs: still running after {limits.seconds:g} s", "hang", output, folder)
    written = folder / "result.json"
    if code != 0 or not written.is_file():
        return Ended({}, f"crashed: {_death(code)}", "crash", output, folder)
    result = json.loads(written.read_text("utf-8"))
    failure = result.get("error", "")
    return Ended(result, failure, "error" if failure else "", output, folder)


def _death(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"
