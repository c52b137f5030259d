"""The plugin, run by flake8 itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphmend_lint.flake8_plugin import Plugin

BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("é", x.shape)
        return x + 1
"""


def test_the_tree_that_flake8_has_parsed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is not parsed again: it need not even be Python."""
    tree = ast.parse(BROKEN)
    monkeypatch.setattr(ast, "parse", None)
    plugin = Plugin(tree, "a.py", [line.replace("return", "retrun ((") for line in BROKEN.splitlines(keepends=True)])
    assert [(row, column, text[:5]) for row, column, text, _ in plugin.run()] == [(6, 8, "GM301")]


def test_a_mistake_in_the_configuration_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    (tmp_path / "graphmend-lint.toml").write_text("selct = []")
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "GM", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "unknown key `selct`; did you mean `select`?" in done.stdout + done.stderr


def flake8(folder: Path, *arguments: str) -> list[str]:
    command = [sys.executable, "-m", "flake8", "--isolated", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_same_places_as_our_own_command(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    command = [sys.executable, "-m", "graphmend_lint", "--output-format", "json", "a.py"]
    rows = json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout)
    ours = [
        f"{each['location']['row']}:{each['location']['column']}: {each['code']} {each['message']}" for each in rows
    ]
    assert ours
    assert [line.removeprefix("./a.py:") for line in flake8(tmp_path, "--select", "GM", ".")] == ours


def test_flake8_selects_and_silences(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(BROKEN)
    assert flake8(tmp_path, "--select", "GM1", ".") == []
    file.write_text(BROKEN.replace("x.shape)", "x.shape)  # noqa: GM301"))
    assert flake8(tmp_path, "--select", "GM", ".") == []
    file.write_text(BROKEN.replace("x.shape)", "x.shape)  # graphmend: ignore[GM301]"))
    assert flake8(tmp_path, "--select", "GM", ".") == []


def test_our_configuration_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    (tmp_path / "graphmend-lint.toml").write_text('ignore = ["GM3"]')
    assert flake8(tmp_path, "--select", "GM", ".") == []


def test_it_is_on_by_default_and_names_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    assert any(" GM301 " in line for line in flake8(tmp_path, "."))
    assert "graphmend-lint" in flake8(tmp_path, "--version")[0]


def test_flake8_lints_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "GM", "-"]
    done = subprocess.run(command, cwd=tmp_path, input=BROKEN, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("stdin:6:9: GM301 ")
