"""Diagnostics in, text out: one module per output format, each with `render(report) -> str`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

from graphmend_lint.model import Applicability, Diagnostic, TextEdit
from graphmend_lint.rule import Rule
from graphmend_lint.source import Source

Edits = Callable[[Diagnostic], tuple[TextEdit, ...]]

MODULES = {
    "full": "full",
    "concise": "concise",
    "json": "json",
    "json-lines": "json",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "sarif": "sarif",
    "pylint": "pylint",
}


class Report(NamedTuple):
    """What a run found, and what a format may need to show it."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[Path, Source]
    rules: Mapping[str, Rule]
    edits: Edits  #: the text edits of a diagnostic's fix
    cwd: Path
    output_format: str = "full"
    errors: tuple[str, ...] = ()  #: files that could not be linted, one line each
    fixed: int = 0  #: fixes that were applied
    removed: int = 0  #: suppression comments that were taken out
    unsafe_fixes: bool = False
    show_chain: bool = False
    show_fixes: bool = False
    color: bool = False

    def relative(self, path: Path) -> str:
        """The path as a person at the prompt would write it."""
        absolute = path.absolute()
        return relpath(absolute, self.cwd) if absolute.is_relative_to(self.cwd) else str(path)

    def applies(self, diagnostic: Diagnostic) -> bool:
        """True if `--fix` with the same options is known to mend this."""
        least = Applicability.UNSAFE if self.unsafe_fixes else Applicability.SAFE
        return diagnostic.fix is not None and diagnostic.fix.promised >= least


def render(report: Report) -> str:
    """The report in its output format, with a line end unless it is empty."""
    module = importlib.import_module(f"graphmend_lint.report.{MODULES[report.output_format]}")
    text = str(module.render(report))
    return text if not text or text.endswith("\n") else text + "\n"
