"""Rows as one page that needs nothing else: table, sources with their breaks, graphs in order, bars, fixes, basis."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from graphmend_lint.verify.overview import TITLES, Row, cells, sums
from graphmend_lint.verify.report import duration, shown

TEMPLATE = Path(__file__).with_name("page.html")


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: how long relative to the longest, and what it stands for."""

    arm: str
    percent: float
    dark: float  #: how much of the bar is compiling, in percent of the whole width
    label: str


def page(rows: Sequence[Row], command: str = "") -> str:
    """The page, as text."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(shown=shown, slug=_slug, bars=_bars, counts=_counts, basis=_basis, cells=cells)
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    return template.render(rows=rows, titles=TITLES, sums=sums(rows), command=command)


def _slug(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _bars(row: Row) -> list[tuple[str, list[Bar]]]:
    """A group of bars for the first call, and one for later calls; nothing if it was not timed."""
    arms = (row.get("speed") or {}).get("arms")
    if not arms:
        return []
    cold = {arm: statistics.median(timed["cold"]) for arm, timed in arms.items()}
    compiling = {arm: statistics.median(timed["compiling"]) for arm, timed in arms.items()}
    steady = {arm: timed["steady_median"] for arm, timed in arms.items()}
    ranges = {arm: " - ".join(map(duration, timed["steady_quartiles"])) for arm, timed in arms.items()}
    groups = [
        ("First call, caches empty (dark: compiling)", _group(cold, compiling, {})),
        ("Later calls: median (quartiles)", _group(steady, {}, ranges)),
    ]
    events = {arm: timed["on_device_median"] for arm, timed in arms.items() if timed.get("on_device_median")}
    return [*groups, ("Later calls by the GPU's events: median", _group(events, {}, {}))] if events else groups


def _group(seconds: Mapping[str, float], dark: Mapping[str, float], ranges: Mapping[str, str]) -> list[Bar]:
    longest = max(seconds.values())
    return [
        Bar(
            arm,
            100 * each / longest,
            100 * dark.get(arm, 0.0) / longest,
            duration(each) + (f" ({ranges[arm]})" if arm in ranges else ""),
        )
        for arm, each in seconds.items()
    ]


def _counts(row: Row) -> list[tuple[str, list[Any]]]:
    """What the profiler counted in each arm, if it was asked."""
    arms = (row.get("speed") or {}).get("arms") or {}
    counted = {arm: timed["launches"] for arm, timed in arms.items() if timed.get("launches")}
    names = dict.fromkeys(name for each in counted.values() for name in each)
    table = [(name, [each.get(name, 0) for each in counted.values()]) for name in names]
    return [("for each call", list(counted)), *table] if counted else []


def _basis(row: Row) -> Iterator[tuple[str, Any]]:
    """What the row rests on."""
    known = dict(row.get("environment") or {})
    known |= {name: row[name] for name in ("class", "parameters", "transformers", "setup") if row.get(name)}
    known |= (row.get("speed") or {}).get("surroundings") or {}
    for name, value in known.items():
        yield name.replace("_", " "), f"{value:,}" if isinstance(value, int) and name == "parameters" else value
    if "edits" in row:
        idle = len(row["edits_not_run"])
        yield "edits", f"{row['edits']}" + (f", of which {idle} did not run" if idle else "")
    if "seconds" in row:
        yield "took", f"{row['seconds']:g} s"
