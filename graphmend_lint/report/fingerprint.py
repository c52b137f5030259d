"""Names for diagnostics that stay the same when lines are added above them."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from os.path import relpath
from pathlib import Path

from graphmend_lint.notebook import split_cell
from graphmend_lint.report import Report


def fingerprints(report: Report) -> list[str]:
    """One name per diagnostic: of its path, code and source line, and how many alike came before it."""
    seen: Counter[str] = Counter()
    names = []
    for each in report.diagnostics:
        lines = report.sources[each.path].lines
        row = each.span.start.row
        line = lines[row - 1].strip() if row <= len(lines) else ""
        key = "\n".join((in_repository(report, each.path), each.code, line))
        names.append(sha256(f"{key}\n{seen[key]}".encode()).hexdigest())
        seen[key] += 1
    return names


def in_repository(report: Report, path: Path) -> str:
    """The path relative to the repository's root, with forward slashes; of a cell, that of its notebook."""
    root = next((each for each in (report.cwd, *report.cwd.parents) if (each / ".git").exists()), report.cwd)
    return Path(relpath(split_cell(path)[0].absolute(), root)).as_posix()
