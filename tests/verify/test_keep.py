"""`--fix --verify TARGET`: what is proven stays, what is not is dropped and named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MODEL = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x, n, deep=None):
        if x.sum() > 0:
            x = x * 2
        if n.sum() > 0:
            n = n * 0.5
        if deep is not None:
            if deep.sum() > 0:
                x = x + 1
        return x, n


def build():
    return Model(), (torch.ones(2), torch.ones(3, dtype=torch.long)), {}


def more_inputs():
    return [((-torch.ones(2), -torch.ones(3, dtype=torch.long)), {})]
"""
TABLE = '[[tool.graphmend-lint.verify]]\nname = "mine"\ntarget = "model.py:build"\nbackend = "eager"\n'


def tool(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmend_lint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=600)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "pyproject.toml").write_text(TABLE)
    return tmp_path


@pytest.mark.torch
def test_of_three_fixes_the_one_that_is_proven_stays(folder: Path) -> None:
    pytest.importorskip("torch")
    done = tool("model.py", "--fix", "--verify", "mine", "--output-format", "concise", cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "proven: model.py:6: GM101 Select with `torch.where`\n" in done.stderr
    assert "dropped: model.py:8: GM101 Select with `torch.where`: fixed eager: dtype: " in done.stderr
    assert "dropped: model.py:11: GM101 Select with `torch.where`: no input of the target runs it\n" in done.stderr
    assert (folder / "model.py").read_text() == MODEL.replace(
        "        if x.sum() > 0:\n            x = x * 2\n", "        x = torch.where(x.sum() > 0, x * 2, x)\n"
    )
    assert "Found 3 graph breaks (1 fixed, 2 remaining)" in done.stdout


@pytest.mark.torch
def test_the_target_alone_writes_what_it_proves_as_well(folder: Path) -> None:
    pytest.importorskip("torch")
    text = MODEL.replace("n * 0.5", "n * 2")
    (folder / "model.py").write_text(text)
    done = tool("verify", "mine", "--fix", "--html", "page.html", cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    changed = (folder / "model.py").read_text()
    assert changed.count("torch.where") == 2
    assert "if deep.sum() > 0:" in changed
    page = (folder / "page.html").read_text()
    assert 'class="dropped"' in page
    assert "no input of the target runs it" in page


@pytest.mark.torch
def test_a_target_that_cannot_run_changes_nothing(folder: Path) -> None:
    pytest.importorskip("torch")
    text = MODEL.replace("return Model(), (torch.ones(2), ", "return Model(), (")
    (folder / "model.py").write_text(text)
    done = tool("model.py", "--fix", "--verify", "mine", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mine: the original ")
    assert (folder / "model.py").read_text() == text


@pytest.mark.torch
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--verify", "model.py:build"), "--verify goes with --fix, --fix-only or --diff, and with files."),
        (("--fix", "--verify", "model.py"), "'model.py' is not a target"),
        (("--fix", "--verify", "other.py:build"), "other.py: no such file"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_line(folder: Path, arguments: tuple[str, ...], reason: str) -> None:
    done = tool("model.py", *arguments, cwd=folder)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / "model.py").read_text() == MODEL
