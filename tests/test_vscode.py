"""The extension for VS Code: small enough to be read, and what it says about us is true."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from graphmend_lint.cli import cli

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text("utf-8"))


def test_it_starts_a_command_that_there_is() -> None:
    (setting,) = PACKAGE["contributes"]["configuration"]["properties"].values()
    program, command = setting["default"]
    assert program == "graphmend-lint"
    assert command in cli.commands
    assert (FOLDER / PACKAGE["main"]).is_file()


def test_a_workspace_that_is_not_trusted_cannot_choose_the_command() -> None:
    assert PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] == ["graphmend-lint.command"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_extension_is_valid_javascript() -> None:
    subprocess.run(["node", "--check", FOLDER / "extension.js"], check=True)


@pytest.mark.heavy
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_the_extension_can_be_packaged(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "vscode")
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["npm", "run", "package"], cwd=folder, check=True, capture_output=True)
    assert (folder / "graphmend-lint.vsix").stat().st_size > 10_000
