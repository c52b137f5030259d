"""What linting a part said, in a form that other processes can send and the cache can keep.

What a fix changes is in it as text, and only if somebody will ask: that takes longer than all the rest.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graphmend_lint.model import (
    Applicability,
    Diagnostic,
    Edit,
    Fix,
    Frame,
    Position,
    Refusal,
    Severity,
    Span,
    TextEdit,
)
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


@dataclass(frozen=True)
class Written:
    """The edits of a fix as text, in place of those that need the tree."""

    edits: tuple[TextEdit, ...]

    def __call__(self, _: Site) -> tuple[Edit, ...]:
        """None: nothing can be applied any more."""
        return ()


def told(each: Diagnostic, edits: tuple[TextEdit, ...] = ()) -> Diagnostic:
    """The diagnostic without what needs the tree."""
    fix = each.fix and each.fix._replace(edits=Written(edits), otherwise=None)
    return each._replace(outcome=fix or each.outcome, node=ast.Pass())


def _row(each: Diagnostic) -> dict[str, Any]:
    kept = {name: getattr(each, name) for name in ("code", "name", "message", "graph_breaks", "span")}
    frames = [(str(frame.path), frame.row, frame.name) for frame in each.chain]
    fix = each.fix and {**each.fix._asdict(), "edits": getattr(each.fix.edits, "edits", ())}
    return kept | {
        "path": str(each.path),
        "severity": each.severity.value,
        "chain": frames,
        "fix": fix,
        "refusal": each.refusal,
    }


def _diagnostic(row: dict[str, Any]) -> Diagnostic:
    return Diagnostic(
        code=row["code"],
        name=row["name"],
        message=row["message"],
        path=Path(row["path"]),
        span=_span(row["span"]),
        severity=Severity(row["severity"]),
        graph_breaks=tuple(row["graph_breaks"]),
        chain=tuple(Frame(Path(path), line, name) for path, line, name in row["chain"]),
        outcome=_fix(row["fix"]) if row["fix"] else Refusal(*row["refusal"]) if row["refusal"] else None,
        node=ast.Pass(),
    )


def _fix(row: dict[str, Any]) -> Fix:
    words = {name: tuple(row[name]) for name in ("imports", "definitions")}
    edits = tuple(TextEdit(_span(span), content, cell) for span, content, cell in row["edits"])
    return Fix(**{**row, **words, "applicability": Applicability(row["applicability"]), "edits": Written(edits)})


def _span(row: Sequence[Sequence[int]]) -> Span:
    start, end = (Position(*each) for each in row)
    return Span(start, end)
