"""What linting and fixing never do: run the code they look at, use the network, start programs, write elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client

from graphmend_lint.cli import main
from graphmend_lint.config import load_settings, read_settings
from graphmend_lint.keys import KEYS, ConfigError
from graphmend_lint.save import save
from graphmend_lint.verify.environment import scrubbed

#: a module that shouts as soon as anything of it is run
PLANTED = """\
open({mark!r}, "a").write(__name__ + "\\n")
import torch


class Shout(type):
    open({mark!r}, "a").write("class")


@torch.compile
def forward(x: torch.Tensor = open({mark!r}, "a").write("default"), *, y: open({mark!r}, "a").write("annotation") = 1):
    print("hello")
    return x + 1
"""
NAMES = (
    "model",
    "conftest",
    "setup",
    "sitecustomize",
    "usercustomize",
    "click",
    "json",
    "torch",
    "libcst",
    "fixit",
    "rules",
)


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there if planted code was run."""
    return tmp_path / "was-run"


@pytest.fixture
def project(tmp_path: Path, mark: Path) -> Path:
    """A folder full of modules that write `mark` when they are run, some under the names of what we import."""
    folder = tmp_path / "project"
    (folder / "pkg").mkdir(parents=True)
    text = PLANTED.format(mark=str(mark))
    for name in NAMES:
        (folder / f"{name}.py").write_text(text)
        (folder / "pkg" / f"{name}.py").write_text(f"from . import model\nimport pkg.click\n{text}")
    (folder / "pkg" / "__init__.py").write_text(text)
    cells = [{"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None}]
    (folder / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return folder


def test_the_planted_code_shouts_when_it_is_run(project: Path, mark: Path) -> None:
    subprocess.run([sys.executable, "-c", "import click"], cwd=project, capture_output=True, check=False)
    assert mark.exists()


#: runs the command line under an audit hook, and prints every event that is not looking and reading
WATCHED = """
import json, os, sys
folder = sys.argv[1]
events = []
def audit(name, details):
    if name.partition(".")[0] in ("socket", "subprocess", "ctypes", "urllib", "http", "ftplib", "smtplib"):
        events.append([name, repr(details)])
    elif name in ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "pty.spawn"):
        events.append([name, repr(details)])
    elif name == "exec" and str(getattr(details[0], "co_filename", "")).startswith(folder):
        events.append([name, details[0].co_filename])
    elif name == "open" and isinstance(details[0], (str, bytes)) and isinstance(details[2], int):
        if details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            events.append(["write", os.path.relpath(os.fsdecode(details[0]), folder)])
    elif name in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"):
        events.append([name, os.path.relpath(os.fsdecode(details[1 if name in ("os.rename",) else 0]), folder)])
sys.addaudithook(audit)
from graphmend_lint.cli import main
code = main(sys.argv[2:])
sys.stdout.flush()
print("\\nEVENTS " + json.dumps([code, events]))
"""


def watched(folder: Path, *arguments: str) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of a run in `folder`, and what it did beside reading."""
    command = [sys.executable, "-I", "-B", "-c", WATCHED, str(folder), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "EVENTS " in done.stdout, done.stdout + done.stderr
    code, events = json.loads(done.stdout.rpartition("EVENTS ")[2])
    return code, [(name, what) for name, what in events]


RUNS = [
    ("--no-cache",),
    ("--no-cache", "--unused-suppressions"),
    ("--no-cache", "--output-format", "sarif"),
    ("--no-cache", "--diff", "--unsafe-fixes"),
    ("--show-settings",),
    ("--show-files",),
]


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_a_run_that_writes_nothing_only_reads(project: Path, mark: Path, arguments: tuple[str, ...]) -> None:
    code, events = watched(project, ".", *arguments)
    assert code in (0, 1)
    assert events == []
    assert not mark.exists()


def test_the_cache_writes_into_its_folder_only(project: Path, mark: Path) -> None:
    code, events = watched(project, ".")
    assert code == 1
    assert events
    assert {what.split(os.sep)[0] for _, what in events} == {".graphmend_lint_cache"}
    assert not mark.exists()


@pytest.mark.parametrize("arguments", [("--fix", "--unsafe-fixes"), ("--add-noqa",)], ids=" ".join)
def test_fixing_writes_beside_what_it_fixes_only(project: Path, mark: Path, arguments: tuple[str, ...]) -> None:
    before = {file.name for file in project.rglob("*")}
    _, events = watched(project, "pkg/model.py", *arguments)
    assert events
    assert {os.path.dirname(what) for _, what in events} == {"pkg"}
    assert {name for name, _ in events} <= {"write", "os.rename", "os.remove"}
    assert {file.name for file in project.rglob("*")} == before
    assert "print(" in (project / "pkg" / "model.py").read_text()
    assert not mark.exists()


def test_the_installed_command_does_not_take_modules_from_the_folder_it_runs_in(project: Path, mark: Path) -> None:
    script = Path(sys.executable).with_name("graphmend-lint")
    for arguments in ([], ["--fix", "--unsafe-fixes"], ["--no-cache", "-"]):
        done = subprocess.run([script, ".", *arguments], cwd=project, input=b"x = 1", capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr
    assert not mark.exists()


def test_the_language_server_runs_nothing(project: Path, mark: Path, tmp_path: Path) -> None:
    client = Client(project, pulls=True, command=[str(Path(sys.executable).with_name("graphmend-lint")), "server"])
    try:
        file = project / "pkg" / "model.py"
        client.open(file, file.read_text())
        (found, *_) = client.pull(file)
        assert client.actions(file, found["range"])
        assert client.stop() == 0
    finally:
        client.process.kill()
    assert not mark.exists()


@pytest.mark.parametrize("tool", ["flake8", "fixit"])
def test_the_other_doors_run_nothing(project: Path, mark: Path, tool: str) -> None:
    """Without modules of the names that Python's own have: from 3.14 on, processes that these tools start take them."""
    for name in set(NAMES) - {"model", "conftest", "setup"}:
        (project / f"{name}.py").unlink()
    (project / "pyproject.toml").write_text('[tool.fixit]\nenable = ["graphmend_lint.fixit_rules"]\n')
    arguments = ["--select", "GM", "pkg"] if tool == "flake8" else ["lint", "pkg"]
    script = Path(sys.executable).with_name(tool)
    done = subprocess.run([script, *arguments], cwd=project, capture_output=True, text=True, check=False)
    assert "GM301" in done.stdout, done.stderr
    assert not mark.exists()


# Configuration


def test_no_key_of_the_configuration_names_code_to_run(project: Path, mark: Path) -> None:
    """Every key is set to the names of planted modules: they are refused or looked at, and never run."""
    for key in KEYS:
        for value in (
            '"model"',
            '["model"]',
            '{ model = "model" }',
            '{ model = ["GM1"] }',
            '[{ target = "model:forward" }]',
        ):
            (project / "graphmend-lint.toml").write_text(f"{key} = {value}\n")
            code, events = (
                watched(project, "pkg/model.py", "--no-cache") if value == '["model"]' else (main_in(project), [])
            )
            assert code in (0, 1, 2)
            assert events == []
    assert not mark.exists()


def main_in(folder: Path) -> int:
    here = Path.cwd()
    os.chdir(folder)
    try:
        return main(["pkg/model.py", "--no-cache", "-q"])
    finally:
        os.chdir(here)


LOADED = """
from graphmend_lint.rule import load_rules
print({rule.check.__module__.rpartition(".")[0] for rule in load_rules().values()})
"""


def test_rules_come_from_this_package_only(project: Path) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", LOADED], cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'graphmend_lint.rules'}"


@pytest.mark.parametrize("place", ["../elsewhere", "/tmp/elsewhere", "a/../../b", "link/c"])
def test_a_configuration_cannot_choose_where_outside_to_write(project: Path, tmp_path: Path, place: str) -> None:
    (project / "link").symlink_to(tmp_path)
    (project / "graphmend-lint.toml").write_text(f'cache-dir = "{place}"')
    with pytest.raises(ConfigError, match="`cache-dir` must be inside the folder of this file"):
        read_settings(project / "graphmend-lint.toml")
    (project / "graphmend-lint.toml").write_text('cache-dir = "deep/inside"')
    assert load_settings([project]).cache_dir == Path("deep/inside")


def test_a_cache_that_is_a_link_to_elsewhere_is_not_used(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / ".graphmend_lint_cache").symlink_to(elsewhere)
    assert watched(project, ".") == (1, [])
    assert list(elsewhere.iterdir()) == []
    assert watched(project, "clean") == (2, [])
    named = tmp_path / "named"
    assert watched(project, ".", "--cache-dir", str(named))[0] == 1
    assert list(named.iterdir())


def test_patterns_of_a_configuration_add_no_files(project: Path, tmp_path: Path) -> None:
    """`exclude` and the like only take files away, wherever they point; named files stay what is linted."""
    (tmp_path / "outside.py").write_text("import torch\n\n@torch.compile\ndef f(x):\n    print('a')\n    return x\n")
    shutil.rmtree(project / "pkg")
    for line in (
        'exclude = ["!../outside.py"]',
        'extend-exclude = ["!/../*.py"]',
        '[per-file-ignores]\n"../*.py" = ["GM"]',
    ):
        (project / "graphmend-lint.toml").write_text(f"force-exclude = false\n{line}")
        command = [sys.executable, "-I", "-m", "graphmend_lint", ".", "--show-files"]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
        assert not any(line.startswith("..") or line.startswith("/") for line in done.stdout.splitlines())


def test_a_configuration_that_is_extended_is_not_shown_if_it_is_no_configuration(project: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("password: hunter2")
    (project / "graphmend-lint.toml").write_text('extend = "../secret.txt"')
    with pytest.raises(ConfigError) as error:
        read_settings(project / "graphmend-lint.toml")
    assert "hunter2" not in str(error.value)


# Files


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_what_is_kept_is_for_its_owner_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = os.umask(0)
    try:
        main_cached(project)
    finally:
        os.umask(old)
    folder = project / ".graphmend_lint_cache"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}


def main_cached(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)
    try:
        main([".", "-q"])
    finally:
        os.chdir(here)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_file_is_never_more_open_than_it_was_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret.py"
    file.write_text("x = 1\n")
    file.chmod(0o600)
    seen: list[int] = []
    replace = os.replace

    def look(source: str, target: Path) -> None:
        seen.append(stat.S_IMODE(os.stat(source).st_mode))
        replace(source, target)

    monkeypatch.setattr(os, "replace", look)
    save(file, b"x = 2\n")
    assert seen == [0o600]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


# What is shown


def test_a_file_cannot_tell_the_terminal_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORCE_COLOR", "1")
    text = "import torch\n\n@torch.compile\ndef f(x):\n    print('\x1b]0;owned\x07', x) # \x1b[2J\x9b2J\n    return x\n"
    Path("a\x1b[2J.py").write_text(text)
    for name in ("full", "concise", "pylint"):
        main([".", "--no-cache", "--show-fixes", "--show-chain", "--unsafe-fixes", "--output-format", name])
        out = capsys.readouterr().out
        assert "GM301" in out
        assert set(re.findall(r"\x1b[^m]{0,6}.", out)) <= set(re.findall(r"\x1b\[[\d;]*m", out)), name
        assert not {"\x07", "\x9b"} & set(out)


# The verifier, which does run code


def test_children_of_verify_see_no_secrets() -> None:
    told = {
        "PATH": "/bin",
        "CUDA_VISIBLE_DEVICES": "0",
        "TORCH_LOGS": "+dynamo",
        "HF_HOME": "/cache",
        "HF_TOKEN": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "GITHUB_TOKEN": "secret",
        "PYTHON_API_KEY": "secret",
        "SSH_AUTH_SOCK": "/run/agent",
        "HTTPS_PROXY": "http://user:secret@proxy",
        "DATA": "/data",
    }
    assert set(scrubbed(told)) - {"PYTHONHASHSEED", "TOKENIZERS_PARALLELISM"} == {
        "PATH", "CUDA_VISIBLE_DEVICES", "TORCH_LOGS", "HF_HOME"
    }  # fmt: skip
    assert scrubbed(told | {"GRAPHMEND_LINT_PASS_ENV": "DATA, HF_TOKEN"})["HF_TOKEN"] == "secret"


TARGET = """\
import json
import os
from pathlib import Path

import torch

Path(__file__).with_name("seen.json").write_text(json.dumps([os.getpid(), dict(os.environ)]))


def forward(x):
    print("hello")
    return x + 1


def make():
    return forward, (torch.ones(2),), {}
"""


@pytest.mark.torch
def test_verify_runs_the_target_in_a_child_without_secrets(tmp_path: Path) -> None:
    (tmp_path / "target.py").write_text(TARGET)
    script = Path(sys.executable).with_name("graphmend-lint")
    environment: dict[str, Any] = os.environ | {"GITHUB_TOKEN": "secret", "OMP_NUM_THREADS": "1"}
    running = subprocess.Popen(
        [script, "verify", "target.py:make"], cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL
    )
    assert running.wait() in (0, 1, 2)
    number, seen = json.loads((tmp_path / "seen.json").read_text())
    assert number != running.pid
    assert "GITHUB_TOKEN" not in seen
    assert seen["OMP_NUM_THREADS"] == "1"
