"""What most tests of the command line run it with."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run

from graphmend_lint.cli import main


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "GRAPHMEND_LINT_CACHE_DIR", "GRAPHMEND_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call
