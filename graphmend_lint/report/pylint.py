"""The format of pylint, which many editors and CI plugins read."""

from __future__ import annotations

from graphmend_lint.report import Report
from graphmend_lint.report.concise import visible


def render(report: Report) -> str:
    return "".join(
        f"{visible(report.relative(each.path))}:{each.span.start.row}: [{each.code}] {visible(each.message)}\n"
        for each in report.diagnostics
    )
