"""Annotations for GitHub Actions: one workflow command per diagnostic."""

from __future__ import annotations

from graphmend_lint.model import Diagnostic
from graphmend_lint.notebook import split_cell
from graphmend_lint.report import Report


def render(report: Report) -> str:
    return "".join(f"{_command(report, each)}\n" for each in report.diagnostics)


def _command(report: Report, diagnostic: Diagnostic) -> str:
    start, end = diagnostic.span.start, diagnostic.span.end
    path = report.relative(diagnostic.path)
    properties = {
        "title": f"graphmend-lint ({diagnostic.code})",
        "file": report.relative(split_cell(diagnostic.path)[0]),
        "line": start.row,
        "col": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }
    head = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    text = _data(f"{path}:{start.row}:{start.column}: {diagnostic.code} {diagnostic.message}")
    return f"::{diagnostic.severity.value} {head}::{text}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
