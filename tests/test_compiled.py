"""The modules that can be compiled: what their compiler would get wrong, and that compiled they say the same."""

from __future__ import annotations

import ast
import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
COMPILED: tuple[str, ...] = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")["COMPILED"]
#: Calls among compiled functions do not count for the limit of recursion: through each of these runs a recursion whose
#: depth is not that of one statement.
PLAIN = {"graphmend_lint/facts/nesting.py", "graphmend_lint/facts/scope.py", "graphmend_lint/facts/classes.py"}


@pytest.mark.parametrize("file", COMPILED)
def test_a_compiled_module_means_the_same(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    assert "cached_property" not in re.findall(r"@([\w.]+)", text), "would be computed each time"
    for node in ast.walk(ast.parse(text)):
        assert not isinstance(node, ast.MatchStar) or node.name is None, (
            f"{file}: `*rest` in a pattern of a tuple raises TypeError"
        )
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__new__"
        assert not called or ast.unparse(node).startswith("tuple."), f"{file}: `__new__` runs `__init__`"


def test_what_counts_depth_is_not_compiled() -> None:
    assert len(COMPILED) > 20
    assert not PLAIN & set(COMPILED)


def said(folder: Path, *paths: str) -> list[str]:
    """What the package in a folder says."""
    command = [sys.executable, "-m", "graphmend_lint", "--isolated", "--no-cache", "--output-format", "concise", *paths]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def depths(folder: Path) -> Path:
    """Code that is nested too deeply, in two ways."""
    body = "\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        x = {}\n        print(x)\n"
    names = "a0 = 1\n" + "".join(f"a{n} = a{n - 1}\n" for n in range(1, 6_000))
    (folder / "names.py").write_text(f"import torch\n{names}{body.format('x + a5999')}")
    (folder / "sums.py").write_text(f"import torch\n{body.format('x' + ' + x' * 900)}")
    return folder


@pytest.mark.heavy
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_compiled_it_says_the_same(tmp_path: Path) -> None:
    (source := tmp_path / "source").mkdir()
    for each in ("graphmend_lint", "rules"):
        shutil.copytree(ROOT / each, source / each, ignore=shutil.ignore_patterns("__pycache__"))
    for each in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / each, source)
    for name, compiled in (("plain", "0"), ("compiled", "1")):
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(tmp_path / name),
            ".",
        ]
        subprocess.run(command, cwd=source, env={**os.environ, "GRAPHMEND_LINT_MYPYC": compiled}, check=True)
        (wheel,) = (tmp_path / name).glob("*.whl")
        assert ("none-any" in wheel.name) is (name == "plain")
        zipfile.ZipFile(wheel).extractall(tmp_path / name)
    (odd := tmp_path / "odd").mkdir()
    paths = ("tests/rules", "tests/facts_cases", str(depths(odd)))
    plain, compiled_ = said(tmp_path / "plain", *paths), said(tmp_path / "compiled", *paths)
    assert len(plain) > 100
    assert compiled_ == plain
