"""Suppression comments: which rows and codes they silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.source import Source
from graphmend_lint.suppress import Suppressions


def silenced(text: str, row: int = 1, end_row: int | None = None, code: str = "GM101") -> bool:
    return Suppressions(Source(Path("a.py"), text)).covers(row, end_row or row, code)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "#noqa",
        "# NOQA",
        "# noqa: GM101",
        "# noqa:GM101",
        "# noqa : gm101",
        "# noqa: F401, GM101",
        "# noqa: F401 GM101 because it is needed",
        "# noqa: GM1",
        "# noqa: GM",
        "# type: ignore  # noqa: GM101",
        "# graphmend: ignore",
        "# graphmend: ignore[GM101]",
        "# graphmend:ignore[F401, GM101]",
        "# Graphmend: Ignore[gm101]",
    ],
)
def test_these_comments_silence_their_line(comment: str) -> None:
    assert silenced(f"x = 1  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: F401",
        "# noqa: GM102",
        "# noqa: because",
        "# noqa:",
        "# nope",
        "# noqanda",
        "# graphmend: ignore[GM102]",
        "# graphmend: ignore[]",
        "# graphmend: ignored",
    ],
)
def test_these_comments_do_not_silence_their_line(comment: str) -> None:
    assert not silenced(f"x = 1  {comment}\n")


def test_a_comment_is_a_comment_and_not_text() -> None:
    assert not silenced('x = "# noqa"\n')


def test_other_lines_are_not_silenced() -> None:
    text = "x = 1  # noqa\ny = 2\n"
    assert not silenced(text, row=2)


def test_the_last_row_of_a_long_statement_speaks_for_all_of_it() -> None:
    text = "x = call(\n    a,\n    b,\n)  # noqa: GM101\ny = 1\n"
    assert all(silenced(text, row=row) for row in (1, 2, 3))
    assert silenced(text, row=1, end_row=4)
    assert not silenced(text, row=5)


def test_the_first_row_of_a_long_statement_speaks_for_all_of_it() -> None:
    assert silenced("x = call(  # noqa\n    a,\n)\n", row=2)


def test_a_comment_inside_a_block_is_not_about_its_header() -> None:
    text = "if x:\n    y = 1\n    z = 2  # noqa\n"
    assert not silenced(text, row=1, end_row=3)
    assert silenced("if (\n    x\n):  # noqa\n    y = 1\n", row=1, end_row=4)


@pytest.mark.parametrize("comment", ["# graphmend: ignore-file", "# flake8: noqa", "# graphmend: noqa"])
def test_a_comment_for_the_whole_file_silences_every_line(comment: str) -> None:
    assert silenced(f"x = 1\n{comment}\ny = 2\n", row=3)


def test_a_comment_for_the_whole_file_may_name_a_code() -> None:
    text = "# graphmend: ignore-file[GM3]\nx = 1\n"
    assert silenced(text, row=2, code="GM301")
    assert not silenced(text, row=2, code="GM101")


def test_a_block_is_silenced_from_off_to_on() -> None:
    text = "a = 1\n# graphmend: off[GM101]\nb = 2\n# graphmend: on[GM101]\nc = 3\n# graphmend: off\nd = 4\n"
    assert [silenced(text, row=row) for row in (1, 3, 5, 7)] == [False, True, False, True]
    assert not silenced(text, row=3, code="GM301")
    assert silenced(text, row=7, code="GM301")


def test_a_bare_on_ends_every_block() -> None:
    assert not silenced("# graphmend: off[GM101]\na = 1\n# graphmend: on\nb = 2\n", row=4)


def test_carriage_returns_and_tabs_do_not_confuse_it() -> None:
    assert silenced("if x:\r\n\ty = 1  # noqa\r\n", row=2)
