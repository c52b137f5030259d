"""A verdict as JSON, and as a table for the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from graphmend_lint.verify.attribution import Attribution
from graphmend_lint.verify.verdict import Measurement, Outcome, Told, Verdict

_STYLE = {Outcome.PROVEN: "bold green", Outcome.NOT_PROVEN: "bold red"}
_SHOWN = 12  #: differences and notes on the terminal; JSON has them all


@dataclass(frozen=True, slots=True)
class Seen:
    """What the linter says of both versions."""

    before: Attribution = field(default_factory=Attribution)
    after: Attribution = field(default_factory=Attribution)


def as_json(verdict: Verdict, target: str, seen: Seen) -> dict[str, Any]:
    """Everything the verdict rests on, as plain data."""
    return {
        "target": target,
        "verdict": verdict.outcome.value,
        "exit_code": verdict.outcome.exit_code,
        "reason": verdict.reason,
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
    }


def show(verdict: Verdict, target: str, seen: Seen, console: Console) -> None:
    """Print the verdict for people."""
    console.print(Group(*_parts(verdict, target, seen)), soft_wrap=True)


def _parts(verdict: Verdict, target: str, seen: Seen) -> Iterator[RenderableType]:
    if verdict.before is not None and verdict.after is not None:
        yield _table(verdict.before, verdict.after)
        yield from _breaks("Breaks before:", verdict.before, seen.before)
        yield from _breaks("Breaks left:", verdict.after, seen.after)
        yield from _fullgraph(verdict.after)
    yield from _list("Differences:", verdict.differences, "red")
    yield from _list("Notes:", verdict.notes, "")
    if verdict.not_run and verdict.outcome is not Outcome.NOTHING_MEASURED:
        places = ", ".join(shown(str(hunk)) for hunk in verdict.not_run[:_SHOWN])
        yield Text(f"{len(verdict.not_run)} of {verdict.edits} edits did not run, so nothing is proven of: {places}")
    yield Text.assemble((verdict.outcome.value, _STYLE.get(verdict.outcome, "bold yellow")), f": {verdict.reason}")
    yield Text(_basis(verdict, target), style="dim")


def _basis(verdict: Verdict, target: str) -> str:
    told = ", ".join(f"{name} {value}" for name, value in verdict.environment.items())
    return shown(target) + (f" ({told})" if told else "")


def _table(before: Measurement, after: Measurement) -> Table:
    table = Table("", "before", "after", box=None, pad_edge=False, padding=(0, 3, 0, 0))
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
