"""The cache: the same run says the same without being done, and any change is seen."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from command_line import Run

from graphmend_lint import cache, store
from graphmend_lint.check import Run as Lint
from graphmend_lint.rewrite.vendored import helper_import
from graphmend_lint.seen import digest

FOLDER = Path(store.FOLDER)
BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")
        return x + 1
"""
CLEAN = BROKEN.replace('        print("hello")\n', "")
CALLER = """\
import torch

from helpers import shift


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if shift(x):
            return x
        return x + 1
"""
PLAIN = "def shift(x):\n    return True\n"
TENSOR = "def shift(x):\n    return x.sum() > 0\n"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Lint]:
    """The runs that are really done."""
    done: list[Lint] = []
    call = Lint.__call__

    def counted(self: Lint) -> int:
        done.append(self)
        return call(self)

    monkeypatch.setattr(Lint, "__call__", counted)
    return done


def entries(folder: Path = FOLDER) -> list[Path]:
    return sorted(folder.glob("*.json"))


@pytest.mark.parametrize("output", ["full", "json", "sarif", "concise"])
def test_the_same_run_is_not_done_again(run: Run, runs: list[Lint], output: str) -> None:
    Path("a.py").write_text(BROKEN)
    Path("bad.py").write_text("def f(:\n")
    first = run("--output-format", output)
    assert first[0] == 2
    assert "bad.py:1" in first[2]
    assert run("--output-format", output) == first
    assert len(runs) == 1


def test_what_is_kept_is_for_the_owner_and_tells_other_tools_to_pass(run: Run) -> None:
    Path("a.py").write_text(BROKEN)
    run("a.py")
    (entry,) = entries()
    assert (FOLDER / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert (FOLDER / ".gitignore").read_text() == "*\n"
    if os.name == "posix":
        assert stat.S_IMODE(entry.stat().st_mode) == 0o600
        assert stat.S_IMODE(FOLDER.stat().st_mode) == 0o700
    json.loads(entry.read_bytes().partition(b"\n")[2])


def test_a_changed_file_is_seen_even_if_size_and_time_are_the_same(run: Run, runs: list[Lint]) -> None:
    file = Path("a.py")
    file.write_text(BROKEN)
    before = file.stat()
    first = run("a.py")
    file.write_text(BROKEN.replace("print(", "prinx("))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run("a.py") != first
    file.write_text(BROKEN)
    assert run("a.py") == first
    assert len(runs) == 2


def test_a_new_file_is_seen(run: Run) -> None:
    Path("a.py").write_text(CLEAN)
    assert run(".")[0] == 0
    Path("b.py").write_text(BROKEN)
    assert run(".")[0] == 1


@pytest.mark.parametrize(("before", "after"), [(PLAIN, TENSOR), (None, TENSOR), (TENSOR, None), ("def (", TENSOR)])
def test_a_change_beside_the_linted_files_is_seen(run: Run, before: str | None, after: str | None) -> None:
    beside = Path("helpers.py")

    def put(text: str | None) -> None:
        beside.unlink(missing_ok=True)
        if text is not None:
            beside.write_text(text)

    Path("a.py").write_text(CALLER)
    put(before)
    first = run("a.py")
    assert run("a.py") == first
    put(after)
    changed = run("a.py")
    assert changed == run("a.py", "--no-cache")
    assert (first[0], changed[0]) == (int(before == TENSOR), int(after == TENSOR))


def test_a_module_that_becomes_a_package_is_seen(run: Run) -> None:
    Path("a.py").write_text(CALLER)
    Path("helpers").mkdir()
    Path("helpers/__init__.py").write_text(TENSOR)
    assert run("a.py")[0] == 1
    Path("helpers.py").write_text(PLAIN)
    assert run("a.py") == run("a.py", "--no-cache")


def test_the_module_that_fixes_call_is_seen(run: Run) -> None:
    Path("graphmend-lint.toml").write_text('side-effects = "vendor"\n')
    Path("a.py").write_text(BROKEN)
    first = run("a.py", "--output-format=json")
    assert run("vendor", ".")[0] == 0
    helper_import.cache_clear()
    assert run("a.py", "--output-format=json")[1] != first[1]


@pytest.mark.parametrize(
    "options", [["--select", "GM9"], ["--show-chain"], ["--exit-zero"], ["--statistics"], ["--output-format=json"]]
)
def test_other_options_are_another_run(run: Run, runs: list[Lint], options: list[str]) -> None:
    Path("a.py").write_text(BROKEN)
    first = run("a.py")
    assert run("a.py", *options)[:2] != first[:2]
    assert run("a.py") == first
    assert len(runs) == 2


def test_other_settings_are_another_run(run: Run) -> None:
    config = Path("graphmend-lint.toml")
    config.write_text("")
    Path("a.py").write_text(BROKEN)
    assert run("a.py")[0] == 1
    config.write_text('ignore = ["GM301"]\n')
    assert run("a.py")[0] == 0


def test_colour_and_folder_count(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("sub").mkdir()
    Path("sub/a.py").write_text(BROKEN)
    Path("graphmend-lint.toml").write_text("")
    plain = run("sub")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in plain
    assert "\x1b[" in run("sub")[1]
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.chdir("sub")
    assert run(".")[1].startswith("a.py")


def test_another_program_is_another_run(run: Run, runs: list[Lint], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.py").write_text(BROKEN)
    run("a.py")
    monkeypatch.setattr(cache, "program", lambda: "other")
    run("a.py")
    assert len(runs) == 2


def test_the_program_is_all_its_files() -> None:
    package = Path(cache.__file__).parent
    names = {os.path.relpath(each, package) for each in cache._data(str(package))}
    assert {"cli.py", "region.py", os.path.join("facts", "torch_api.json")} <= names
    assert len(cache._installed("libcst")) >= 1


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\x00", None])
def test_a_damaged_entry_is_passed_over(run: Run, runs: list[Lint], damage: bytes | None) -> None:
    Path("a.py").write_text(BROKEN)
    first = run("a.py")
    (entry,) = entries()
    data = entry.read_bytes()
    entry.write_bytes(data.replace(b"Found 1", b"Found 0") if damage is None else damage)
    assert run("a.py") == first
    assert len(runs) == 2
    assert entry.read_bytes() == data


def test_an_entry_of_another_form_is_passed_over(run: Run, runs: list[Lint]) -> None:
    Path("a.py").write_text(BROKEN)
    first = run("a.py")
    for body in (b"[]", b"{}", b'{"answer": 1, "seen": {"read": {}, "asked": {}}}', b'{"answer": {}, "seen": 1}'):
        entries()[0].write_bytes(digest(body).encode() + b"\n" + body)
        assert run("a.py") == first
    assert len(runs) == 5


def test_without_a_cache_nothing_is_written(run: Run, runs: list[Lint]) -> None:
    Path("a.py").write_text(BROKEN)
    run("a.py", "--no-cache")
    run("a.py", "--fix", "--diff")
    run("a.py", "--show-files")
    assert not FOLDER.exists()
    run("a.py")
    run("a.py", "--no-cache")
    assert len(runs) == 4


def test_the_folder_is_beside_the_configuration_or_where_it_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("sub").mkdir()
    Path("sub/a.py").write_text(CLEAN)
    Path("sub/graphmend-lint.toml").write_text("")
    run("sub")
    assert entries(Path("sub") / FOLDER)
    Path("sub/graphmend-lint.toml").write_text('cache-dir = "kept"\n')
    run("sub")
    assert entries(Path("sub/kept"))
    monkeypatch.setenv("GRAPHMEND_LINT_CACHE_DIR", "elsewhere")
    run("sub")
    assert entries(Path("elsewhere"))
    run("sub", "--cache-dir", "named")
    assert entries(Path("named"))


def test_clean_removes_it(run: Run) -> None:
    Path("a.py").write_text(BROKEN)
    run("a.py")
    assert run("clean")[0] == 0
    assert not FOLDER.exists()
    assert run("clean")[:2] == (0, "nothing to remove\n")


def test_clean_leaves_what_is_not_ours(run: Run) -> None:
    Path("mine").mkdir()
    Path("mine/notes.json").write_text("{}")
    Path("a.py").write_text(BROKEN)
    assert run("a.py", "--cache-dir", "mine")[0] == 1
    assert os.listdir("mine") == ["notes.json"]
    code, _, err = run("clean", "--cache-dir", "mine")
    assert code == 2
    assert "not a cache" in err
    assert os.listdir("mine") == ["notes.json"]


def test_only_so_many_entries_are_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LIMIT", 3)
    for number in range(5):
        Path("a.py").write_text(f"x = {number}\n")
        run("a.py")
        for age, entry in enumerate(entries()):
            os.utime(entry, (number * 10 + age, number * 10 + age))
    assert len(entries()) == 3


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_where_nothing_can_be_written_nothing_is_kept(run: Run) -> None:
    Path("a.py").write_text(BROKEN)
    Path("file").write_text("")
    assert run("a.py", "--cache-dir", "file/below")[0] == 1
    assert run("a.py", "--cache-dir", "/proc/self/nowhere")[::2] == (1, "")
    Path("closed").mkdir(mode=0o500)
    assert run("a.py", "--cache-dir", "closed/below")[::2] == (1, "")


def test_a_file_that_changes_while_it_is_read_is_not_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file, call = Path("a.py"), Lint.__call__
    file.write_text(BROKEN)

    def slow(self: Lint) -> int:
        file.write_text(CLEAN)
        return call(self)

    monkeypatch.setattr(Lint, "__call__", slow)
    run("a.py")
    assert entries() == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(run: Run) -> None:
    os.mkfifo("pipe.py")
    writer = Thread(target=Path("pipe.py").write_text, args=(BROKEN,))
    writer.start()
    assert run("pipe.py")[0] == 1
    writer.join()
    assert not FOLDER.exists()


def test_the_report_file_is_written_again(run: Run) -> None:
    Path("a.py").write_text(BROKEN)
    assert run("a.py", "-o", "one.txt")[:2] == (1, "")
    assert run("a.py", "-o", "two.txt")[:2] == (1, "")
    assert Path("one.txt").read_text() == Path("two.txt").read_text() != ""
    assert len(entries()) == 1


def test_runs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"m{number}.py").write_text(BROKEN)
    command = [sys.executable, "-m", "graphmend_lint", "--isolated", "--output-format", "concise"]
    for _ in range(2):
        started = [subprocess.Popen(command, cwd=tmp_path, stdout=-1, stderr=-1, text=True) for _ in range(3)]
        ended = [(*process.communicate(timeout=120), process.returncode) for process in started]
        assert len(set(ended)) == 1
        assert ended[0][1:] == ("", 1)
    assert len(entries(tmp_path / FOLDER)) == 1
    assert not list((tmp_path / FOLDER).glob("*.tmp"))


PROBE = """
import sys
from graphmend_lint.cli import main
code = main(["--isolated", "--output-format=json", "-o", "out.json", "."])
ours = [f"graphmend_lint.{name}" for name in ("check", "facts", "region", "rules")]
print(code, [each for each in ("torch", "libcst", *ours) if each in sys.modules])
"""


def test_a_warm_run_loads_neither_rules_nor_facts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    loaded = [
        subprocess.run([sys.executable, "-c", PROBE], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert "graphmend_lint.rules" in loaded[0]
    assert loaded[1] == "1 []\n"
