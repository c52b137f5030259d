"""A JUnit report: a suite per file, a failure per diagnostic."""

from __future__ import annotations

from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from graphmend_lint.model import Diagnostic
from graphmend_lint.report import Report


def render(report: Report) -> str:
    count = str(len(report.diagnostics))
    root = Element("testsuites", name="graphmend-lint", tests=count, failures=count, errors="0")
    for path, group in groupby(report.diagnostics, key=lambda each: each.path):
        cases = list(group)
        count = str(len(cases))
        suite = SubElement(root, "testsuite", name=str(path), tests=count, failures=count, errors="0", skipped="0")
        for each in cases:
            _case(suite, report, each)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}'


def _case(suite: Element, report: Report, diagnostic: Diagnostic) -> None:
    row, column = diagnostic.span.start.row, diagnostic.span.start.column
    name = f"{diagnostic.code} line {row} column {column}"
    case = SubElement(suite, "testcase", name=name, classname=report.relative(diagnostic.path), line=str(row))
    failure = SubElement(case, "failure", message=diagnostic.message, type=diagnostic.severity.value)
    failure.text = f"line {row}, col {column}, {diagnostic.message}"
