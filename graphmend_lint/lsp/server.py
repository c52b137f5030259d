"""What the server knows and says. Work is done between two messages; a change waits until typing pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from graphmend_lint import __version__, engine
from graphmend_lint.lsp.convert import Ruler, diagnostic, overlap
from graphmend_lint.lsp.desk import Desk
from graphmend_lint.lsp.sheet import Book, File, Sheet
from graphmend_lint.model import Diagnostic
from graphmend_lint.source import Source

PAUSE = 0.1  #: seconds without a change before buffers are linted
IDLE = 0.5  #: seconds without a change before what fixes are built from is got ready
NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    [lsp.NotebookDocumentFilterWithNotebook("*", [lsp.NotebookCellLanguage("python")])]
)


class Server(LanguageServer):
    """A language server with a desk."""

    def __init__(self) -> None:
        super().__init__(
            "graphmend-lint",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            notebook_document_sync=NOTEBOOKS,
        )
        self.desk = Desk()
        self.sheets: dict[str, Sheet] = {}  #: by the URI of each open document
        self.timer: asyncio.TimerHandle | None = None
        self.idle: asyncio.TimerHandle | None = None
        self.building = Lock()  #: held while fixes are built, so that two do not build the same
        self.told = ""  #: the last complaint that was shown
        self.logged: set[str] = set()

    # What is open

    def take(self, uri: str) -> None:
        """Put the text of a document on the desk; of a cell, its whole notebook."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            self.take_notebook(notebook.uri)
        else:
            self._put(File.of(uri, path_of(uri), self.workspace.get_text_document(uri).source))

    def take_notebook(self, uri: str) -> None:
        """Put the cells of a notebook on the desk, in place of those that it had."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is None:
            return
        code = [each.document for each in notebook.cells if each.kind == lsp.NotebookCellKind.Code]
        known = [each for each in code if unquote(each) in self.workspace.text_documents]
        book = Book.of(path_of(uri), {each: self.workspace.get_text_document(each).source for each in known})
        before = [each for each, sheet in self.sheets.items() if sheet.path == book.path]
        self.drop(each for each in before if each not in book.parts)
        self._put(book)

    def _put(self, sheet: Sheet) -> None:
        self.sheets |= dict.fromkeys(sheet.parts, sheet)
        self.desk.open(sheet.source)

    def drop(self, uris: Iterator[str]) -> None:
        """Take documents off the desk, and their diagnostics off the screen."""
        for uri in uris:
            sheet = self.sheets.pop(uri, None)
            if sheet is not None and sheet not in self.sheets.values():
                self.desk.close(sheet.path)
            if not self.pulls:
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def version_of(self, uri: str) -> int | None:
        return self.workspace.get_text_document(uri).version

    def uri_of(self, path: Path) -> str:
        """Where to find a file, or a cell."""
        parts = (part for sheet in self.sheets.values() for part in sheet.parts.items())
        return next((uri for uri, source in parts if source.path == path), path.absolute().as_uri())

    def ruler(self, uri: str) -> Ruler:
        encoding = self.workspace.position_encoding or "utf-16"
        return Ruler(self.sheets[uri].parts[uri], str(getattr(encoding, "value", encoding)))

    # What is said

    def later(self) -> None:
        """Publish when nothing has changed for a moment."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(PAUSE, self.publish)

    def publish(self) -> None:
        """Send the diagnostics of all open buffers; a client that pulls is asked to pull again."""
        self.timer = None
        if self.pulls:
            if _can_refresh(self.client_capabilities):
                self.workspace_diagnostic_refresh(None)
            return
        for uri in self.sheets:
            items = self.items(uri)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, items, self.version_of(uri)))
        self.complain()

    @property
    def pulls(self) -> bool:
        document = self.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def items(self, uri: str) -> list[lsp.Diagnostic]:
        """The diagnostics of one document, for the client."""
        found = list(self.local(uri))
        if found:
            self.prepare(self.sheets[uri])
        return [diagnostic(each, self.ruler(uri), self.uri_of) for _, each in found]

    def local(self, uri: str) -> Iterator[tuple[int, Diagnostic]]:
        """The diagnostics of one document, each with its number among those of the module."""
        sheet = self.sheets.get(uri)
        if sheet is not None:
            for index, each in enumerate(self.desk.diagnostics(sheet.path)):
                if (local := sheet.local(uri, each)) is not None:
                    yield index, local

    def at(self, uri: str, where: lsp.Range) -> Iterator[tuple[int, Diagnostic]]:
        """The diagnostics that a range touches, with their numbers."""
        yield from ((n, each) for n, each in self.local(uri) if overlap(self.ruler(uri).range(each.span), where))

    def complain(self) -> None:
        """Say what is wrong with the configuration, and log what could not be analysed, once each."""
        if self.desk.complaint != self.told and self.desk.complaint:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, self.desk.complaint))
        self.told = self.desk.complaint
        for line in self.desk.trouble:
            if line not in self.logged:
                self.logged.add(line)
                self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, line))

    def prepare(self, sheet: Sheet) -> None:
        """Get ready for fixes in this module, in the background, when nothing has changed for a moment."""
        if self.idle is not None:
            self.idle.cancel()
        loop = asyncio.get_running_loop()
        self.idle = loop.call_later(IDLE, lambda: loop.run_in_executor(None, self._prepare, sheet.source))

    def _prepare(self, source: Source) -> None:
        with self.building:
            engine.prepare(source)

    def change(self, uri: str, new: str) -> lsp.WorkspaceEdit | None:
        """What turns the module that a document belongs to into `new`; None if nothing is to be done."""
        changes: list[lsp.TextDocumentEdit] = []
        for part, text in self.sheets[uri].texts(new):
            if edits := self.ruler(part).rewrite(text):
                document = lsp.OptionalVersionedTextDocumentIdentifier(part, self.version_of(part))
                changes.append(lsp.TextDocumentEdit(document, list(edits)))
        return lsp.WorkspaceEdit(document_changes=list(changes)) if changes else None


def path_of(uri: str) -> Path:
    """The path of a document; a buffer that is no file yet gets a name of its own."""
    path = to_fs_path(uri) if urlsplit(uri).scheme == "file" else None
    return Path(path) if path else Path(f"{urlsplit(uri).path or 'untitled'}.py")


def _can_refresh(capabilities: lsp.ClientCapabilities) -> bool:
    diagnostics = capabilities.workspace and capabilities.workspace.diagnostics
    return bool(diagnostics and diagnostics.refresh_support)
