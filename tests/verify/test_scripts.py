"""`trace` tells the real breaks of a script; `run` runs it with fixes that no file has."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BRANCHES = """\
import torch


def branch(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x * 2.0
    return x * 3.0
"""
SCRIPT = """\
import sys

import torch
from branches import branch


@torch.compile(backend="eager")
def step(x: torch.Tensor) -> torch.Tensor:
    return branch(x).sum()


if __name__ == "__main__":
    print("arguments", sys.argv[1:], step(torch.ones(2)).item())
    if "fail" in sys.argv:
        sys.exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "branches.py").write_text(BRANCHES)
    (tmp_path / "train.py").write_text(SCRIPT)
    return tmp_path


def tool(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmend_lint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=120)


@pytest.mark.torch
def test_trace_reports_a_break_where_it_happens(folder: Path) -> None:
    done = tool("trace", "--output-format", "json", "train.py", "--flag", cwd=folder)
    assert done.returncode == 1, done.stderr
    (row,) = json.loads(done.stdout)
    assert (Path(row["filename"]), row["location"]["row"]) == (folder / "branches.py", 5)
    assert (row["code"], row["graph_breaks"], row["severity"]) == ("GM101", ["GB0170"], "error")
    assert row["fix"]["applicability"] == "safe"
    assert "arguments ['--flag'] 4.0" in done.stderr


@pytest.mark.torch
def test_trace_of_a_script_that_fails_still_tells_its_breaks(folder: Path) -> None:
    done = tool("trace", "train.py", "fail", cwd=folder)
    assert done.returncode == 2
    assert "branches.py:5:8: GM101" in done.stdout
    assert done.stderr.endswith("train.py: ended with exit code 3\n")


@pytest.mark.torch
def test_trace_of_a_script_without_breaks_is_clean(folder: Path) -> None:
    (folder / "train.py").write_text(SCRIPT.replace("branch(x)", "x"))
    done = tool("trace", "train.py", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "All checks passed!\n"), done.stderr


@pytest.mark.torch
def test_run_fixes_modules_in_memory(folder: Path) -> None:
    seen = "import torch._dynamo as d\nprint('breaks', sum(d.utils.counters['graph_break'].values()))\n"
    (folder / "train.py").write_text(
        SCRIPT.replace('    if "fail"', f'    {seen[:-1].replace(chr(10), chr(10) + "    ")}\n    if "fail"')
    )
    plain = tool("run", "train.py", "a", cwd=folder)
    fixed = tool("run", "--fix-modules", "branches", "train.py", "a", cwd=folder)
    assert plain.stdout == "arguments ['a'] 4.0\nbreaks 1\n", plain.stderr
    assert fixed.stdout == "arguments ['a'] 4.0\nbreaks 0\n", fixed.stderr
    assert f"fixed in memory: {folder / 'branches.py'}" in fixed.stderr
    assert (folder / "branches.py").read_text() == BRANCHES


def test_run_gives_the_scripts_exit_code_and_needs_no_torch(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import sys\nprint(__name__, 'torch' in sys.modules)\nsys.exit(3)\n")
    done = tool("run", "train.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "__main__ False\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("run", "none.py"), "does not exist"),
        (("trace", "none.py"), "does not exist"),
        (("run", "--fix-modules", "no_such_module", "train.py"), "no module named no_such_module"),
    ],
)
def test_what_cannot_run_is_one_clear_line(tmp_path: Path, arguments: tuple[str, ...], reason: str) -> None:
    (tmp_path / "train.py").write_text("pass\n")
    done = tool(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
