"""Suppression comments that are added, found idle, and removed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphmend_lint.comments import add_noqa, diagnose, unused, with_noqa, without
from graphmend_lint.model import Diagnostic, Position, Severity, Span
from graphmend_lint.source import Source

SELECTED = frozenset({"GM101", "GM102", "GM301"})


def at(row: int, code: str = "GM101", end_row: int | None = None) -> Diagnostic:
    span = Span(Position(row, 1), Position(end_row or row, 2))
    return Diagnostic(code, "x", "m", Path("a.py"), span, Severity.ERROR, (), (), None, ast.Pass())


def cleaned(text: str, *found: Diagnostic) -> str:
    source = Source(Path("a.py"), text)
    return without(source, list(unused(source, found, SELECTED))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # noqa: GM101\n", "x = 1\n"),
        ("x = 1  # noqa: GM101\r\n", "x = 1\r\n"),
        ("x = 1  # noqa: GM101", "x = 1"),
        ("x = 1  # noqa: F401, GM101\n", "x = 1  # noqa: F401\n"),
        ("x = 1  # noqa: GM101, GM301, F401\n", "x = 1  # noqa: F401\n"),
        ("x = 1  # graphmend: ignore[GM101]\n", "x = 1\n"),
        ("x = 1  # graphmend: ignore\n", "x = 1\n"),
        ("x = 1  # graphmend: ignore[GM101]  # type: ignore\n", "x = 1  # type: ignore\n"),
        ("x = 1  # type: ignore  # noqa: GM101\n", "x = 1  # type: ignore\n"),
        ("x = 1  # noqa: GM101 because\n", "x = 1  # because\n"),
        ("# graphmend: ignore-file\nx = 1\n", "x = 1\n"),
        ("x = 1\n# graphmend: ignore-file", "x = 1\n"),
    ],
)
def test_what_silences_nothing_is_taken_out(before: str, after: str) -> None:
    assert cleaned(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # noqa\n",  # may be meant for another linter
        "x = 1  # noqa: F401\n",
        "x = 1  # noqa: GM201\n",  # of a rule that did not run
        "x = '# noqa: GM101'\n",
        "x = 1  # graphmend: on\n",
    ],
)
def test_what_is_not_ours_to_judge_stays(text: str) -> None:
    assert cleaned(text) == text


def test_what_silences_something_stays() -> None:
    text = "x = 1  # noqa: GM101\ny = 2  # graphmend: ignore\nz = 3  # noqa: GM3\n"
    assert cleaned(text, at(1), at(2), at(3, "GM301")) == text


def test_only_the_idle_code_goes() -> None:
    assert cleaned("x = 1  # noqa: GM101, GM301\n", at(1)) == "x = 1  # noqa: GM101\n"


def test_an_idle_comment_is_a_diagnostic() -> None:
    source = Source(Path("a.py"), "x = 1  # noqa: GM101, F401\n")
    (idle,) = unused(source, [], SELECTED)
    found = diagnose(source, idle)
    assert (found.code, found.message) == ("GM001", "this comment silences nothing of GM101")
    assert (found.span.start, found.span.end) == (Position(1, 8), Position(1, 27))


def noted(text: str, *found: Diagnostic) -> str:
    return with_noqa(Source(Path("a.py"), text), found).text


def test_a_noqa_is_added_at_the_end_of_the_row() -> None:
    assert noted("x = 1\r\ny = 2\n", at(1)) == "x = 1  # noqa: GM101\r\ny = 2\n"


def test_two_codes_on_one_row_share_a_comment() -> None:
    assert noted("x = 1\n", at(1), at(1, "GM301")) == "x = 1  # noqa: GM101, GM301\n"


def test_where_no_comment_can_stand_the_last_row_takes_it() -> None:
    assert noted('x = f("""\na\n""")\n', at(1, end_row=3)) == 'x = f("""\na\n""")  # noqa: GM101\n'
    assert noted("x = 1 + \\\n    2\n", at(1)) == "x = 1 + \\\n    2  # noqa: GM101\n"


def test_inside_brackets_the_row_itself_takes_it() -> None:
    assert noted("x = f(\n    a,\n)\n", at(2)) == "x = f(\n    a,  # noqa: GM101\n)\n"


def test_a_comment_that_is_there_is_extended() -> None:
    assert add_noqa("x = 1  # noqa: F401", "GM101") == "x = 1  # noqa: F401, GM101"
    assert add_noqa("x = 1  # why not", "GM101") == "x = 1  # why not  # noqa: GM101"
