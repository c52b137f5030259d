"""Suppression comments: `# noqa: GM101`, `# graphmend: ignore[GM101]`, and their block and file forms."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.model import Position, Span

if TYPE_CHECKING:
    from graphmend_lint.source import Source

CODE = r"(?:[A-Z]+[0-9]+|GM)\b"
NOQA = rf"(?i)#\s*(?P<file>(?:flake8|graphmend):\s*)?noqa\b(?P<colon>\s*:\s*(?P<codes>{CODE}(?:[,\s]+{CODE})*)?)?"
OURS = r"(?i)#\s*graphmend:\s*(?P<what>ignore-file|ignore|off|on)\b\s*(?:\[(?P<codes>[^\]]*)\])?"
#: a comment that may be for us; not a noqa that names only other tools' codes
HINT = r"(?i)noqa(?!\s*:\s*(?![^#\n]*GM)[A-Z])|graphmend:"


class Scope(Enum):
    """How far a suppression comment reaches."""

    LINE = "line"
    FILE = "file"
    OFF = "off"  #: from here on
    ON = "on"  #: the end of what OFF began


class Directive(NamedTuple):
    """One suppression comment. No codes: all of them."""

    span: Span
    scope: Scope
    codes: tuple[str, ...] = ()

    def names(self, code: str) -> bool:
        return not self.codes or code.startswith(self.codes)


class Suppressions:
    """The suppression comments of a file. Comments are looked for only if the text could hold one."""

    def __init__(self, source: Source, lines_wanted: bool = False) -> None:
        self._source = source
        self._lines_wanted = lines_wanted

    @cached_property
    def _needed(self) -> bool:
        if self._lines_wanted:
            return True
        text = self._source.text.lower()
        return ("noqa" in text or "graphmend:" in text) and re.search(HINT, self._source.text) is not None

    def covers(self, row: int, end_row: int, code: str) -> bool:
        """True if a comment silences `code` for what stands on these rows.

        A comment counts on the first and last row of what was found, on the first and last row of the logical line
        that this begins on, in an off-block, and for the whole file.
        """
        return self.by(row, end_row, code) is not None

    def by(self, row: int, end_row: int, code: str) -> Directive | None:
        """The comment that silences `code` for what stands on these rows."""
        return next((each for each in self.directives if each.names(code) and self.reaches(each, row, end_row)), None)

    def reaches(self, directive: Directive, row: int, end_row: int) -> bool:
        """True if the comment is about what stands on these rows, whatever codes it names."""
        at = directive.span.start.row
        match directive.scope:
            case Scope.FILE:
                return True
            case Scope.OFF:
                return at <= row < self._resumed(directive)
            case Scope.ON:
                return False
        first, last = self.logical_line(row)
        return at in (row, min(end_row, last), first, last)

    def _resumed(self, off: Directive) -> int:
        """The row from which on an `off` comment no longer counts."""
        ends = (
            each.span.start.row
            for each in self.directives
            if each.scope is Scope.ON
            and each.span.start > off.span.start
            and set(each.codes) in (set(), set(off.codes))
        )
        return min(ends, default=len(self._source.lines) + 2)

    def logical_line(self, row: int) -> tuple[int, int]:
        """The first and last row of the logical line that this row is in."""
        return next(((first, last) for first, last in self._scan[1] if first <= row <= last), (row, row))

    @property
    def directives(self) -> tuple[Directive, ...]:
        """All suppression comments, from the top down."""
        return self._scan[0]

    @cached_property
    def _scan(self) -> tuple[tuple[Directive, ...], tuple[tuple[int, int], ...]]:
        """The comments, and the first and last row of each logical line that has several."""
        if not self._needed:
            return (), ()
        directives: list[Directive] = []
        lines: list[tuple[int, int]] = []
        first = 0
        for token in _tokens(self._source.text):
            if token.type == tokenize.COMMENT:
                directives += _parse(token)
            elif token.type == tokenize.NEWLINE:
                lines += [(first, token.start[0])] if first < token.start[0] else []
                first = 0
            elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                first = first or token.start[0]
        return tuple(directives), tuple(lines)


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    except (tokenize.TokenError, SyntaxError):  # what was read so far counts
        return


def _parse(token: tokenize.TokenInfo) -> Iterator[Directive]:
    for match in re.finditer(NOQA, token.string):
        if match["colon"] is None or match["codes"]:  # `noqa: because` names no code, so it silences nothing
            scope = Scope.FILE if match["file"] else Scope.LINE
            yield Directive(_span(token, match), scope, _split(match["codes"]))
    for match in re.finditer(OURS, token.string):
        if match["codes"] is not None and not match["codes"].strip():
            continue  # `ignore[]` names no code, so it silences nothing
        what = match["what"].lower()
        scope = {"ignore": Scope.LINE, "ignore-file": Scope.FILE, "off": Scope.OFF, "on": Scope.ON}[what]
        yield Directive(_span(token, match), scope, _split(match["codes"]))


def _split(codes: str | None) -> tuple[str, ...]:
    return tuple(each.upper() for each in re.split(r"[,\s]+", codes or "") if each)


def _span(token: tokenize.TokenInfo, match: re.Match[str]) -> Span:
    row, column = token.start
    return Span(Position(row, column + match.start() + 1), Position(row, column + match.end() + 1))
