"""The closing lines of a run for people: how many, how many of which rule."""

from __future__ import annotations

from collections import Counter

from graphmend_lint.keys import UNUSED
from graphmend_lint.model import Applicability
from graphmend_lint.report import Report


def summary(report: Report) -> str:
    """One line: how many graph breaks are left, and how many of them fixes would remove."""
    idle = sum(each.code == UNUSED for each in report.diagnostics)
    breaks = _breaks(report, len(report.diagnostics) - idle)
    if report.removed:
        return " ".join(filter(None, (breaks, f"Removed {_many(report.removed, 'unused suppression')}.")))
    if idle:
        return " ".join(filter(None, (breaks, f"Found {_many(idle, 'unused suppression')}.")))
    return breaks or ("" if report.errors else "All checks passed!")


def _breaks(report: Report, found: int) -> str:
    if report.fixed:
        return f"Found {_many(found + report.fixed, 'graph break')} ({report.fixed} fixed, {found} remaining)."
    return f"Found {_many(found, 'graph break')}{_fixable(report)}." if found else ""


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _fixable(report: Report) -> str:
    counts = Counter(each.fix.promised for each in report.diagnostics if each.fix and each.code != UNUSED)
    safe, unsafe = counts[Applicability.SAFE], counts[Applicability.UNSAFE]
    if report.unsafe_fixes:
        return f" ({safe + unsafe} fixable with --fix)" if safe + unsafe else ""
    if safe and unsafe:
        return f" ({safe} fixable with --fix, {unsafe} more with --unsafe-fixes)"
    if unsafe:
        return f" ({unsafe} fixable with --fix --unsafe-fixes)"
    return f" ({safe} fixable with --fix)" if safe else ""


def statistics(report: Report) -> str:
    """One line per rule, most frequent first: count, code, whether some can be fixed, name."""
    counts = Counter(each.code for each in report.diagnostics)
    fixable = {each.code for each in report.diagnostics if report.applies(each)}
    width = len(str(max(counts.values(), default=0)))
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "".join(
        f"{count:>{width}}\t{code}\t[{'*' if code in fixable else ' '}]\t{report.rules[code].name}\n"
        for code, count in rows
    )
