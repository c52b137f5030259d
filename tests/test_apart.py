"""Parts of a run: what belongs together, that processes say what one would, and what is linted again after a change."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from command_line import Run

from graphmend_lint import apart, check, engine
from graphmend_lint.brief import Brief
from graphmend_lint.config import Options, Settings
from graphmend_lint.parts import parts
from graphmend_lint.rule import load_rules
from graphmend_lint.said import Said, from_table
from graphmend_lint.seen import Seen
from graphmend_lint.source import Source

CASES = sorted((Path(__file__).parent / "rules").glob("*/*.before.py"))
MODEL = """\
import torch
{imports}

class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if {asked}:
            x = x * 2.0
        return x
"""
#: two projects that share nothing, and one that a script uses
FILES = {
    "one/train.py": MODEL.format(imports="from helpers import large\n", asked="large(x)"),
    "one/helpers.py": "def large(x):\n    return True\n",
    "two/train.py": MODEL.format(imports="from helpers import large\n", asked="large(x)"),
    "two/helpers.py": "def large(x):\n    return x.sum() > 0\n",
    "three/pkg/__init__.py": "",
    "three/pkg/model.py": MODEL.format(imports="from . import parts\n", asked="parts.large(x)"),
    "three/pkg/parts.py": "def large(x):\n    return x.mean() > 0\n",
    "scripts/run.py": "from pkg.model import Model\n",
    "broken.py": "def (:\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    return written(FILES)


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a run is, it is done part by part."""
    monkeypatch.setattr(check, "APART", 0)


@pytest.fixture
def linted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are really linted, by one process."""
    done: list[str] = []
    lint = engine.lint_part

    def noted(part: Iterable[Source], *rest: object) -> object:
        done.extend(str(each.path) for each in part)
        return lint(part, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "lint_part", noted)
    monkeypatch.setattr(apart, "cores", lambda: 1)
    return done


def written(texts: dict[str, str]) -> list[Path]:
    for name, text in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return [Path(name) for name in texts]


def divide(texts: dict[str, str]) -> list[list[str]]:
    return [[str(each.path) for each in part] for part in parts([Source.read(each) for each in written(texts)])]


def said(paths: list[Path], jobs: int = 1, output_format: str = "full") -> tuple[str, list[str], int]:
    run = check.Run(tuple(paths), Settings(output_format=output_format), Options(quiet=True, jobs=jobs))
    code = run()
    return run.text, sorted(run.errors), code


def test_what_imports_from_each_other_is_one_part(files: list[Path]) -> None:
    together = divide(FILES)
    assert together == [
        ["one/train.py", "one/helpers.py"],
        ["two/train.py", "two/helpers.py"],
        ["three/pkg/__init__.py", "three/pkg/model.py", "three/pkg/parts.py", "scripts/run.py"],
        ["broken.py"],
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "import other",
        "import other.inner",
        "import other.inner as o",
        "from other import x",
        "from other.inner import x",
        "def f():\n    from other.inner import (\n        x,\n        y,\n    )",
        "if True:\n    import os, other",
        "from . import other",
        "from .other import x",
        "from ..here import other",
    ],
)
def test_every_kind_of_import_joins(statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"here/a.py": f"{statement}\n", "here/other/__init__.py": "", "here/c.py": "import os\n"}
    assert divide(texts) == [["here/a.py", "here/other/__init__.py"], ["here/c.py"]]


def test_folders_that_are_no_packages_join_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"run.py": "import nets.small.model\n", "nets/small/model.py": "", "nets/large/model.py": ""}
    assert divide(texts) == [["run.py", "nets/small/model.py"], ["nets/large/model.py"]]
    texts["run.py"] = "import nets\n"
    assert len(divide(texts)) == 1


def test_a_package_is_never_divided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(divide({"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b/__init__.py": "", "pkg/b/c.py": ""})) == 1
    assert len(divide({"pkg/__init__.py": "", "pkg/d/e.py": "import pkg.d.f", "pkg/d/f.py": "", "pkg/g.py": ""})) == 1


def test_the_file_beside_the_importer_is_meant(files: list[Path]) -> None:
    text, _, _ = said(files, output_format="concise")
    assert "two/train.py:7:12: GM101" in text
    assert "one/train.py" not in text


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize("output_format", ["full", "concise", "junit", "json", "sarif"])
@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_processes_say_what_one_run_says(
    files: list[Path], jobs: int, output_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    divided = said(files, jobs, output_format)
    monkeypatch.setattr(check, "APART", 10**9)
    assert divided == said(files, 1, output_format)
    assert "GM101" in divided[0]
    assert len(divided[1]) == 1


@pytest.mark.usefixtures("divided")
def test_fresh_processes_do_too(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    before = said(files)
    monkeypatch.setattr(sys, "platform", "another")
    assert said(files, 2) == before


@pytest.mark.usefixtures("divided")
@pytest.mark.skipif(sys.platform != "linux", reason="a forked process ends as it is told here")
def test_what_a_process_leaves_undone_is_done_here(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    before, mine, lint = said(files), os.getpid(), apart.Job.__call__

    def killed(job: apart.Job, some: Iterable[apart.Part]) -> list[Said]:
        if os.getpid() != mine:
            os.kill(os.getpid(), signal.SIGKILL)
        return lint(job, some)

    monkeypatch.setattr(apart.Job, "__call__", killed)
    assert said(files, 2) == before


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize("error", [OSError(24, "too many files"), ImportError("no semaphores"), NotImplementedError()])
def test_without_other_processes_one_does_it_all(
    files: list[Path], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said(files)

    def none(_: str) -> object:
        raise error

    monkeypatch.setattr(multiprocessing, "get_context", none)
    assert said(files, 2) == before


@pytest.mark.usefixtures("divided")
def test_all_cases_say_the_same_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, case in enumerate(CASES[::3]):
        (tmp_path / f"case_{number}.py").write_bytes(case.read_bytes())
    divided = said([tmp_path], 2, "concise")
    monkeypatch.setattr(check, "APART", 10**9)
    assert said([tmp_path], 1, "concise") == divided


def test_what_is_kept_is_what_was_said() -> None:
    rules = list(load_rules().values())
    given = [Source.read(case) for case in CASES[::5]]
    brief = Brief([each.path for each in given], edits=True)
    found = [each for one in given for each in engine.lint_part([one], rules, brief=brief)]
    kept = from_table(json.loads(json.dumps(Said(tuple(found), ("a line",), Seen({"a": "b"}, {"c": True})).as_table())))
    assert (kept.lines, kept.seen) == (("a line",), Seen({"a": "b"}, {"c": True}))
    assert [each._replace(node=None) for each in kept.diagnostics] == [each._replace(node=None) for each in found]
    assert {type(each.outcome).__name__ for each in found} == {"Fix", "Refusal"}
    assert any(engine.text_edits(given[0], each) for each in kept.diagnostics)


@pytest.mark.usefixtures("divided", "files")
def test_only_what_belongs_to_a_change_is_linted_again(run: Run, linted: list[str]) -> None:
    first = run(".", "--output-format", "concise")[1]
    assert len(linted) == len(FILES)
    linted.clear()
    Path("one/helpers.py").write_text(FILES["two/helpers.py"])
    second = run(".", "--output-format", "concise")[1]
    assert sorted(linted) == ["one/helpers.py", "one/train.py"]
    assert "one/train.py" not in first
    assert "one/train.py:7:12: GM101" in second
    assert set(first.splitlines()[:-1]) < set(second.splitlines())


@pytest.mark.usefixtures("divided", "files")
def test_other_words_for_the_same_are_not_linted_for(run: Run, linted: list[str]) -> None:
    run(".", "--output-format", "concise")
    linted.clear()
    full = run(".", "--output-format", "full")
    assert not linted
    assert full == run(".", "--output-format", "full", "--no-cache")
    linted.clear()
    run(".", "--select", "GM3")
    assert len(linted) == len(FILES)


@pytest.mark.usefixtures("divided", "files")
def test_a_new_file_may_part_what_was_together(run: Run, linted: list[str]) -> None:
    Path("one/helpers.py").unlink()
    assert "one/train.py:7:12: GM101" in run(".", "--output-format", "concise")[1]  # by way of two/helpers.py
    linted.clear()
    Path("one/helpers.py").write_text(FILES["one/helpers.py"])
    assert "one/train.py" not in run(".", "--output-format", "concise")[1]
    assert sorted(linted) == ["one/helpers.py", "one/train.py", "two/helpers.py", "two/train.py"]


@pytest.mark.usefixtures("divided")
def test_a_file_beside_the_linted_ones_counts(run: Run, linted: list[str], files: list[Path]) -> None:
    given = [str(each) for each in files if each.name != "helpers.py"]
    run(*given)
    linted.clear()
    Path("two/helpers.py").write_text(FILES["one/helpers.py"])
    assert "two/train.py" not in run(*given, "--output-format", "concise")[1]
    assert linted == ["two/train.py"]


@pytest.mark.usefixtures("divided", "files")
def test_damaged_memories_are_passed_over(run: Run, linted: list[str]) -> None:
    before = run(".")
    Path("two/new.py").write_text("")
    for kept in Path(".graphmend_lint_cache").glob("*.json"):
        kept.write_bytes(kept.read_bytes().replace(b"GM101", b"GM102"))
    linted.clear()
    assert run(".") == before
    assert len(linted) == len(FILES) + 1


def begun(folder: Path, interrupt: Callable[..., object] | int) -> subprocess.Popen[str]:
    """A run by two processes that takes some seconds, and what an interrupt does to it."""
    slow = "import torch\n" + "\n".join(MODEL.format(imports="", asked="x.sum() > 0") for _ in range(200))
    for number in range(40):
        (folder / f"m{number}.py").write_text(slow)
    child = subprocess.Popen(
        [sys.executable, "-m", "graphmend_lint", "--isolated", "--no-cache", "-q", "-j", "2", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, interrupt),
    )
    time.sleep(1)
    return child


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("tell", [os.kill, os.killpg])
def test_an_interrupt_ends_all_processes_without_a_traceback(tmp_path: Path, tell: Callable[[int, int], None]) -> None:
    child = begun(tmp_path, signal.SIG_DFL)
    tell(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_in_the_background_no_interrupt_counts(tmp_path: Path) -> None:
    child = begun(tmp_path, signal.SIG_IGN)
    os.killpg(child.pid, signal.SIGINT)
    out, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (1, "")
    assert out.count("GM101") >= 8_000
