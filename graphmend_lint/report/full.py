"""For people: each diagnostic with its source line, its fix or the reason why there is none, and the call chain."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from graphmend_lint.model import Applicability, Diagnostic, Fix, Span
from graphmend_lint.report import Report
from graphmend_lint.report.concise import headline, paint, visible

TAB = "    "


def render(report: Report) -> str:
    return "".join(f"{_block(report, each)}\n\n" for each in report.diagnostics)


def _block(report: Report, diagnostic: Diagnostic) -> str:
    lines = [headline(report, diagnostic), *_excerpt(report, diagnostic), *_notes(report, diagnostic)]
    return "\n".join([*lines, *_preview(report, diagnostic)] if report.show_fixes else lines)


def _excerpt(report: Report, diagnostic: Diagnostic) -> Iterator[str]:
    """The first line that the diagnostic is about, marked."""
    source, span = report.sources[diagnostic.path], diagnostic.span
    row = span.start.row
    if row > len(source.lines):
        return
    line = source.lines[row - 1].rstrip("\r\n")
    gutter, bar = str(row), paint(report, "|", fg="blue", bold=True)
    margin = " " * len(gutter)
    indent, width = _mark(line, span)
    carets = paint(report, "^" * width + f" {diagnostic.code}", fg="red", bold=True)
    yield f"{margin} {bar}"
    yield f"{paint(report, gutter, fg='blue', bold=True)} {bar} {_flat(line)}"
    yield f"{margin} {bar} {' ' * indent}{carets}"


def _mark(line: str, span: Span) -> tuple[int, int]:
    """Cells before the mark, and the mark's width in cells; it ends with the line if the diagnostic does not."""
    start = span.start.column - 1
    end = span.end.column - 1 if span.end.row == span.start.row else len(line.rstrip())
    return _cells(line[:start]), max(1, _cells(line[start:end]))


def _flat(line: str) -> str:
    return visible(line.replace("\t", TAB))


def _cells(text: str) -> int:
    """How many terminal cells the text takes."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in _flat(text))


def _notes(report: Report, diagnostic: Diagnostic) -> Iterator[str]:
    margin = " " * len(str(diagnostic.span.start.row))
    sign = paint(report, "=", fg="blue", bold=True)
    for kind, text in notes(report, diagnostic):
        yield f"{margin} {sign} {paint(report, kind, bold=True)}: {visible(text)}"


def notes(report: Report, diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """What there is to add to a diagnostic: `help` or `note`, and one line."""
    if fix := diagnostic.fix:
        yield "help", f"{fix.title}{_risk(fix)}"
    elif refusal := diagnostic.refusal:
        yield "note", f"no fix: {refusal.reason}: {refusal.detail}"
    if report.show_chain and diagnostic.chain:
        steps = (f"`{each.name}` ({report.relative(each.path)}:{each.row})" for each in diagnostic.chain)
        yield "note", f"reached through {' -> '.join(steps)}"


def _risk(fix: Fix) -> str:
    if fix.applicability is Applicability.SAFE:
        return ""
    return f" ({': '.join(filter(None, (fix.applicability.name.lower(), fix.caveat)))})"


def _preview(report: Report, diagnostic: Diagnostic) -> Iterator[str]:
    """The lines that the fix takes out and puts in; of a notebook, those of the diagnostic's cell."""
    from difflib import unified_diff  # only where fixes are shown

    from graphmend_lint.notebook import split_cell

    _, cell = split_cell(diagnostic.path)
    edits = [each for each in report.edits(diagnostic) if each.cell == cell]
    source = report.sources[diagnostic.path]
    margin = " " * len(str(diagnostic.span.start.row))
    before, after = source.text.splitlines(), source.edited(edits).splitlines()
    changes = list(unified_diff(before, after, n=0, lineterm=""))[2:] if edits else []
    for line in changes:
        if not line.startswith("@@"):
            color = "red" if line.startswith("-") else "green"
            yield f"{margin} {paint(report, f'{line[0]} {_flat(line[1:])}'.rstrip(), fg=color)}"
