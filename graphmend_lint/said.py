"""What linting a part said, in a form that other processes can send and the cache can keep.

The edits of a fix are not in it, since they need the tree: only that there is a fix, and how far it may be trusted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graphmend_lint.model import Applicability, Diagnostic, Edit, Fix, Frame, Position, Refusal, Severity, Span
from graphmend_lint.seen import Seen

if TYPE_CHECKING:
    from graphmend_lint.rewrite.site import Site


class Said(NamedTuple):
    """What there is to say about a part."""

    diagnostics: tuple[Diagnostic, ...]
    lines: tuple[str, ...]  #: what is wrong with its files, or could not be analysed
    seen: Seen  #: what that rests on, beside the files of the part

    def as_table(self) -> dict[str, Any]:
        """The same in words and numbers."""
        return {"found": [*map(_row, self.diagnostics)], "lines": self.lines, "seen": self.seen._asdict()}


def from_table(table: dict[str, Any]) -> Said:
    """What `as_table` was made of.

    Raises:
        KeyError, TypeError, ValueError: if it is no such table.
    """
    return Said(tuple(map(_diagnostic, table["found"])), tuple(table["lines"]), Seen(**table["seen"]))


def told(each: Diagnostic) -> Diagnostic:
    """The diagnostic without what needs the tree."""
    return each._replace(outcome=_without_edits(each.fix) if each.fix else each.outcome, node=ast.Pass())


def _without_edits(fix: Fix) -> Fix:
    return fix._replace(edits=_no_edits, otherwise=None)


def _no_edits(_: Site) -> tuple[Edit, ...]:
    return ()


def _row(each: Diagnostic) -> dict[str, Any]:
    kept = {name: getattr(each, name) for name in ("code", "name", "message", "graph_breaks", "span")}
    frames = [(str(frame.path), frame.row, frame.name) for frame in each.chain]
    fix = each.fix and {**each.fix._asdict(), "edits": None, "otherwise": None}
    return kept | {
        "path": str(each.path),
        "severity": each.severity.value,
        "chain": frames,
        "fix": fix,
        "refusal": each.refusal,
    }


def _diagnostic(row: dict[str, Any]) -> Diagnostic:
    start, end = (Position(*each) for each in row["span"])
    return Diagnostic(
        code=row["code"],
        name=row["name"],
        message=row["message"],
        path=Path(row["path"]),
        span=Span(start, end),
        severity=Severity(row["severity"]),
        graph_breaks=tuple(row["graph_breaks"]),
        chain=tuple(Frame(Path(path), line, name) for path, line, name in row["chain"]),
        outcome=_fix(row["fix"]) if row["fix"] else Refusal(*row["refusal"]) if row["refusal"] else None,
        node=ast.Pass(),
    )


def _fix(row: dict[str, Any]) -> Fix:
    words: dict[str, Iterable[str]] = {name: tuple(row[name]) for name in ("imports", "definitions")}
    return Fix(**{**row, **words, "applicability": Applicability(row["applicability"]), "edits": _no_edits})
