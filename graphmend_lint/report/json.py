"""For programs: rows with the keys of ruff, plus `severity`, `graph_breaks`, `chain`, `refusal` and `caveat`."""

from __future__ import annotations

import json
from typing import Any

from graphmend_lint.docs import rule_url
from graphmend_lint.model import Diagnostic, Frame, Position, TextEdit
from graphmend_lint.notebook import split_cell
from graphmend_lint.report import Report


def render(report: Report) -> str:
    """A list, or one object per line for `json-lines`."""
    rows = [row(report, each) for each in report.diagnostics]
    if report.output_format == "json-lines":
        return "".join(f"{json.dumps(each)}\n" for each in rows)
    return json.dumps(rows, indent=2)


def row(report: Report, diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic. Paths are absolute, rows and columns count from 1, columns in code points."""
    fix, refusal = diagnostic.fix, diagnostic.refusal
    file, cell = split_cell(diagnostic.path)
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "message": diagnostic.message,
        "filename": str(file.absolute()),
        "cell": cell,
        "location": location(diagnostic.span.start),
        "end_location": location(diagnostic.span.end),
        "fix": _fix(report, diagnostic),
        "url": rule_url(diagnostic.graph_breaks),
        "severity": diagnostic.severity.value,
        "graph_breaks": list(diagnostic.graph_breaks),
        "chain": [_step(each) for each in diagnostic.chain],
        "refusal": {"reason": refusal.reason, "detail": refusal.detail} if refusal else None,
        "caveat": (fix.caveat or None) if fix else None,
    }


def _fix(report: Report, diagnostic: Diagnostic) -> dict[str, Any] | None:
    if diagnostic.fix is None:
        return None
    return {
        "applicability": diagnostic.fix.applicability.name.lower(),
        "message": diagnostic.fix.title,
        "edits": [_edit(each) for each in report.edits(diagnostic)],
    }


def _edit(edit: TextEdit) -> dict[str, Any]:
    """An edit; in a notebook, rows count within the cell that it names, which may be another than the diagnostic's."""
    cell = {"cell": edit.cell} if edit.cell is not None else {}
    start, end = location(edit.span.start), location(edit.span.end)
    return {"content": edit.content, "location": start, "end_location": end, **cell}


def _step(frame: Frame) -> dict[str, Any]:
    file, cell = split_cell(frame.path)
    place = {"filename": str(file.absolute()), "row": frame.row, "name": frame.name}
    return place if cell is None else place | {"cell": cell}


def location(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
