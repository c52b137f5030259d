"""Many rows as one table: for the terminal, and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

Row = dict[str, Any]

TITLES = ("target", "breaks before", "after", "fullgraph before", "after", "verdict", "first call", "later calls")
STYLES = {"proven": "green", "not proven": "red"}


def cells(row: Row) -> tuple[str, ...]:
    """One row as text; speed is original / fixed, both compiled."""
    before, after = row.get("before"), row.get("after")
    ratios = (row.get("speed") or {}).get("ratios") or {}
    return (
        row["name"],
        _breaks(before),
        _breaks(after),
        _passes(before),
        _passes(after),
        row["verdict"],
        f"{ratios['cold']:.2f}x" if ratios else "-",
        f"{ratios['steady']:.2f}x" if ratios else "-",
    )


def _breaks(measured: Row | None) -> str:
    if measured is None:
        return "-"
    return f"{len(measured['breaks'])} ({measured['break_events']})"


def _passes(measured: Row | None) -> str:
    return "-" if measured is None else "passes" if measured["fullgraph"] else "fails"


def show(rows: Sequence[Row], console: Console | None = None) -> None:
    """Print the table, a line for each row that could not be proven, and the sums."""
    console = console or Console(highlight=False, width=max(120, Console().width))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in TITLES:
        table.add_column(title)
    for row in rows:
        *plain, verdict, cold, steady = cells(row)
        table.add_row(*map(Text, plain), Text(verdict, STYLES.get(verdict, "yellow")), cold, steady)
    console.print(table)
    for row in rows:
        if row["verdict"] != "proven":
            reason = row["reason"].splitlines()[0]
            console.print(Text(f"{row['name']}: {row['verdict']}: {reason}"), soft_wrap=True)
    console.print(Text(sums(rows), "bold"))


def sums(rows: Iterable[Row]) -> str:
    """One line over all rows."""
    rows = list(rows)
    verdicts = Counter(row["verdict"] for row in rows)
    measured = [row for row in rows if row.get("before") and row.get("after")]
    before, after = (sum(len(row[side]["breaks"]) for row in measured) for side in ("before", "after"))
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    return f"{_counted(len(rows), 'target')}: {told}; {_counted(before, 'break site')} before, {after} after"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def markdown(rows: Iterable[Row]) -> str:
    """The table in Markdown."""
    lines = [f"| {' | '.join(TITLES)} |", "|" + "---|" * len(TITLES)]
    lines += [f"| {' | '.join(cells(row))} |" for row in rows]
    return "\n".join(lines) + "\n"
