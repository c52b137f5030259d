"""What the server answers. All work is done between two messages; a change waits until typing pauses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from graphmend_lint import __version__, engine
from graphmend_lint.comments import with_noqa
from graphmend_lint.lsp.convert import Ruler, diagnostic, hover, overlap
from graphmend_lint.lsp.desk import Desk
from graphmend_lint.model import Applicability, Diagnostic

PAUSE = 0.1  #: seconds without a change before a buffer is linted
FIX_ALL = "source.fixAll.graphmend"


class Server(LanguageServer):
    """A language server with a desk."""

    def __init__(self) -> None:
        super().__init__("graphmend-lint", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.desk = Desk()
        self.uris: dict[Path, str] = {}
        self.timer: asyncio.TimerHandle | None = None
        self.told = ""  #: the last complaint that was shown

    def ruler(self, path: Path) -> Ruler:
        encoding = self.workspace.position_encoding or "utf-16"
        return Ruler(self.desk.buffers[path], str(getattr(encoding, "value", encoding)))

    def take(self, uri: str) -> None:
        """Put the text of a document on the desk."""
        path = path_of(uri)
        self.uris[path] = uri
        self.desk.open(path, self.workspace.get_text_document(uri).source)

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
        for path, uri in self.uris.items():
            version = self.workspace.get_text_document(uri).version
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, self.items(path), version))
        self.complain()

    @property
    def pulls(self) -> bool:
        document = self.client_capabilities.text_document
        return document is not None and document.diagnostic is not None

    def items(self, path: Path) -> list[lsp.Diagnostic]:
        if path not in self.desk.buffers:
            return []
        ruler = self.ruler(path)
        return [diagnostic(each, ruler) for each in self.desk.diagnostics(path)]

    def complain(self) -> None:
        """Say what is wrong with the configuration, once."""
        if self.desk.complaint != self.told and self.desk.complaint:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, self.desk.complaint))
        self.told = self.desk.complaint

    def at(self, uri: str, where: lsp.Range) -> list[Diagnostic]:
        """The diagnostics that a range touches."""
        path = path_of(uri)
        if path not in self.desk.buffers:
            return []
        ruler = self.ruler(path)
        return [each for each in self.desk.diagnostics(path) if overlap(ruler.range(each.span), where)]

    def action(self, uri: str, title: str, kind: str, edits: list[lsp.TextEdit], **more: object) -> lsp.CodeAction:
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri, self.workspace.get_text_document(uri).version)
        change = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, list(edits))])
        return lsp.CodeAction(title, kind, edit=change, **more)  # type: ignore[arg-type]


def path_of(uri: str) -> Path:
    """The path of a document; a buffer that is no file yet gets a name of its own."""
    path = to_fs_path(uri) if urlsplit(uri).scheme == "file" else None
    return Path(path) if path else Path(f"{urlsplit(uri).path or 'untitled'}.py")


def _can_refresh(capabilities: lsp.ClientCapabilities) -> bool:
    diagnostics = capabilities.workspace and capabilities.workspace.diagnostics
    return bool(diagnostics and diagnostics.refresh_support)


def make_server() -> Server:
    """A server with all its answers."""
    server = Server()

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        server.desk.folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
        _watch_configuration(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(_: lsp.DidChangeWorkspaceFoldersParams) -> None:
        server.desk.folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
        refresh()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(parameters: lsp.DidOpenTextDocumentParams) -> None:
        server.take(parameters.text_document.uri)
        server.publish()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def edited(parameters: lsp.DidChangeTextDocumentParams) -> None:
        server.take(parameters.text_document.uri)
        server.later()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(parameters: lsp.DidCloseTextDocumentParams) -> None:
        uri = parameters.text_document.uri
        server.desk.close(path_of(uri))
        server.uris.pop(path_of(uri), None)
        if not server.pulls:
            server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        refresh()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: lsp.DidChangeWatchedFilesParams) -> None:
        refresh()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(_: lsp.DidChangeConfigurationParams) -> None:
        refresh()

    def refresh() -> None:
        server.desk.changed()
        server.later()

    _add_answers(server)
    return server


def _watch_configuration(server: Server) -> None:
    """Ask to be told when a file that counts changes on disk."""
    workspace = server.client_capabilities.workspace
    watched = workspace and workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        patterns = ("**/*.py", "**/pyproject.toml", "**/graphmend-lint.toml", "**/.graphmend-lint.toml")
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(each) for each in patterns])
        registration = lsp.Registration("watch", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _add_answers(server: Server) -> None:
    """The requests: pulled diagnostics, code actions, hover."""
    pulled = lsp.DiagnosticOptions(
        identifier="graphmend-lint", inter_file_dependencies=True, workspace_diagnostics=False
    )
    kinds = [lsp.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, pulled)
    def pull(parameters: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        items = server.items(path_of(parameters.text_document.uri))
        server.complain()
        return lsp.RelatedFullDocumentDiagnosticReport(items)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    def actions(parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri, only = parameters.text_document.uri, parameters.context.only
        found: list[lsp.CodeAction] = []
        if path_of(uri) not in server.desk.buffers:
            return found
        if _wanted(lsp.CodeActionKind.QuickFix, only):
            for each in server.at(uri, parameters.range):
                found += [*_quick_fixes(server, uri, each), _suppression(server, uri, each)]
        if _wanted(FIX_ALL, only):
            found += _fix_all(server, uri)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def explain(parameters: lsp.HoverParams) -> lsp.Hover | None:
        at = lsp.Range(parameters.position, parameters.position)
        uri = parameters.text_document.uri
        return next((hover(each, server.ruler(each.path)) for each in server.at(uri, at)), None)


def _wanted(kind: str, only: Sequence[lsp.CodeActionKind | str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{getattr(each, 'value', each)}.") for each in only)


def _quick_fixes(server: Server, uri: str, each: Diagnostic) -> list[lsp.CodeAction]:
    ruler = server.ruler(each.path)
    edits = ruler.edits(engine.text_edits(ruler.source, each))
    if each.fix is None or not edits or each.fix.applicability is Applicability.DISPLAY:
        return []
    safe = each.fix.applicability is Applicability.SAFE
    title = each.fix.title if safe else f"{each.fix.title} (unsafe: {each.fix.caveat})"
    more = {"diagnostics": [diagnostic(each, ruler)], "is_preferred": safe}
    return [server.action(uri, f"{each.code}: {title}", lsp.CodeActionKind.QuickFix, edits, **more)]


def _suppression(server: Server, uri: str, each: Diagnostic) -> lsp.CodeAction:
    ruler = server.ruler(each.path)
    edits = ruler.rewrite(with_noqa(ruler.source, [each]).text)
    more = {"diagnostics": [diagnostic(each, ruler)]}
    return server.action(uri, f"{each.code}: Suppress on this line", lsp.CodeActionKind.QuickFix, edits, **more)


def _fix_all(server: Server, uri: str) -> list[lsp.CodeAction]:
    path = path_of(uri)
    new = server.desk.fixed(path)
    if new is None:
        return []
    return [
        server.action(uri, "Fix all graph breaks that can be fixed safely", FIX_ALL, server.ruler(path).rewrite(new))
    ]


def main() -> None:
    """Serve over standard input and output."""
    make_server().start_io()
