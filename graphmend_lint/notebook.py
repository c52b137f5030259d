"""Jupyter notebooks: the code cells as one module, and back into the file, byte for byte where nothing changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmend_lint.model import Diagnostic, Frame, Position, Span, TextEdit
from graphmend_lint.source import Source, SourceError, not_python, parsed

SUFFIX = ".ipynb"
MARKER = "# graphmend-lint: cell {}\n"  #: the row above each cell in the module
MARKED = re.compile(r"^# graphmend-lint: cell (\d+)\n", re.M)
MAGIC = re.compile(r"^(\s*)([%!].*|.*\?)$")
ASSIGNED_MAGIC = re.compile(r"^(\s*[\w.,\s]+=\s*)([%!].*)$")
HIDDEN = re.compile(r"  # graphmend-lint: line (\d+)$")
PYTHON_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")  #: cell magics over code that is Python
BLANK = re.compile(r"[ \t\r\n]*")
DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its number among all cells, from 1, and where its `source` stands in the file's text."""

    number: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Layout:
    """On which rows of a module the cells stand."""

    path: Path
    rows: tuple[tuple[int, int], ...]  #: number of a cell, and the row of its first line

    def cell(self, row: int) -> tuple[int, int]:
        """The cell that a row is in, and the row of its first line."""
        return next((each for each in reversed(self.rows) if each[1] <= row), self.rows[0])

    def shown(self, each: Diagnostic) -> Diagnostic:
        """The diagnostic with its place inside its cell."""
        number, first = self.cell(each.span.start.row)
        chain = tuple(self._frame(frame) for frame in each.chain)
        return each._replace(path=cell_path(self.path, number), span=_moved(each.span, first), chain=chain)

    def _frame(self, frame: Frame) -> Frame:
        if frame.path != self.path:
            return frame
        number, first = self.cell(frame.row)
        return Frame(cell_path(self.path, number), frame.row - first + 1, frame.name)

    def edit(self, edit: TextEdit) -> TextEdit:
        """An edit of the module as one of the cell that it begins in."""
        number, first = self.cell(edit.span.start.row)
        return edit._replace(span=_moved(edit.span, first), cell=number)


def _moved(span: Span, first: int) -> Span:
    start, end = span.start, span.end
    return Span(Position(start.row - first + 1, start.column), Position(end.row - first + 1, end.column))


class Cells:
    """The code cells of a notebook; `source` is the module that they make."""

    def __init__(self, path: Path, cells: Mapping[int, str], forgiving: bool = False) -> None:
        """Join the cells, given by number.

        Raises:
            SourceError: if a cell is not Python; a forgiving reader takes such a cell for an empty one.
        """
        self.path = path
        self.forgiving = forgiving
        self.hidden: list[str] = []  #: lines that only IPython understands
        pieces = (MARKER.format(number) + self._plain(number, text) for number, text in cells.items())
        self.source = Source(path, "".join(pieces))

    def _plain(self, number: int, text: str) -> str:
        """A cell as Python, ending in a line end. Lines that only IPython reads are replaced, and remembered."""
        lines = text.split("\n")
        if lines[0].startswith("%%") and not lines[0].startswith(PYTHON_MAGICS):
            return self._aside(lines)
        body = "".join(f"{self._line(line)}\n" for line in lines)
        try:
            parsed(body)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if self.forgiving:
                return self._aside(lines)
            row = getattr(error, "lineno", 1) or 1
            reason = not_python(error) if isinstance(error, SyntaxError) else f"cannot be parsed: {error}"
            raise SourceError(cell_path(self.path, number), row, reason) from None
        return body

    def _aside(self, lines: list[str]) -> str:
        return "".join(f"#{self._hide(line)}\n" for line in lines)

    def _line(self, line: str) -> str:
        if match := MAGIC.match(line):
            return f"{match[1]}pass{self._hide(line)}" if not match[2].lstrip().startswith("#") else line
        if match := ASSIGNED_MAGIC.match(line):
            return f"{match[1]}None{self._hide(line)}"
        return line

    def _hide(self, line: str) -> str:
        self.hidden.append(line)
        return f"  # graphmend-lint: line {len(self.hidden) - 1}"

    def layout(self, text: str) -> Layout:
        """Where the cells stand in a module."""
        rows = ((int(found[1]), text.count("\n", 0, found.end()) + 1) for found in MARKED.finditer(text))
        return Layout(self.path, tuple(rows))

    def _shown(self, body: str) -> str:
        """A cell's text with its IPython lines put back."""
        return "\n".join(self._unhidden(line) for line in body.removesuffix("\n").split("\n"))

    def _unhidden(self, line: str) -> str:
        match = HIDDEN.search(line)
        return self.hidden[int(match[1])] if match else line

    def texts(self, text: str) -> dict[int, str]:
        """The text of each cell in a module."""
        pieces = MARKED.split(text)
        return {int(n): self._shown(body) for n, body in zip(pieces[1::2], pieces[2::2], strict=True)}

    def parts(self, text: str) -> list[Source]:
        """Each cell of a module, as if it were a file."""
        return [Source(cell_path(self.path, number), part) for number, part in self.texts(text).items()]


class Notebook(Cells):
    """A notebook file."""

    def __init__(self, path: Path, data: bytes) -> None:
        """Read it.

        Raises:
            SourceError: if it is not a notebook, or a cell is not Python.
        """
        try:
            self.raw = data.decode("utf-8")
            self.cells = list(_code_cells(self.raw))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            raise SourceError(path, 1, "not a valid notebook") from None
        super().__init__(path, {cell.number: cell.text for cell in self.cells})

    def written(self, text: str) -> bytes:
        """The file after its module has become `text`."""
        raw, texts = self.raw, self.texts(text)
        for cell in reversed(self.cells):
            new = texts[cell.number]
            if new != cell.text:
                raw = raw[: cell.start] + _encoded(new, raw[cell.start : cell.end]) + raw[cell.end :]
        return raw.encode("utf-8")


def cell_path(path: Path, number: int) -> Path:
    """How a cell is named: `a.ipynb:cell 3`."""
    return path.with_name(f"{path.name}:cell {number}")


def split_cell(path: Path) -> tuple[Path, int | None]:
    """The file and the cell of a path that may name one."""
    name, found, number = path.name.rpartition(":cell ")
    return (path.with_name(name), int(number)) if found and name.endswith(SUFFIX) else (path, None)


def _code_cells(raw: str) -> Iterator[Cell]:
    """The Python cells, with the place of their `source`."""
    whole = json.loads(raw)
    if str(whole.get("metadata", {}).get("language_info", {}).get("name", "python")) != "python":
        return
    start, _ = dict(_members(raw, BLANK.match(raw).end()))["cells"]  # type: ignore[union-attr]
    for number, (at, _) in enumerate(_elements(raw, start), 1):
        members = dict(_members(raw, at))
        kind, _ = DECODER.raw_decode(raw, members["cell_type"][0])
        if kind == "code":
            begin, end = members["source"]
            source: Any = json.loads(raw[begin:end])
            yield Cell(number, begin, end, source if isinstance(source, str) else "".join(source))


def _skip(raw: str, at: int) -> int:
    match = BLANK.match(raw, at)
    return match.end() if match else at


def _elements(raw: str, at: int) -> Iterator[tuple[int, int]]:
    """Where each element of the array at `at` begins and ends."""
    at = _skip(raw, at + 1)
    while raw[at] != "]":
        _, end = DECODER.raw_decode(raw, at)
        yield at, end
        at = _skip(raw, end)
        at = _skip(raw, at + 1) if raw[at] == "," else at


def _members(raw: str, at: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each key of the object at `at`, and where its value begins and ends."""
    at = _skip(raw, at + 1)
    while raw[at] != "}":
        key, end = DECODER.raw_decode(raw, at)
        start = _skip(raw, _skip(raw, end) + 1)
        _, end = DECODER.raw_decode(raw, start)
        yield key, (start, end)
        at = _skip(raw, end)
        at = _skip(raw, at + 1) if raw[at] == "," else at


def _encoded(text: str, old: str) -> str:
    """The text as JSON, in the form that `old` has: a string, or a list of lines, laid out alike."""
    ascii_only = old.isascii() and "\\u" in old
    if old.startswith('"'):
        return json.dumps(text, ensure_ascii=ascii_only)
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in text.splitlines(keepends=True)]
    before = old[1 : _skip(old, 1)]
    after = old[len(old.removesuffix("]").rstrip()) : -1]
    return f"[{before}{_separator(old, before).join(lines)}{after}]"


def _separator(old: str, before: str) -> str:
    """What stands between the elements of a list."""
    places = list(_elements(old, 0))
    if len(places) > 1:
        return old[places[0][1] : places[1][0]]
    return f",{before}" if "\n" in before else ", "
