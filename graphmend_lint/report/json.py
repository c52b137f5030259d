"""For programs: rows with the keys of ruff, plus `severity`, `graph_breaks`, `chain`, `refusal` and `caveat`."""

from __future__ import annotations

import json
from typing import Any

from graphmend_lint.docs import rule_url
from graphmend_lint.model import Diagnostic, Position
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
        "chain": [
            {"filename": str(each.path.absolute()), "row": each.row, "name": each.name} for each in diagnostic.chain
        ],
        "refusal": {"reason": refusal.reason, "detail": refusal.detail} if refusal else None,
        "caveat": (fix.caveat or None) if fix else None,
    }


def _fix(report: Report, diagnostic: Diagnostic) -> dict[str, Any] | None:
    if diagnostic.fix is None:
        return None
    return {
        "applicability": diagnostic.fix.applicability.name.lower(),
        "message": diagnostic.fix.title,
        "edits": [
            {
                "content": each.content,
                "location": location(each.span.start),
                "end_location": location(each.span.end),
            }
            for each in report.edits(diagnostic)
        ],
    }


def location(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
