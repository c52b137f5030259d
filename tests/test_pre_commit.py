"""The hooks, run by pre-commit itself on a repository of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")
        return x + 1
"""
CONFIG = """\
repos:
- repo: {hooks}
  rev: {rev}
  hooks:
  - id: graphmend-lint-fix
    args: [--unsafe-fixes]
  - id: graphmend-lint
"""
ENVIRONMENT = os.environ | {
    f"GIT_{who}_{what}": "test@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=ENVIRONMENT)
    return done.stdout.strip()


def repository(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    git(folder, "init", "--quiet")
    return folder


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """This project as it stands, committed to a repository of its own."""
    folder = repository(tmp_path_factory.mktemp("hooks"))
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder, commit(folder)


def test_the_hooks_fix_and_check_in_an_environment_without_torch(tmp_path: Path, hooks: tuple[Path, str]) -> None:
    project = repository(tmp_path / "project")
    home = tmp_path / "cache"
    (project / "a.py").write_text(BROKEN)
    (project / "generated").mkdir()
    (project / "generated" / "b.py").write_text(BROKEN)
    cells = [{"cell_type": "code", "metadata": {}, "source": BROKEN, "outputs": [], "execution_count": None}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (project / "c.ipynb").write_text(json.dumps(notebook))
    (project / "pyproject.toml").write_text('[tool.graphmend-lint]\nextend-exclude = ["generated"]\n')
    (project / ".pre-commit-config.yaml").write_text(CONFIG.format(hooks=hooks[0], rev=hooks[1]))
    git(project, "add", "--all")

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"]
        environment = ENVIRONMENT | {"PRE_COMMIT_HOME": str(home)}
        return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=environment)

    first = run()
    assert first.returncode == 1, first.stdout + first.stderr
    assert "files were modified by this hook" in first.stdout
    assert "torch._higher_order_ops.print" in (project / "a.py").read_text()
    assert "torch._higher_order_ops.print" in (project / "c.ipynb").read_text()
    assert (project / "generated" / "b.py").read_text() == BROKEN
    second = run()
    assert second.returncode == 0, second.stdout + second.stderr
    assert second.stdout.count("Passed") == 2
    assert not list(home.rglob("site-packages/torch"))
    (project / "a.py").write_text(BROKEN)
    git(project, "add", "--all")
    config = CONFIG.format(hooks=hooks[0], rev=hooks[1]).replace(
        "  - id: graphmend-lint-fix\n    args: [--unsafe-fixes]\n", ""
    )
    (project / ".pre-commit-config.yaml").write_text(config)
    git(project, "add", "--all")
    third = run()
    assert third.returncode == 1
    assert "a.py:6:9: GM301" in third.stdout
    assert (project / "a.py").read_text() == BROKEN
