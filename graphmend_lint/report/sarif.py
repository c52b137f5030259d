"""SARIF 2.1.0, for code scanning: every rule with its page, every diagnostic with its call chain and fix."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from graphmend_lint import __version__
from graphmend_lint.docs import rule_url, summary
from graphmend_lint.model import Diagnostic, Span
from graphmend_lint.report import Report
from graphmend_lint.report.fingerprint import fingerprints, in_repository
from graphmend_lint.rule import Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report) -> str:
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, indent=2)


def _run(report: Report) -> dict[str, Any]:
    indices = {code: index for index, code in enumerate(report.rules)}
    named = zip(report.diagnostics, fingerprints(report), strict=True)
    driver = {
        "name": "graphmend-lint",
        "version": __version__,
        "rules": [_rule(each) for each in report.rules.values()],
    }
    notes = [{"level": "error", "message": {"text": each}} for each in report.errors]
    return {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not report.errors, "toolExecutionNotifications": notes}],
        "results": [_result(report, each, name) | {"ruleIndex": indices[each.code]} for each, name in named],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    url = rule_url(rule.graph_breaks)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.name.replace("-", " ")},
        "fullDescription": {"text": summary(rule)},
        "help": {"text": rule.doc.strip(), "markdown": rule.doc.strip()},
        **({"helpUri": url} if url else {}),
        "properties": {"graph_breaks": list(rule.graph_breaks)},
    }


def _result(report: Report, diagnostic: Diagnostic, name: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "level": diagnostic.severity.value,
        "message": {"text": diagnostic.message},
        "locations": [{"physicalLocation": _place(report, diagnostic) | {"region": _region(diagnostic.span)}}],
        "partialFingerprints": {"graphmendLint/v1": name},
    }
    if diagnostic.chain:
        steps = [_step(report, number, diagnostic) for number in range(len(diagnostic.chain))]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if diagnostic.fix and (fix := _fix(report, diagnostic)):
        result["fixes"] = [fix]
    return result


def _place(report: Report, diagnostic: Diagnostic) -> dict[str, Any]:
    uri = quote(in_repository(report, diagnostic.path))
    return {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.row,
        "startColumn": span.start.column,
        "endLine": span.end.row,
        "endColumn": span.end.column,
    }


def _step(report: Report, number: int, diagnostic: Diagnostic) -> dict[str, Any]:
    frame = diagnostic.chain[number]
    uri = quote(in_repository(report, frame.path))
    place = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": {"startLine": frame.row}}
    return {"location": {"physicalLocation": place, "message": {"text": f"enters {frame.name}"}}}


def _fix(report: Report, diagnostic: Diagnostic) -> dict[str, Any] | None:
    edits = report.edits(diagnostic)
    if diagnostic.fix is None or not edits or edits[0].cell is not None:  # rows of a cell are not those of its file
        return None
    replacements = [{"deletedRegion": _region(e.span), "insertedContent": {"text": e.content}} for e in edits]
    change = _place(report, diagnostic) | {"replacements": replacements}
    return {"description": {"text": diagnostic.fix.title}, "artifactChanges": [change]}
