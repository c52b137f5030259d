"""What changed between two texts, as edits of whole lines."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from graphmend_lint.lines import line_edits
from graphmend_lint.source import Source

#: characters that end a line for `str.splitlines` and not for the parser are among them
TEXTS = st.text(alphabet="ab\n\f\v\x1c\u2028\r", max_size=30)


@given(TEXTS, TEXTS)
def test_the_edits_turn_one_text_into_the_other(old: str, new: str) -> None:
    assert Source(Path("a.py"), old).edited(line_edits(old, new)) == new


def test_they_are_few_and_small() -> None:
    (edit,) = line_edits("a\nb\fc\nd\n", "a\nb\fx\nd\n")
    assert (edit.span.start.row, edit.span.end.row, edit.content) == (2, 3, "b\fx\n")
