"""Full disks, killed runs, several at once: a file is old or new, never half."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import BROKEN, FIX, Run, fixed

CLI = [sys.executable, "-m", "graphmend_lint", "check"]
WAITING = """\
import os, sys, time
from graphmend_lint.cli import main

replace = os.replace
def waiting(*given):
    if sys.argv[1] == "after":
        replace(*given)
    print("now", flush=True)
    time.sleep(60)
os.replace = waiting
main(["check", "a.py", "--fix", "--unsafe-fixes", "--no-cache"])
"""


def test_a_full_disk_leaves_the_old_file(run: Run) -> None:
    text = BROKEN + "#" * 100_000
    Path("a.py").write_text(text)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = subprocess.run([*CLI, "a.py", *FIX], preexec_fn=limit, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "a.py: cannot write the file: File too large\n")
    assert Path("a.py").read_text() == text
    assert [path.name for path in Path().iterdir()] == ["a.py"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_that_is_killed_while_it_writes(run: Run, moment: str) -> None:
    new = fixed(run)
    Path("a.py").write_text(BROKEN)
    with subprocess.Popen([sys.executable, "-c", WAITING, moment], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "now\n"
        child.kill()
    assert Path("a.py").read_text() == (BROKEN if moment == "before" else new)
    assert run(*FIX)[0] == 0
    assert Path("a.py").read_text() == new


def test_runs_that_are_killed_at_any_time(run: Run) -> None:
    new, text = fixed(run, BROKEN * 40), BROKEN * 40
    for delay in (0.05, 0.2, 0.4, 0.6, 0.8):
        Path("a.py").write_text(text)
        with subprocess.Popen([*CLI, "a.py", *FIX], stdout=subprocess.DEVNULL) as child:
            time.sleep(delay)
            child.kill()
        assert Path("a.py").read_text() in (text, new)


def test_two_runs_at_once(run: Run) -> None:
    new = fixed(run)
    for number in range(20):
        Path(f"m{number}.py").write_text(BROKEN)
    options = ["--fix", "--unsafe-fixes", "--cache-dir", "cache"]
    children = [subprocess.Popen([*CLI, ".", *options], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for child in children:
        _, err = child.communicate()
        assert child.returncode == 0, err
    assert {Path(f"m{number}.py").read_text() for number in range(20)} == {new}
    assert not [path for path in Path().iterdir() if path.suffix == ".tmp"]


def test_a_tree_that_cannot_be_written_is_linted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    Path("a.py").write_text(BROKEN)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    code, out, err = run("--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.startswith("a.py:6")
    code, _, err = run("--fix", "--unsafe-fixes")
    assert (code, err) == (2, "a.py: cannot write the file: Read-only file system\n")
    assert Path("a.py").read_text() == BROKEN
