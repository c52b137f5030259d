"""ruff beside us: what it makes of our suppression comments, as the README says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TEXT = 'print("a")  # noqa: GM301\n'


def ruff(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "RUF", *arguments, "a.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == "" or "Found" in done.stderr or "warning" in done.stderr, done.stderr
    return done.stdout


def test_ruff_takes_our_comment_out_unless_it_is_told_about_us(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(TEXT)
    assert "GM301" in ruff(tmp_path)
    ruff(tmp_path, "--fix")
    assert "GM301" not in file.read_text()
    file.write_text(TEXT)
    (tmp_path / "pyproject.toml").write_text('[tool.ruff.lint]\nexternal = ["GM"]\n')
    assert "GM301" not in ruff(tmp_path)
    ruff(tmp_path, "--fix")
    assert file.read_text() == TEXT
