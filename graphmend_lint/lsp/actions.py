"""Code actions: the fix of a diagnostic, a comment that suppresses it, and all safe fixes of a document.

Building an edit takes longer than finding out that there is one, so a client that can ask for it later gets it later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types as lsp

from graphmend_lint import engine
from graphmend_lint.comments import with_noqa
from graphmend_lint.lsp.convert import diagnostic
from graphmend_lint.lsp.server import Server
from graphmend_lint.model import Applicability, Diagnostic

FIX_ALL = "source.fixAll.graphmend"
FIX, SUPPRESS, ALL = "fix", "suppress", "all"


def answer(server: Server, parameters: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    """The actions for a range of a document, with their edits unless the client resolves them."""
    uri, only = parameters.text_document.uri, parameters.context.only
    lazy = _resolves(server.client_capabilities)
    for each in _listed(server, uri, parameters.range, only):
        action = each if lazy else resolve(server, each)
        if lazy or action.edit is not None:
            yield action


def _resolves(capabilities: lsp.ClientCapabilities) -> bool:
    """True if the client asks for the edit of an action when somebody takes it."""
    action = capabilities.text_document and capabilities.text_document.code_action
    if not action or not action.data_support or not action.resolve_support:
        return False
    return "edit" in action.resolve_support.properties


def _listed(
    server: Server, uri: str, where: lsp.Range, only: Sequence[lsp.CodeActionKind | str] | None
) -> Iterator[lsp.CodeAction]:
    if _wanted(lsp.CodeActionKind.QuickFix, only):
        for index, each in server.at(uri, where):
            if each.fix is not None and each.fix.applicability is not Applicability.DISPLAY:
                yield _fix(server, uri, index, each)
            yield _quick(server, uri, index, each, SUPPRESS, "Suppress on this line")
    if _wanted(FIX_ALL, only) and _may_fix(server, uri):
        yield lsp.CodeAction("Fix all graph breaks that can be fixed safely", FIX_ALL, data=_data(server, uri, ALL, 0))


def _wanted(kind: str, only: Sequence[lsp.CodeActionKind | str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{getattr(each, 'value', each)}.") for each in only)


def _fix(server: Server, uri: str, index: int, each: Diagnostic) -> lsp.CodeAction:
    assert each.fix is not None
    safe = each.fix.applicability is Applicability.SAFE
    title = each.fix.title if safe else f"{each.fix.title} (unsafe: {each.fix.caveat})"
    return _quick(server, uri, index, each, FIX, title, safe)


def _quick(
    server: Server, uri: str, index: int, each: Diagnostic, what: str, title: str, preferred: bool | None = None
) -> lsp.CodeAction:
    return lsp.CodeAction(
        f"{each.code}: {title}",
        lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(each, server.ruler(uri), server.uri_of)],
        is_preferred=preferred,
        data=_data(server, uri, what, index),
    )


def _data(server: Server, uri: str, what: str, index: int) -> dict[str, Any]:
    """How to find the action again, as long as its document has not changed."""
    return {"uri": uri, "version": server.version_of(uri), "what": what, "index": index}


def _may_fix(server: Server, uri: str) -> bool:
    """True if some diagnostic of the document's module has a fix that is applied by default."""
    sheet = server.sheets.get(uri)
    settings = server.desk.settings()
    return sheet is not None and any(
        each.fix is not None and each.fix.applicability is Applicability.SAFE and settings.may_fix(each.code)
        for each in server.desk.diagnostics(sheet.path)
    )


def resolve(server: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """The action with its edit; without one if the document has changed since, or the fix does not go in."""
    data = dict(action.data or {})
    uri = data.get("uri", "")
    if uri in server.sheets and server.version_of(uri) == data["version"]:
        with server.building:
            new = _text(server, uri, data["what"], data["index"])
        action.edit = server.change(uri, new) if new is not None else None
    return action


def _text(server: Server, uri: str, what: str, index: int) -> str | None:
    """The text of the module after an action; None if the action does not change it."""
    sheet = server.sheets[uri]
    if what == ALL:
        return server.desk.fixed(sheet.path)
    found = server.desk.diagnostics(sheet.path)
    if index >= len(found):
        return None
    if what == SUPPRESS:
        return with_noqa(sheet.source, [found[index]]).text
    edits = engine.text_edits(sheet.source, found[index])
    return sheet.source.edited(edits) if edits else None
