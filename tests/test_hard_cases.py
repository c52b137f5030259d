"""Odd files, odd trees and bad luck: one clear line each, and a file is old or new, never half."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmend_lint import budget
from graphmend_lint.check import Run as Lint
from graphmend_lint.cli import main
from graphmend_lint.config import Options, Settings

BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")
        return x + 1
"""
FIX = ("--fix", "--unsafe-fixes", "--no-cache")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "GRAPHMEND_LINT_CACHE_DIR", "GRAPHMEND_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["check", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def fixed(run: Run, text: str = BROKEN) -> str:
    Path("expected.py").write_text(text)
    run("expected.py", *FIX)
    found = Path("expected.py").read_text()
    Path("expected.py").unlink()
    assert found != text
    return found


def body(*lines: str) -> str:
    return BROKEN.replace('        print("hello")\n', "".join(f"        {line}\n" for line in lines))


# Odd text

REFUSED = {
    "parentheses": "x = " + "(" * 5_000 + ")" * 5_000,
    "minus signs": "x = " + "-" * 200_000 + "1",
    "attributes": "x = a" + ".b" * 200_000,
    "sums": "x = " + "+".join(["1"] * 200_000),
    "blocks": "".join(" " * n + "if x:\n" for n in range(200)) + " " * 200 + "pass",
    "newer Python": "x = lazy import y",
    "older Python": "exec 'x'",
    "a null byte": "x = 1\0",
    "a long number": "x = " + "9" * 100_000,
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_python_does_not_read_is_one_line(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    Path("b.py").write_text(BROKEN)
    code, out, err = run("--no-cache", "--output-format", "concise")
    if not (3, 11) <= sys.version_info < (3, 14) and text in (REFUSED["attributes"], REFUSED["sums"]) and not err:
        assert code == 1  # this Python has no such limit
        return
    assert code == 2
    assert re.fullmatch(r"a\.py:\d+: .{10,300}\n", err)
    assert out.startswith("b.py:6:9: GM301")


def test_a_syntax_error_names_the_python_that_found_it(run: Run) -> None:
    Path("a.py").write_text("x = t'{y}' if else\n")
    assert f"(as Python {sys.version_info[0]}.{sys.version_info[1]})" in run("--no-cache")[2]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python reads it")
@pytest.mark.parametrize("text", ["x = t'{y}'\n", "try: pass\nexcept A, B: pass\n"])
def test_syntax_of_a_later_python(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    code, _, err = run("--no-cache")
    assert code == 2
    assert re.fullmatch(r"a\.py:\d: not valid Python: .* \(as Python 3\.\d+\)\n", err)


def test_warnings_of_the_parser_are_not_ours(run: Run) -> None:
    Path("a.py").write_text('x = "\\d" is 1\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run("--no-cache") == (0, "All checks passed!\n", "")


LONG = {
    "a string": f"y = '{'a' * 1_000_000}'",
    "a list": "y = [" + "1," * 20_000 + "]",
    "a comment": f"y = 1  # {'a' * 1_000_000}",
    "a name": f"{'y' * 1_000_000} = 1",
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_a_line_of_a_megabyte_is_kept(run: Run, line: str) -> None:
    Path("a.py").write_text(body(line, 'print("hello")'))
    run(*FIX)
    text = Path("a.py").read_text()
    assert f"\n        {line}\n" in text
    assert "\n        print(" not in text


def test_a_call_with_thousands_of_arguments(run: Run) -> None:
    many = ", ".join(f"a{n}" for n in range(3_000))
    Path("a.py").write_text(body(f"f({many.replace('a', 'x + ')})") + f"\n\ndef f({many}):\n    print(a7)\n")
    assert run("--no-cache", "--output-format", "concise")[1].startswith("a.py:11:5: GM301")


PLAIN = {  # no file in which a region begins, so that no tree is made for it
    "x = lazy import y": True,
    "return": False,
    "def f():\n    x = 1\n    global x\n": False,
    "def f(a, a): pass": False,
    "x = 1\n  y = 2": True,
    "from __future__ import braces": sys.version_info >= (3, 14),
    "x = '\\N{no such name}'": True,
    "": False,
}


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: text.strip()[:20])
def test_what_is_no_python_is_said_of_any_file(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    code, _, err = run("--no-cache")
    assert (code, bool(err)) == (2 * PLAIN[text], PLAIN[text])
    Path("a.py").write_text(f"{text}\n# torch")
    assert run("--no-cache")[::2] == (code, err)


def test_no_tree_is_made_of_a_file_that_cannot_matter(run: Run) -> None:
    Path("a.py").write_text("from b import f\n" + body("print(f(x))"))
    Path("b.py").write_text("def f(x):\n    return x\n")
    Path("c.py").write_text("def f(x):\n    return x\n")
    lint = Lint((Path("."),), Settings(), Options(quiet=True))
    lint()
    (project,) = lint.projects
    assert {module.path.name for module in project.linted if "tree" in vars(module.source)} == {"a.py", "b.py"}


# Odd programs

FOLLOWED = {
    "paths without end": """
    def forward(self, x, kind):
        return self.order(kind), x
    def order(self, kind):
        found = [kind]
        for base in kind.node.bases:
            found += self.order(self.base(base, kind))
        return found
    def base(self, node, kind):
        if node.value:
            return node.value.target
        if node.other:
            return node.target
        return kind.module.target
""",
    "a closure in a recursion": """
    def forward(self, x):
        return total(lambda a: a, x, (), [x])
def total(f, x, done, rest):
    if len(rest) > 3:
        return inner(lambda a, b: total(lambda c: f(c), a, (b, done), rest[1:]), x, done, rest)
    return inner(lambda a, b: f(a), x, (), rest) + part(lambda a, b: total(lambda c: f(c), b, (a,), rest), x, (), rest)
def inner(f, x, done, rest):
    return f(x, done) + total(lambda a: f(a, done), x, (done, x), rest) + part(f, x, [done], rest)
def part(f, x, done, rest):
    return f(done, x) + inner(lambda a, b: f(b, a), x, [done], rest) + total(lambda a: f(a, x), x, done, [rest])
""",
    "nothing to spread": """
    def forward(self, x, **kwargs):
        return self.inner(x, **{"a": 1, **kwargs})
    def inner(self, x, a, **kwargs):
        return {**kwargs, "b": x}
""",
    "bases in a circle": """
    def forward(self, x):
        return A().forward(x)
class A(B):
    pass
class B(A, Model):
    pass
""",
    "an attribute that asks for itself": """
    def __getattr__(self, name):
        return getattr(self, name)
    @property
    def a(self):
        return self.b
    @property
    def b(self):
        return self.a + self.c
    def forward(self, x):
        return x * self.a
""",
    "tuples of tuples": "\n    def forward(self, x):\n        y = (x,)\n"
    + "        y = (y, y)\n" * 60
    + "        return y\n",
    "numbers and text without end": """
    def forward(self, x):
        y, z, w = 10 ** 10 ** 10, "a" * 10 ** 10, [x] * 10 ** 10
        for i in range(10 ** 10):
            y = y << i
        print(z)
        return w
""",
    "calls of calls": "\n    def forward(self, x):\n        return f0(x, 1)\n"
    + "".join(f"def f{n}(x, y):\n    return f{n + 1}(x, y) + f{n + 1}([x], (y, x))\n" for n in range(40))
    + "def f40(x, y):\n    return x\n",
}


@pytest.mark.parametrize("methods", FOLLOWED.values(), ids=FOLLOWED)
def test_a_program_that_is_hard_to_follow(run: Run, monkeypatch: pytest.MonkeyPatch, methods: str) -> None:
    monkeypatch.setattr(budget, "SECONDS", 30.0)
    Path("a.py").write_text(f"import torch\n\n\nclass Model(torch.nn.Module):{methods}")
    assert run("--no-cache", "--quiet")[2] == ""


# Odd trees


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


def test_hundreds_of_folders_that_are_no_packages(run: Run) -> None:
    for number in range(300):
        Path(f"d{number}").mkdir()
        Path(f"d{number}/m{number}.py").write_text(f"from m{299 - number} import f\nimport gone\n" + body("f(x)"))
    Path("d7/m7.py").write_text("def f(x):\n    print(x)\n")
    lint = Lint((Path("."),), Settings(), Options(quiet=True))
    lint()
    (project,) = lint.projects
    assert lint.text.count(": GM301") == 1
    assert len(project.asked) < 5_000


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


# Notebooks


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"cell_type": "code"}]}', "[" * 100_000, "\0"],
)
def test_a_notebook_that_is_none(run: Run, text: str) -> None:
    Path("a.ipynb").write_text(text)
    code, _, err = run("--no-cache")
    assert (code, err) == (2, "a.ipynb:1: not a valid notebook\n")


def test_a_cell_that_is_nested_too_deeply(run: Run) -> None:
    cell = {"cell_type": "code", "source": REFUSED["minus signs"], "outputs": [], "metadata": {}}
    Path("a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    code, _, err = run("--no-cache")
    assert code == 2
    assert re.fullmatch(r"a\.ipynb:cell 1:1: .{10,300}\n", err)


# Bad luck

CLI = [sys.executable, "-m", "graphmend_lint", "check"]
WAITING = """\
import os, sys, time
from graphmend_lint.cli import main

replace = os.replace
def waiting(*given):
    if sys.argv[1] == "after":
        replace(*given)
    print("now", flush=True)
    time.sleep(60)
os.replace = waiting
main(["check", "a.py", "--fix", "--unsafe-fixes", "--no-cache"])
"""


def test_a_full_disk_leaves_the_old_file(run: Run) -> None:
    text = BROKEN + "#" * 100_000
    Path("a.py").write_text(text)

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = subprocess.run([*CLI, "a.py", *FIX], preexec_fn=limit, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "a.py: cannot write the file: File too large\n")
    assert Path("a.py").read_text() == text
    assert [path.name for path in Path().iterdir()] == ["a.py"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_that_is_killed_while_it_writes(run: Run, moment: str) -> None:
    new = fixed(run)
    Path("a.py").write_text(BROKEN)
    with subprocess.Popen([sys.executable, "-c", WAITING, moment], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "now\n"
        child.kill()
    assert Path("a.py").read_text() == (BROKEN if moment == "before" else new)
    assert run(*FIX)[0] == 0
    assert Path("a.py").read_text() == new


def test_runs_that_are_killed_at_any_time(run: Run) -> None:
    new, text = fixed(run, BROKEN * 40), BROKEN * 40
    for delay in (0.05, 0.2, 0.4, 0.6, 0.8):
        Path("a.py").write_text(text)
        with subprocess.Popen([*CLI, "a.py", *FIX], stdout=subprocess.DEVNULL) as child:
            time.sleep(delay)
            child.kill()
        assert Path("a.py").read_text() in (text, new)


def test_two_runs_at_once(run: Run) -> None:
    new = fixed(run)
    for number in range(20):
        Path(f"m{number}.py").write_text(BROKEN)
    options = ["--fix", "--unsafe-fixes", "--cache-dir", "cache"]
    children = [subprocess.Popen([*CLI, ".", *options], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for child in children:
        _, err = child.communicate()
        assert child.returncode == 0, err
    assert {Path(f"m{number}.py").read_text() for number in range(20)} == {new}
    assert not [path for path in Path().iterdir() if path.suffix == ".tmp"]


def test_a_tree_that_cannot_be_written_is_linted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    Path("a.py").write_text(BROKEN)
    monkeypatch.setattr("tempfile.mkstemp", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    code, out, err = run("--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.startswith("a.py:6")
    code, _, err = run("--fix", "--unsafe-fixes")
    assert (code, err) == (2, "a.py: cannot write the file: Read-only file system\n")
    assert Path("a.py").read_text() == BROKEN
