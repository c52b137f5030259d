"""What settings do, seen from the command line: which files, which entry points, which comments, which codes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmend_lint.cli import main

HEAD = "import torch\n\n\n"
MODEL = f"""{HEAD}class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")
        return x + 1
"""
FUNCTION = f'{HEAD}def step(x: torch.Tensor) -> torch.Tensor:\n    print("hello")\n    return x + 1\n'
Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in an empty folder: exit code, files and codes that are named, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, list[str], str]:
        code = main([*arguments, "--quiet", "--no-cache", "--output-format", "concise"])
        out, err = capsys.readouterr()
        return code, [f"{line.split(':')[0]} {line.split()[1]}" for line in out.splitlines()], err

    return call


def write(name: str, text: str = MODEL) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def configure(*lines: str) -> None:
    write("graphmend-lint.toml", "\n".join(lines))


def test_files_are_those_that_gitignore_and_exclude_leave(run: Run) -> None:
    for name in ("a.py", "gen/b.py", "gen/deep/c.py", "old/d.py", "pkg/e_pb.py", "pkg/f.py"):
        write(name)
    Path(".git").mkdir()
    write(".gitignore", "gen/\n")
    write("gen/.gitignore", "!deep/\n")
    write("pkg/.gitignore", "*_pb.py\n")
    assert run(".")[1] == ["a.py GM301", "old/d.py GM301", "pkg/f.py GM301"]
    configure('extend-exclude = ["old"]')
    assert run(".")[1] == ["a.py GM301", "pkg/f.py GM301"]
    assert run(".", "--extend-exclude", "pkg")[1] == ["a.py GM301"]
    assert run("old/d.py")[1] == ["old/d.py GM301"]
    assert run("old/d.py", "--force-exclude") == (0, [], "")
    configure('exclude = ["old"]', "force-exclude = true", "respect-gitignore = false")
    assert run("old/d.py") == (0, [], "")
    assert run(".")[1] == [f"{name} GM301" for name in ("a.py", "gen/b.py", "gen/deep/c.py", "pkg/e_pb.py", "pkg/f.py")]


def test_the_configuration_is_the_one_that_is_named_or_none(run: Run) -> None:
    write("a.py")
    configure('ignore = ["GM3"]')
    write("other/strict.toml", 'select = ["GM3"]')
    write("other/base.toml", 'extend = "strict.toml"\nignore = ["GM301"]')
    assert run("a.py")[0] == 0
    assert run("a.py", "--isolated")[0] == 1
    assert run("a.py", "--config", "other/strict.toml")[0] == 1
    assert run("a.py", "--config", "other/base.toml")[0] == 0


def test_entry_points_are_those_of_the_settings(run: Run) -> None:
    write("a.py", MODEL + FUNCTION.removeprefix(HEAD))
    assert len(run("a.py")[1]) == 1
    configure('entry-points = "explicit"')
    assert run("a.py")[1] == []
    configure('entry-points = ["a:step"]')
    assert run("a.py")[1] == ["a.py GM301"]
    configure('entry-points = ["a:stop"]')
    assert run("a.py")[1] == []


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ("# graphmend: off\n", "# graphmend: on\n", []),
        ("# graphmend: off[GM301]\n", "# graphmend: on[GM301]\n", []),
        ("# graphmend: off[GM1]\n", "# graphmend: on[GM1]\n", ["a.py GM301"]),
        ("# graphmend: ignore-file\n", "", []),
        ("# graphmend: ignore-file[GM3]\n", "", []),
        ("# graphmend: ignore-file[GM201]\n", "", ["a.py GM301"]),
        ("# flake8: noqa\n", "", []),
        ("# flake8: noqa: GM301\n", "", []),
    ],
)
def test_blocks_and_files_that_are_silenced(run: Run, before: str, after: str, codes: list[str]) -> None:
    write("a.py", before + MODEL + after)
    assert run("a.py")[1] == codes


def test_paths_are_those_of_the_prompt(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write("pkg/a.py")
    write("pkg/sub/b.py")
    assert run(str(tmp_path / "pkg"))[1] == ["pkg/a.py GM301", "pkg/sub/b.py GM301"]
    monkeypatch.chdir(tmp_path / "pkg" / "sub")
    assert run(".")[1] == ["b.py GM301"]
    assert run("../a.py")[1] == ["../a.py GM301"]


def test_exit_codes_tell_clean_found_and_failed_apart(run: Run) -> None:
    write("broken.py")
    write("clean.py", HEAD)
    write("bad.py", "def (")
    assert run("clean.py")[0] == 0
    assert run("broken.py")[0] == 1
    assert run("bad.py")[0] == 2
    assert run("bad.py", "broken.py")[0] == 2
    assert run("gone.py")[0] == 2
    assert run("broken.py", "--no-such-option")[0] == 2
    assert run("bad.py", "--exit-zero")[0] == 2
    assert run("broken.py", "--exit-zero")[0] == 0


def test_watching_tells_of_a_change(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(HEAD)
    command = [sys.executable, "-m", "graphmend_lint", "--watch", "--output-format", "concise", "a.py"]
    running = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert running.stdout is not None
    try:
        assert running.stdout.readline() == "All checks passed!\n"
        file.write_text(MODEL)
        assert running.stdout.readline().startswith("a.py:6:9: GM301")
        assert running.stdout.readline().startswith("Found 1 graph break")
        file.write_text(HEAD)
        assert running.stdout.readline() == "All checks passed!\n"
    finally:
        running.kill()
        running.wait()
