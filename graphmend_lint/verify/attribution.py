"""Who saw a break that Dynamo met: the diagnostic at its line, or the rules that claim its id, or nobody."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from graphmend_lint.model import Diagnostic
from graphmend_lint.rule import load_rules

Break = dict[str, Any]  #: a row of `measure.break_row`


class Attribution:
    """Matches breaks that were measured with diagnostics of the same sources."""

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._by_path: dict[str, list[Diagnostic]] = {}
        for each in diagnostics:
            self._by_path.setdefault(os.path.realpath(each.path), []).append(each)

    def diagnostic(self, item: Break) -> Diagnostic | None:
        """The diagnostic at the line of a break; one whose rule claims the break's id goes first."""
        line = item["line"]
        here = self._by_path.get(os.path.realpath(item["path"]), [])
        found = [each for each in here if each.span.start.row <= line <= each.span.end.row]
        return min(found, key=lambda each: item["gb_id"] not in each.graph_breaks, default=None)

    def row(self, item: Break) -> Break:
        """The break with `found_by` (a code, or None) and `claimed_by` (codes)."""
        found = self.diagnostic(item)
        return {**item, "found_by": found.code if found else None, "claimed_by": claimed_by(item["gb_id"])}

    def words(self, item: Break) -> str:
        """One phrase: "found by GM101, no fix: branch-may-raise", "missed by ...", or "no rule claims GB0291"."""
        found, name = self.diagnostic(item), item["gb_id"] or item["gb_type"]
        if found is not None:
            return f"found by {found.code}" + (f", no fix: {found.refusal.reason}" if found.refusal else "")
        codes = claimed_by(item["gb_id"])
        return f"not found; {', '.join(codes)} could claim {name}" if codes else f"no rule claims {name}"


def claimed_by(gb_id: str | None) -> list[str]:
    """Codes of the rules whose pattern causes this break."""
    return [code for code, rule in load_rules().items() if gb_id in rule.graph_breaks]
