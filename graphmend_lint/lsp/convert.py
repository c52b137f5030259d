"""Our words in the words of the protocol: positions in the client's units, edits, diagnostics."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types as lsp

from graphmend_lint.docs import page
from graphmend_lint.lines import line_edits
from graphmend_lint.model import Diagnostic, Frame, Position, Severity, Span, TextEdit
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source

SEVERITIES = {Severity.ERROR: lsp.DiagnosticSeverity.Error, Severity.WARNING: lsp.DiagnosticSeverity.Warning}


class Ruler:
    """Measures columns of a source in the units that the client counts."""

    def __init__(self, source: Source, encoding: str) -> None:
        self.source = source
        self.encoding = encoding

    def position(self, at: Position) -> lsp.Position:
        lines = self.source.lines
        line = lines[at.row - 1] if at.row <= len(lines) else ""
        return lsp.Position(at.row - 1, self._units(line[: at.column - 1]))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.start), self.position(span.end))

    def _units(self, text: str) -> int:
        match self.encoding:
            case "utf-8":
                return len(text.encode())
            case "utf-32":
                return len(text)
            case _:
                return len(text.encode("utf-16-le")) // 2

    def edits(self, edits: Iterable[TextEdit]) -> list[lsp.TextEdit]:
        return [lsp.TextEdit(self.range(edit.span), edit.content) for edit in edits]

    def rewrite(self, new: str) -> list[lsp.TextEdit]:
        """Edits of whole lines that turn the source into `new`."""
        return self.edits(line_edits(self.source.text, new))


def diagnostic(each: Diagnostic, ruler: Ruler, uri_of: Callable[[Path], str]) -> lsp.Diagnostic:
    """A diagnostic with its call chain and a link to the page of its rule."""
    return lsp.Diagnostic(
        range=ruler.range(each.span),
        message=each.message + _refusal(each),
        severity=SEVERITIES[each.severity],
        code=each.code,
        code_description=lsp.CodeDescription(page_uri(load_rules()[each.code])),
        source="graphmend-lint",
        related_information=[_step(frame, uri_of(frame.path)) for frame in each.chain] or None,
    )


def page_uri(rule: Rule) -> str:
    """Where the rule's page is on this machine: the file of the rule begins with it."""
    return Path(sys.modules[rule.check.__module__].__file__ or "").as_uri()


def _refusal(each: Diagnostic) -> str:
    return f"\nNo fix: {each.refusal.detail}." if each.refusal else ""


def _step(frame: Frame, uri: str) -> lsp.DiagnosticRelatedInformation:
    start = lsp.Position(max(frame.row - 1, 0), 0)
    return lsp.DiagnosticRelatedInformation(
        lsp.Location(uri, lsp.Range(start, start)), f"reached through `{frame.name}`"
    )


def hover(each: Diagnostic, ruler: Ruler) -> lsp.Hover:
    """The page of the diagnostic's rule."""
    text = page(load_rules()[each.code]).partition("\n\n")[2]
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ruler.range(each.span))


def overlap(a: lsp.Range, b: lsp.Range) -> bool:
    """True if two ranges share a place; an empty one stands for the place it is at."""
    return _key(a.start) <= _key(b.end) and _key(b.start) <= _key(a.end)


def _key(at: lsp.Position) -> tuple[int, int]:
    return at.line, at.character
