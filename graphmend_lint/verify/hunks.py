"""The places where two versions of the sources differ, and whether they ran."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

Ran = Mapping[str, set[int]]  #: lines by real path


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that were edited: 1-based, first and one past the last, before and after."""

    path: Path
    before: tuple[int, int]
    after: tuple[int, int]

    def __str__(self) -> str:
        first, last = self.before[0], max(self.before[0], self.before[1] - 1)
        return f"{self.path}:{first}" + (f"-{last}" if last > first else "")


def hunks(before: Mapping[Path, str], after: Mapping[Path, str]) -> tuple[Hunk, ...]:
    """Every stretch of lines that is not the same, file by file."""
    return tuple(hunk for path in before for hunk in _file_hunks(path, before[path], after[path]))


def _file_hunks(path: Path, before: str, after: str) -> Iterator[Hunk]:
    if before == after:
        return
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield Hunk(path, (a + 1, b + 1), (c + 1, d + 1))


def not_run(
    found: tuple[Hunk, ...], before: Mapping[Path, str], after: Mapping[Path, str], ran_before: Ran, ran_after: Ran
) -> tuple[Hunk, ...]:
    """The hunks of which no line ran: neither an old one before, nor a new one after."""
    starts_before = {path: _starts(text) for path, text in before.items()}
    starts_after = {path: _starts(text) for path, text in after.items()}

    def ran(hunk: Hunk) -> bool:
        key = str(hunk.path)
        return _touched(hunk.before, starts_before[hunk.path], ran_before.get(key, set())) or _touched(
            hunk.after, starts_after[hunk.path], ran_after.get(key, set())
        )

    return tuple(hunk for hunk in found if not ran(hunk))


def _touched(lines: tuple[int, int], starts: dict[int, int], ran: set[int]) -> bool:
    span = range(*lines)
    return any(line in ran for line in span) or any(starts.get(line) in ran for line in span)


def _starts(text: str) -> dict[int, int]:
    """The first line of the innermost statement that covers each line."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    spans = sorted((n.lineno, n.end_lineno or n.lineno) for n in ast.walk(tree) if isinstance(n, ast.stmt))
    return {line: first for first, last in spans for line in range(first, last + 1)}
