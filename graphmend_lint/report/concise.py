"""One line per diagnostic."""

from __future__ import annotations

import click

from graphmend_lint.model import Diagnostic
from graphmend_lint.report import Report

#: control characters could tell a terminal to do things
CONTROL = dict.fromkeys((*range(32), *range(127, 160)), "\N{REPLACEMENT CHARACTER}")


def render(report: Report) -> str:
    return "".join(f"{headline(report, each)}\n" for each in report.diagnostics)


def headline(report: Report, diagnostic: Diagnostic) -> str:
    """`path:row:column: CODE [*] message`; the mark says that `--fix` would mend it."""
    start = diagnostic.span.start
    path = paint(report, visible(report.relative(diagnostic.path)), bold=True)
    colon = paint(report, ":", fg="cyan")
    code = paint(report, diagnostic.code, fg="red" if diagnostic.severity.value == "error" else "yellow", bold=True)
    mark = f" [{paint(report, '*', fg='cyan')}]" if report.applies(diagnostic) else ""
    return f"{path}{colon}{start.row}{colon}{start.column}{colon} {code}{mark} {visible(diagnostic.message)}"


def visible(text: str) -> str:
    """Text on one line, with a mark in place of each control character."""
    return text.translate(CONTROL)


def paint(report: Report, text: str, *, fg: str | None = None, bold: bool = False) -> str:
    """`text` in colour, if the report is for a terminal that wants it."""
    return click.style(text, fg=fg, bold=bold) if report.color else text
