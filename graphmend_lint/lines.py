"""What changed between two texts, line by line."""

from __future__ import annotations

import io
from collections.abc import Iterator

from graphmend_lint.model import Position, Span, TextEdit


def lines_of(text: str) -> list[str]:
    """The lines as the parser counts them, with their ends. A form feed does not end a line."""
    return io.StringIO(text, newline="").readlines()


def line_edits(old: str, new: str) -> Iterator[TextEdit]:
    """Edits of whole lines that turn `old` into `new`."""
    import difflib  # only where something is fixed

    before, after = lines_of(old), lines_of(new)
    head = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    rest = min(len(before), len(after)) - head
    tail = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    matcher = difflib.SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail], False)
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            span = Span(_line_start(before, head + start), _line_start(before, head + end))
            yield TextEdit(span, "".join(after[head + first : head + last]))


def _line_start(lines: list[str], index: int) -> Position:
    """The start of a line; the end of the text if that has no newline at its end."""
    if index == len(lines) and lines and not lines[-1].endswith(("\n", "\r")):
        return Position(index, len(lines[-1]) + 1)
    return Position(index + 1, 1)
