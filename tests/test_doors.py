"""One detector behind every door: the command line, flake8, fixit and the language server say the same."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lsp_client import Client

from graphmend_lint.rule import load_rules

Found = set[tuple[str, int, int, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples of all rules."""
    path = tmp_path_factory.mktemp("examples")
    for rule in load_rules().values():
        example = re.findall(r"```python\n(.*?)```", rule.doc, re.S)[0]
        (path / f"{rule.name.replace('-', '_')}.py").write_text(example)
    (path / "pyproject.toml").write_text(
        '[tool.fixit]\nroot = true\nenable = ["graphmend_lint.fixit_rules"]\ndisable = ["fixit.rules"]\n'
    )
    return path


def output(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.fixture(scope="module")
def ours(folder: Path) -> Found:
    rows = json.loads(output(folder, "graphmend_lint", ".", "--output-format", "json"))
    found = {
        (Path(row["filename"]).name, row["location"]["row"], row["location"]["column"], row["code"]) for row in rows
    }
    assert {code for _, _, _, code in found} >= set(load_rules())
    return found


def test_flake8_says_what_the_command_line_says(folder: Path, ours: Found) -> None:
    text = output(folder, "flake8", "--isolated", "--select", "GM", ".")
    rows = re.findall(r"^\./(\S+?):(\d+):(\d+): (GM\d+)", text, re.M)
    assert {(name, int(row), int(column), code) for name, row, column, code in rows} == ours


def test_fixit_says_what_the_command_line_says(folder: Path, ours: Found) -> None:
    rows = re.findall(r"^(\S+?)@(\d+):(\d+) (GM\d+):", output(folder, "fixit", "lint", "."), re.M)
    assert {(Path(name).name, int(row), int(column) + 1, code) for name, row, column, code in rows} == ours


def test_the_language_server_says_what_the_command_line_says(folder: Path, ours: Found) -> None:
    client = Client(folder, pulls=True)
    found: Found = set()
    try:
        for file in sorted(folder.glob("*.py")):
            client.open(file, file.read_text())
            for each in client.pull(file):
                start = each["range"]["start"]
                found.add((file.name, start["line"] + 1, start["character"] + 1, each["code"]))
    finally:
        client.process.kill()
    assert found == ours
