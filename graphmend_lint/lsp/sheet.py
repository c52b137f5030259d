"""The documents that an editor has open, as the linter sees them: a file, or a notebook with a document per cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from graphmend_lint.model import Diagnostic
from graphmend_lint.notebook import Cells, Layout, cell_path
from graphmend_lint.source import Source


@dataclass(frozen=True)
class Sheet(ABC):
    """What is linted as one module, and the documents that it is made of."""

    source: Source
    parts: dict[str, Source]  #: the text of each document, by URI

    @property
    def path(self) -> Path:
        return self.source.path

    @abstractmethod
    def local(self, uri: str, each: Diagnostic) -> Diagnostic | None:
        """The diagnostic as it stands in one of the documents; None if it is about another."""

    @abstractmethod
    def texts(self, new: str) -> Iterator[tuple[str, str]]:
        """The text of each document after the module has become `new`."""


@dataclass(frozen=True)
class File(Sheet):
    """A document that is a module."""

    @classmethod
    def of(cls, uri: str, path: Path, text: str) -> File:
        source = Source(path, text)
        return cls(source, {uri: source})

    def local(self, uri: str, each: Diagnostic) -> Diagnostic | None:
        return each

    def texts(self, new: str) -> Iterator[tuple[str, str]]:
        yield from ((uri, new) for uri in self.parts)


@dataclass(frozen=True)
class Book(Sheet):
    """A notebook: its cells make one module. A cell that is not Python for now counts as empty."""

    cells: Cells
    uris: dict[int, str]  #: of each cell, by its number

    @classmethod
    def of(cls, path: Path, texts: dict[str, str]) -> Book:
        """A notebook of these cells, in order, by URI."""
        uris = dict(enumerate(texts, 1))
        cells = Cells(path, {number: texts[uri] for number, uri in uris.items()}, forgiving=True)
        parts = {uri: Source(cell_path(path, number), texts[uri]) for number, uri in uris.items()}
        return cls(cells.source, parts, cells, uris)

    @cached_property
    def layout(self) -> Layout:
        return self.cells.layout(self.source.text)

    def local(self, uri: str, each: Diagnostic) -> Diagnostic | None:
        number, _ = self.layout.cell(each.span.start.row)
        return self.layout.shown(each) if self.uris[number] == uri else None

    def texts(self, new: str) -> Iterator[tuple[str, str]]:
        yield from ((self.uris[number], text) for number, text in self.cells.texts(new).items())
