"""A code quality report for GitLab."""

from __future__ import annotations

import json
from typing import Any

from graphmend_lint.model import Diagnostic, Position, Severity
from graphmend_lint.report import Report
from graphmend_lint.report.fingerprint import fingerprints, in_repository


def render(report: Report) -> str:
    named = zip(report.diagnostics, fingerprints(report), strict=True)
    return json.dumps([_row(report, each, name) for each, name in named], indent=2)


def _row(report: Report, diagnostic: Diagnostic, name: str) -> dict[str, Any]:
    return {
        "check_name": diagnostic.code,
        "description": f"{diagnostic.code}: {diagnostic.message}",
        "severity": "major" if diagnostic.severity is Severity.ERROR else "minor",
        "fingerprint": name,
        "location": {
            "path": in_repository(report, diagnostic.path),
            "positions": {"begin": _position(diagnostic.span.start), "end": _position(diagnostic.span.end)},
        },
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.row, "column": position.column}
