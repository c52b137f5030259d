"""Odd trees: circles, links, what is no file, files that vanish or change."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from command_line import BROKEN, FIX, Run, body

from graphmend_lint.check import Run as Lint
from graphmend_lint.config import Options, Settings


def test_imports_in_a_circle(run: Run) -> None:
    Path("a.py").write_text("from b import *\nfrom b import f as g\nimport a\n" + body("g(x)"))
    Path("b.py").write_text("from c import *\nfrom a import Model\n")
    Path("c.py").write_text("from a import *\nfrom c import h\n\n\ndef f(x):\n    print(x)\n    return f(x)\n")
    code, out, err = run("--no-cache", "--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.startswith("c.py:6:5: GM301")


def test_an_import_from_above_the_root(run: Run) -> None:
    Path("a.py").write_text(f"from {'.' * 60}x import y\n" + body("print(y(x))"))
    assert run("--no-cache")[0] == 1


def test_hundreds_of_folders_that_are_no_packages_are_linted(run: Run) -> None:
    for number in range(300):
        Path(f"d{number}").mkdir()
        Path(f"d{number}/m{number}.py").write_text(f"from m{299 - number} import f\nimport gone\n" + body("f(x)"))
    Path("d7/m7.py").write_text("def f(x):\n    print(x)\n")
    lint = Lint((Path("."),), Settings(), Options(quiet=True))
    lint()
    assert lint.text.count(": GM301") == 1
    assert len(lint.projects) == 150
    assert sum(len(project.asked) for project in lint.projects) < 5_000


def test_links_in_a_circle(run: Run) -> None:
    Path("a.py").write_text(BROKEN)
    Path("loop.py").symlink_to("loop.py")
    Path("folder").symlink_to(".")
    Path("dangling.py").symlink_to("nowhere")
    code, out, err = run("--no-cache", "--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.count("GM301") == 1
    code, _, err = run("loop.py", "dangling.py", "--no-cache")
    assert (code, err.count("\n")) == (2, 2)


def test_a_folder_a_pipe_and_a_device_that_look_like_files(run: Run) -> None:
    Path("folder.py").mkdir()
    os.mkfifo("pipe.py")
    Path("null.py").symlink_to("/dev/null")
    assert run("--no-cache")[0] == 0


def test_a_file_that_vanishes_before_it_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.py").write_text(BROKEN)
    Path("gone.py").write_text(BROKEN)
    read = Path.read_bytes

    def vanishing(path: Path) -> bytes:
        if path.name == "gone.py":
            path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", vanishing)
    code, out, err = run("--no-cache", "--output-format", "concise")
    assert (code, err) == (2, "gone.py:1: cannot read the file: No such file or directory\n")
    assert out.startswith("a.py:6")


def test_a_file_that_changes_before_it_is_written_is_left_as_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.py").write_text(BROKEN)
    deliver = Lint._deliver
    monkeypatch.setattr(Lint, "_deliver", lambda *given: (Path("a.py").write_text("x = 1\n"), deliver(*given)))
    code, _, err = run(*FIX)
    assert (code, err) == (2, "a.py: not written: the file has changed since it was read\n")
    assert Path("a.py").read_text() == "x = 1\n"


def test_thousands_of_paths(run: Run) -> None:
    for number in range(300):
        Path(f"m{number}.py").write_text(BROKEN if number == 7 else "x = 1\n")
    code, out, _ = run(*([f"m{n}.py" for n in range(300)] * 20), "--no-cache", "--output-format", "concise")
    assert (code, out.count("GM301")) == (1, 1)


@pytest.mark.parametrize("pattern", ["src\\\\gen", "src\\\\gen\\\\*.py", "src\\\\**\\\\a.py", "src/gen"])
def test_windows_paths_in_the_configuration(run: Run, pattern: str) -> None:
    Path("src/gen").mkdir(parents=True)
    Path("src/gen/a.py").write_text(BROKEN)
    Path("src/b.py").write_text(BROKEN)
    Path("graphmend-lint.toml").write_text(f'exclude = ["{pattern}"]\n')
    assert re.findall(r"\S+\.py", run("--no-cache", "--output-format", "concise")[1]) == ["src/b.py"]
    Path("graphmend-lint.toml").write_text(f'[per-file-ignores]\n"{pattern}" = ["GM3"]\n')
    assert re.findall(r"\S+\.py", run("--no-cache", "--output-format", "concise")[1]) == ["src/b.py"]
