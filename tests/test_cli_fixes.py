"""Fixes from the command line: what is written, byte for byte."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import BROKEN, CLEAN, MENDED, Run, write

ASKED = """\
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        kept = bool(mask.any())
        if kept:
            x = x[mask].exp()
        return x
"""


def test_fix_writes_the_fixed_text_and_nothing_else(run: Run) -> None:
    file = write("a.py")
    other = write("b.py", CLEAN)
    before = other.stat().st_mtime_ns
    code, out, err = run("--fix", "--unsafe-fixes", ".")
    assert (code, err) == (0, "")
    assert out == "Found 1 graph break (1 fixed, 0 remaining).\n"
    assert file.read_text() == MENDED
    assert other.stat().st_mtime_ns == before
    assert sorted(each.name for each in Path().iterdir()) == ["a.py", "b.py"]


def test_a_second_fix_changes_nothing(run: Run) -> None:
    file = write("a.py")
    run("--fix", "--unsafe-fixes", "a.py")
    before = file.stat().st_mtime_ns
    assert run("--fix", "--unsafe-fixes", "a.py") == (0, "All checks passed!\n", "")
    assert file.stat().st_mtime_ns == before


def test_diff_shows_the_change_and_writes_nothing(run: Run) -> None:
    file = write("a.py")
    code, out, _ = run("--diff", "--unsafe-fixes", "a.py")
    assert code == 1
    assert '-        print("hello")  # says hello\n' in out
    assert '+        torch._higher_order_ops.print("hello")  # says hello\n' in out
    assert file.read_text() == BROKEN
    write("a.py", CLEAN)
    assert run("--diff", "a.py") == (0, "", "")


def test_fix_only_is_silent_about_the_rest(run: Run) -> None:
    file = write("a.py")
    assert run("--fix-only", "--unsafe-fixes", "a.py")[:2] == (0, "")
    assert file.read_text() == MENDED


def test_exit_non_zero_on_fix(run: Run) -> None:
    write("a.py")
    assert run("--fix", "--unsafe-fixes", "--exit-non-zero-on-fix", "a.py")[0] == 1
    assert run("--fix", "--unsafe-fixes", "--exit-non-zero-on-fix", "a.py")[0] == 0


def test_unfixable_rules_are_reported_and_left_alone(run: Run) -> None:
    file = write("a.py")
    write("graphmend-lint.toml", 'unfixable = ["GM3"]')
    assert run("--fix", "--unsafe-fixes", "a.py")[0] == 1
    assert file.read_text() == BROKEN


def test_a_step_that_only_makes_room_for_another_is_no_promise(run: Run) -> None:
    file = write("a.py", ASKED)
    assert "1 fixable with --fix --unsafe-fixes" in run("a.py")[1]
    assert "[*]" not in run("--output-format", "concise", "a.py")[1]
    assert run("--fix", "a.py")[0] == 1
    assert file.read_text() == ASKED


@pytest.mark.parametrize("line", ['side-effects = "guard"', 'target-torch = "2.9"'])
def test_settings_may_keep_the_print_operator_out(run: Run, line: str) -> None:
    file = write("a.py")
    write("graphmend-lint.toml", line)
    assert run("--fix", "--unsafe-fixes", "a.py")[0] == 0
    assert "if not torch.compiler.is_compiling():\n            print(" in file.read_text()


@pytest.mark.parametrize(
    ("encode", "label"),
    [
        (lambda text: text.replace("\n", "\r\n").encode(), "CRLF"),
        (lambda text: b"\xef\xbb\xbf" + text.encode(), "byte-order mark"),
        (lambda text: ("# coding: latin-1\n# caf\xe9\n" + text).encode("latin-1"), "declared encoding"),
        (lambda text: text.rstrip("\n").encode(), "no line end at the end"),
        (lambda text: text.replace("    ", "\t").encode(), "tabs"),
        (lambda text: ("x = 1\f\n" + text).encode(), "form feed"),
    ],
)
def test_bytes_that_a_fix_is_not_about_are_kept(run: Run, encode: Callable[[str], bytes], label: str) -> None:
    file = write("a.py", encode(BROKEN))
    file.chmod(0o755)
    assert run("--fix", "--unsafe-fixes", "a.py")[0] == 0, label
    assert file.read_bytes() == encode(MENDED), label
    assert file.stat().st_mode & 0o777 == 0o755


def test_a_file_that_cannot_be_written_is_one_line_and_left_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = write("a.py"), write("b.py")
    replace = os.replace

    def refuse(source: str, target: Path) -> None:
        if Path(target).name == "a.py":
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    code, _, err = run("--fix", "--unsafe-fixes", "a.py", "b.py")
    assert (code, err) == (2, "a.py: cannot write the file: No space left on device\n")
    assert file.read_text() == BROKEN
    assert other.read_text() == MENDED
    assert sorted(each.name for each in Path().iterdir()) == ["a.py", "b.py"]
