"""One file: its bytes, text, syntax tree and suppression comments."""

from __future__ import annotations

import ast
import codecs
import io
import sys
import tokenize
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from zlib import crc32

from graphmend_lint.headers import Bound, Header, headers, imports, may_compile
from graphmend_lint.model import Position, Span, TextEdit

LONG = 60_000  #: characters; in fewer, nothing can be so deep
STACK = 1 << 29  #: bytes that may be used, not bytes that are used


class SourceError(Exception):
    """A file that cannot be linted: where, and one clear sentence why."""

    def __init__(self, path: Path, row: int, reason: str) -> None:
        super().__init__(f"{path}:{row}: {reason}")
        self.path = path
        self.row = row
        self.reason = reason


@dataclass(eq=False)
class Source:
    """A Python file as text; `tree` is parsed on first use and kept.

    Line ends are those of the file (no translation), so that untouched text stays byte-equal.
    """

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    _lines: list[str] | None = field(default=None, repr=False)
    on_disk: bool = False  #: the file holds this text
    _checksum: int | None = field(default=None, repr=False)  #: of the file's content
    _is_python: bool = field(default=False, repr=False)  #: it has been parsed

    @classmethod
    def read(cls, path: Path) -> Source:
        """Read a file.

        Raises:
            SourceError: if it cannot be read or is not text in its declared encoding.
        """
        source = cls.decode(path, data := read_bytes(path))
        source.on_disk = path.is_file()
        source._checksum = crc32(data)
        return source

    @cached_property
    def may_hold_modules(self) -> bool:
        """False if the text names neither torch nor a `forward`."""
        text = self.glance()
        return "torch" in text or "forward" in text

    @cached_property
    def has_forward(self) -> bool:
        """False if the text defines no `forward`."""
        return "def forward(" in self.glance()

    @cached_property
    def imports_torch(self) -> bool:
        """False if the text does not: modules of other libraries are made of an `nn`, too."""
        text = self.glance()
        return "import torch" in text or "from torch" in text

    @cached_property
    def has_star(self) -> bool:
        """False if the text takes nothing by `import *`."""
        return "import *" in self.glance()

    def skim(self) -> None:
        """Work out what is asked of every file, so that its text can be let go of."""
        _ = self.may_compile, self.may_hold_modules, self.headers, self.has_forward, self.has_star, self.imports_torch

    def let_go(self, headers: bool = False) -> None:
        """Let go of the tree, of the text if it can be read again, and of the `headers` if that is asked for.

        All of them come back when somebody asks.
        """
        for name in ("tree", *(("headers",) if headers else ())):
            vars(self).pop(name, None)
        self._lines = None
        if self.on_disk and self.is_held:
            del self.text

    @classmethod
    def decode(cls, path: Path, data: bytes) -> Source:
        """The source in `data`, which was read from `path`.

        Raises:
            SourceError: if the bytes are not text in the encoding they declare.
        """
        bom = data.startswith(codecs.BOM_UTF8)
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            encoding = "utf-8" if encoding == "utf-8-sig" else encoding
            text = (data[len(codecs.BOM_UTF8) :] if bom else data).decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            start = getattr(error, "start", 0)
            row = data.count(b"\n", 0, start) + 1
            raise SourceError(path, row, "not valid text in the file's encoding (UTF-8 unless declared)") from None
        return cls(path, text, encoding, bom)

    def encode(self, text: str) -> bytes:
        """`text` as bytes of this file: same encoding, same byte-order mark."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode(self.encoding)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            SourceError: if the text is not Python.
        """
        try:
            tree = parsed(self.text)
            self._is_python = True
            return tree
        except SyntaxError as error:
            raise SourceError(self.path, error.lineno or 1, not_python(error)) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise SourceError(self.path, 1, f"cannot be parsed: {error or type(error).__name__}") from None

    @property
    def is_held(self) -> bool:
        """True if the text is in memory."""
        return "text" in vars(self)

    def glance(self) -> str:
        """The text; what was let go of is read, and let go of again.

        Raises:
            SourceError: if the file cannot be read any more, or has changed.
        """
        text: str | None = vars(self).get("text")
        if text is None:
            again = Source.read(self.path)
            text = again.text
            if again._checksum != self._checksum:
                raise SourceError(self.path, 1, "the file has changed while it was linted")
        return text

    def mentions(self, word: str) -> bool:
        """True if the word stands somewhere in the text, which is not kept for that."""
        text: str | None = vars(self).get("text")
        if text is None and self.encoding == "utf-8":
            return word.encode() in read_bytes(self.path)
        return word in (self.glance() if text is None else text)

    @cached_property
    def may_compile(self) -> bool:
        """False if the text hands nothing to Dynamo."""
        return may_compile(self.glance())

    @cached_property
    def headers(self) -> tuple[Header, ...]:
        """The first lines of the classes, read without the tree."""
        return tuple(headers(self.glance()))

    @cached_property
    def imports(self) -> dict[str, list[Bound]]:
        """What imports bind, read without the tree."""
        return imports(self.glance())

    def accept(self, needed: bool) -> None:
        """Raise what `tree` would. A tree that nobody may ever need is not built: that takes two thirds of the time.

        Raises:
            SourceError: if the text is not Python.
        """
        if needed or not (self._is_python or _is_python(self.glance())):
            _ = self.tree

    @property
    def lines(self) -> list[str]:
        """The lines as the parser counts them, with their ends."""
        if self._lines is None:
            self._lines = io.StringIO(self.text, newline="").readlines()
        return self._lines

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where `node` stands, in code points."""
        end_row = node.end_lineno or node.lineno
        end = self._column(end_row, node.end_col_offset or 0)
        return Span(Position(node.lineno, self._column(node.lineno, node.col_offset)), Position(end_row, end))

    def _column(self, row: int, offset: int) -> int:
        line = self.lines[row - 1] if row <= len(self.lines) else ""
        if line.isascii():
            return offset + 1
        return len(line.encode()[:offset].decode(errors="replace")) + 1

    def segment(self, node: ast.expr | ast.stmt) -> str:
        """The text of `node`, as written."""
        span = self.span(node)
        first, last = span.start.row - 1, span.end.row - 1
        if first == last:
            return self.lines[first][span.start.column - 1 : span.end.column - 1]
        head, tail = self.lines[first][span.start.column - 1 :], self.lines[last][: span.end.column - 1]
        return head + "".join(self.lines[first + 1 : last]) + tail

    def edited(self, edits: Iterable[TextEdit]) -> str:
        """The text after the edits, no two of which may overlap."""
        text = self.text
        starts = [0, *accumulate(len(line) for line in self.lines)]
        for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
            start, end = (
                starts[min(at.row - 1, len(starts) - 1)] + at.column - 1 for at in (edit.span.start, edit.span.end)
            )
            text = text[:start] + edit.content + text[end:]
        return text


class _Text:
    """Descriptor for the text of a source: text that was let go of is read again, and kept."""

    def __get__(self, source: Source | None, owner: type[Source]) -> object:
        if source is None:
            return self
        source.text = text = source.glance()
        return text


Source.text = _Text()  # type: ignore[assignment]


def parsed(text: str) -> ast.Module:
    """The syntax tree of a text. What Python would warn of is somebody else's business.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: if it is not Python, or too much for its parser.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if sys.version_info < (3, 11) and len(text) > LONG:
            return _parsed_with_room(text)
        return ast.parse(text)


def _parsed_with_room(text: str) -> ast.Module:
    """The same on Python 3.10, which does not count how deep its parser is: `a.b.b.b...` would end the process."""
    import threading
    from concurrent.futures import ThreadPoolExecutor

    before = threading.stack_size(STACK)
    try:
        with ThreadPoolExecutor(1) as room:
            return room.submit(ast.parse, text).result()
    finally:
        threading.stack_size(before)


def _is_python(text: str) -> bool:
    """True if Python's parser accepts the text. If not, that may be for more than syntax."""
    import symtable  # a run over one file seldom asks

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            symtable.symtable(text, "<text>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def not_python(error: SyntaxError) -> str:
    """What is wrong with a text, and for which Python: a newer one may read it."""
    return f"not valid Python: {error.msg} (as Python {sys.version_info[0]}.{sys.version_info[1]})"


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        SourceError: if it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(path, 1, f"cannot read the file: {error.strerror or error}") from None


def size(path: Path) -> int:
    """Bytes in a file; 0 if it cannot be asked."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
