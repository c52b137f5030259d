"""Which message is answered how."""

from __future__ import annotations

import asyncio

from lsprotocol import types as lsp

from graphmend_lint.lsp import actions
from graphmend_lint.lsp.convert import hover
from graphmend_lint.lsp.server import Server, path_of

GRACE = 0.01  #: seconds in which a client may take a request back, or send a newer text


def make_server() -> Server:
    """A server with all its answers."""
    server = Server()
    _add_workspace(server)
    _add_documents(server)
    _add_notebooks(server)
    _add_requests(server)
    return server


def _add_workspace(server: Server) -> None:
    def refresh(_: object) -> None:
        server.desk.changed()
        server.later()

    def set_folders(_: object) -> None:
        server.desk.folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
        server.desk.changed()

    @server.feature(lsp.INITIALIZED)
    def initialized(parameters: lsp.InitializedParams) -> None:
        set_folders(parameters)
        _watch_configuration(server)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(parameters: lsp.DidChangeWorkspaceFoldersParams) -> None:
        set_folders(parameters)
        server.later()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(parameters: lsp.DidSaveTextDocumentParams) -> None:
        refresh(parameters)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(parameters: lsp.DidChangeWatchedFilesParams) -> None:
        refresh(parameters)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(parameters: lsp.DidChangeConfigurationParams) -> None:
        refresh(parameters)


def _watch_configuration(server: Server) -> None:
    """Ask to be told when a file that counts changes on disk."""
    workspace = server.client_capabilities.workspace
    watched = workspace and workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        patterns = ("**/*.py", "**/pyproject.toml", "**/graphmend-lint.toml", "**/.graphmend-lint.toml")
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(each) for each in patterns])
        registration = lsp.Registration("watch", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _add_documents(server: Server) -> None:
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
        server.drop(iter([parameters.text_document.uri]))
        server.later()


def _add_notebooks(server: Server) -> None:
    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(parameters: lsp.DidOpenNotebookDocumentParams) -> None:
        server.take_notebook(parameters.notebook_document.uri)
        server.publish()

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def edited(parameters: lsp.DidChangeNotebookDocumentParams) -> None:
        server.take_notebook(parameters.notebook_document.uri)
        server.later()

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(parameters: lsp.DidCloseNotebookDocumentParams) -> None:
        server.drop(each.uri for each in parameters.cell_text_documents)
        server.later()


def _add_requests(server: Server) -> None:
    """Pulled diagnostics, code actions, hover."""
    pulled = lsp.DiagnosticOptions(
        identifier="graphmend-lint", inter_file_dependencies=True, workspace_diagnostics=False
    )
    kinds = [lsp.CodeActionKind.QuickFix, actions.FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, pulled)
    async def pull(parameters: lsp.DocumentDiagnosticParams) -> lsp.RelatedFullDocumentDiagnosticReport:
        await asyncio.sleep(GRACE)
        items = server.items(parameters.text_document.uri)
        server.complain()
        return lsp.RelatedFullDocumentDiagnosticReport(items)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)
    )
    def offered(parameters: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return list(actions.answer(server, parameters))

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    def resolved(action: lsp.CodeAction) -> lsp.CodeAction:
        return actions.resolve(server, action)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def explain(parameters: lsp.HoverParams) -> lsp.Hover | None:
        uri, at = parameters.text_document.uri, lsp.Range(parameters.position, parameters.position)
        return next((hover(each, server.ruler(uri)) for _, each in server.at(uri, at)), None)


def main() -> None:
    """Serve over standard input and output."""
    make_server().start_io()
