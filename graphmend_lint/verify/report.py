"""A verdict as JSON, and as a table for the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from graphmend_lint.verify.attribution import Attribution
from graphmend_lint.verify.speed import Speed
from graphmend_lint.verify.speed import as_json as speed_json
from graphmend_lint.verify.verdict import Measurement, Outcome, Told, Verdict, overall

_STYLE = {Outcome.PROVEN: "bold green", Outcome.NOT_PROVEN: "bold red"}
_PLAIN: dict[str, Any] = {"box": None, "pad_edge": False, "padding": (0, 2, 0, 0)}
_SHOWN = 12  #: differences and notes on the terminal; JSON has them all


@dataclass(frozen=True, slots=True)
class Seen:
    """What the linter says of both versions."""

    before: Attribution = field(default_factory=Attribution)
    after: Attribution = field(default_factory=Attribution)


def as_json(verdicts: list[Verdict], timed: Speed | None, target: str, seen: Seen) -> dict[str, Any]:
    """Everything the verdicts rest on, as plain data; of several setups the first stands outside, all in `setups`."""
    outcome = overall(verdict.outcome for verdict in verdicts)
    rows = [_verdict(verdict, seen) for verdict in verdicts]
    head = {"target": target, **rows[0], "verdict": outcome.value, "exit_code": outcome.exit_code}
    head |= {"setups": rows} if len(rows) > 1 else {}
    return head | ({"speed": speed_json(timed)} if timed is not None else {})


def _verdict(verdict: Verdict, seen: Seen) -> dict[str, Any]:
    """One verdict as plain data."""
    return {
        "verdict": verdict.outcome.value,
        "exit_code": verdict.outcome.exit_code,
        "reason": verdict.reason,
        "setup": verdict.setup,
        "before": _measurement(verdict.before, seen.before),
        "after": _measurement(verdict.after, seen.after),
        "differences": [_told(item) for item in verdict.differences],
        "notes": [_told(item) for item in verdict.notes],
        "edits": verdict.edits,
        "edits_not_run": [
            {"path": str(hunk.path), "row": hunk.before[0], "end_row": hunk.before[1]} for hunk in verdict.not_run
        ],
        "environment": verdict.environment,
    }


def _told(item: Told) -> dict[str, str]:
    return {"arm": item.arm, "kind": item.kind, "detail": item.text}


def _measurement(measured: Measurement | None, attribution: Attribution) -> dict[str, Any] | None:
    if measured is None:
        return None
    return {
        "graphs": measured.graphs,
        "error": measured.error or None,
        "breaks": [attribution.row(item) for item in measured.breaks],
        "break_events": measured.events,
        "fullgraph": measured.fullgraph,
        "fullgraph_error": measured.fullgraph_error,
        "recompiles": list(measured.recompiles),
        "timeline": list(measured.timeline),
    }


def show(verdicts: list[Verdict], timed: Speed | None, target: str, seen: Seen, console: Console) -> None:
    """Print the verdicts for people."""
    console.print(Group(*_parts(verdicts[0], target, seen)), soft_wrap=True)
    for verdict in verdicts[1:]:
        style = _STYLE.get(verdict.outcome, "bold yellow")
        line = Text.assemble(f"{verdict.setup}: ", (verdict.outcome.value, style), f": {verdict.reason}")
        console.print(Group(line, *_list("Differences:", verdict.differences, "red")), soft_wrap=True)
    if len(verdicts) > 1:
        outcome = overall(verdict.outcome for verdict in verdicts)
        console.print(Text.assemble((f"{len(verdicts)} setups together: {outcome.value}", "bold")))
    if timed is not None:
        console.print(Group(*_speed(timed)), soft_wrap=True)


def _speed(timed: Speed) -> Iterator[RenderableType]:
    """A row for each arm; the ratios under it."""
    if timed.failure:
        yield Text(f"not timed: {timed.failure}")
        return
    table = Table(**_PLAIN)
    for title in ("", "first call", "less compiling", "later calls (quartiles)", "peak memory"):
        table.add_column(title, no_wrap=True)
    for arm, row in timed.arms.items():
        later = f"{duration(row.median)} ({' - '.join(map(duration, row.spread))})"
        first = (duration(row.first), duration(row.first_without_compiling))
        table.add_row(arm, *first, later, f"{row.peak_memory / 2**20:.0f} MiB")
    yield table
    yield from _launches(timed)
    cold, steady = timed.ratio(lambda t: t.first), timed.ratio(lambda t: t.median)
    told = ", ".join(f"{name} {value}" for name, value in (timed.surroundings or {}).items())
    yield Text(f"compiled, original / fixed: first call {cold:.2f}x, later calls {steady:.2f}x ({told})")


def _launches(timed: Speed) -> Iterator[RenderableType]:
    """What the profiler counted, if anything happened at all."""
    names = dict.fromkeys(name for row in timed.arms.values() for name, number in row.launches.items() if number)
    if not names:
        return
    table = Table("for each call", *timed.arms, **_PLAIN)
    for name in names:
        table.add_row(name, *(f"{row.launches.get(name, 0):g}" for row in timed.arms.values()))
    yield table


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def _parts(verdict: Verdict, target: str, seen: Seen) -> Iterator[RenderableType]:
    if verdict.before is not None and verdict.after is not None:
        yield _table(verdict.before, verdict.after)
        yield from _breaks("Breaks before:", verdict.before, seen.before)
        yield from _breaks("Breaks left:", verdict.after, seen.after)
        yield from _fullgraph(verdict.after)
        yield from _recompiles(verdict.after)
    yield from _list("Differences:", verdict.differences, "red")
    yield from _list("Notes:", verdict.notes, "")
    if verdict.not_run and verdict.outcome is not Outcome.NOTHING_MEASURED:
        places = ", ".join(shown(str(hunk)) for hunk in verdict.not_run[:_SHOWN])
        yield Text(f"{len(verdict.not_run)} of {verdict.edits} edits did not run, so nothing is proven of: {places}")
    yield Text.assemble((verdict.outcome.value, _STYLE.get(verdict.outcome, "bold yellow")), f": {verdict.reason}")
    yield Text(_basis(verdict, target), style="dim")


def _basis(verdict: Verdict, target: str) -> str:
    known = {**verdict.environment, **({"with": verdict.setup} if verdict.setup else {})}
    told = ", ".join(f"{name} {value}" for name, value in known.items())
    return shown(target) + (f" ({told})" if told else "")


def _table(before: Measurement, after: Measurement) -> Table:
    table = Table("", "before", "after", **_PLAIN)
    table.add_row("graphs", _number(before.graphs), _number(after.graphs))
    table.add_row("break sites", str(len(before.breaks)), str(len(after.breaks)))
    table.add_row("fullgraph=True", _passes(before), _passes(after))
    table.add_row("recompiles", str(len(before.recompiles)), str(len(after.recompiles)))
    return table


def _number(number: int | None) -> str:
    return "-" if number is None else str(number)


def _passes(measured: Measurement) -> str:
    return "passes" if measured.fullgraph else "fails"


def _breaks(title: str, measured: Measurement, attribution: Attribution) -> Iterator[Text]:
    if measured.breaks:
        yield Text(title, style="bold")
    for item in measured.breaks:
        yield Text(f"  {shown(item['path'])}:{item['line']}: {item['gb_id'] or ''} {item['gb_type']}".rstrip())
        yield Text(f"    {item['code']}  [{attribution.words(item)}]")
        if item["url"]:
            yield Text(f"    {item['url']}", style="dim")


def _fullgraph(after: Measurement) -> Iterator[Text]:
    error = after.fullgraph_error
    if error is not None and not after.breaks:
        where = f" at {shown(error['path'])}:{error['line']}" if error.get("line") else ""
        yield Text(f"fullgraph=True still fails{where}: {error['type']}: {error['message'].splitlines()[0][:200]}")


def _recompiles(after: Measurement) -> Iterator[Text]:
    for item in after.recompiles[:_SHOWN]:
        reason = item["reason"].splitlines()[0]
        yield Text(f"Compiled again: `{item['function']}` at {shown(item['path'])}:{item['line']}: {reason}")


def _list(title: str, items: tuple[Told, ...], style: str) -> Iterator[Text]:
    if items:
        yield Text(title, style="bold")
    for item in items[:_SHOWN]:
        yield Text(f"  {item.arm}: {item.text}", style=style)
    if len(items) > _SHOWN:
        yield Text(f"  and {len(items) - _SHOWN} more (all with --json)")


def shown(path: str) -> str:
    """A path as people write it: relative to the working folder if that is shorter."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return path
    return relative if len(relative) < len(path) and not relative.startswith("..") else path


@contextmanager
def status() -> Iterator[Callable[[str], None]]:
    """A line on the terminal that says which run is on; nothing where nobody looks."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda arm: None
        return
    with console.status("starting") as line:
        yield lambda arm: line.update(f"running: {arm}")
