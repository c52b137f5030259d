"""A verdict as one page that needs nothing else: the sources with their breaks, the edits, the bars, the basis."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import jinja2

from graphmend_lint.verify.report import Seen, duration, shown
from graphmend_lint.verify.speed import Speed, Timed
from graphmend_lint.verify.verdict import Measurement, Pair, Verdict, overall

TEMPLATE = Path(__file__).with_name("page.html")
CONTEXT = 4  #: unchanged lines shown around an edit or a break


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the source map."""

    kind: str  #: "same", "old", "new" or "gap"
    before: int | None
    after: int | None
    text: str
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: how long relative to the longest, and what it stands for."""

    arm: str
    percent: float
    label: str


def page(pair: Pair, verdicts: list[Verdict], timed: Speed | None, seen: Seen) -> str:
    """The page, as text."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.globals["shown"] = shown
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    first = verdicts[0]
    return template.render(
        target=shown(str(pair.target.path)) + ":" + pair.target.factory,
        outcome=overall(verdict.outcome for verdict in verdicts).value,
        first=first,
        verdicts=verdicts,
        files=list(_files(pair, first, seen)),
        left=[(item, seen.after.words(item)) for item in first.after.breaks] if first.after else [],
        bars=list(_bars(timed)) if timed is not None and not timed.failure else [],
        timed=timed,
    )


def _files(pair: Pair, verdict: Verdict, seen: Seen) -> Iterator[tuple[str, list[Line]]]:
    """Every file that has an edit or a break, with the lines around them."""
    old, new = _by_line(verdict.before, seen, True), _by_line(verdict.after, seen, False)
    for path, before in pair.before.items():
        marks = old.get(str(path), {}), new.get(str(path), {})
        rows = list(_shortened(list(_rows(before, pair.after[path], *marks))))
        if rows:
            yield shown(str(path)), rows


Marks = dict[int, tuple[str, ...]]


def _by_line(measured: Measurement | None, seen: Seen, before: bool) -> dict[str, Marks]:
    """What broke, by file and line."""
    attribution = seen.before if before else seen.after
    found: dict[str, Marks] = {}
    for item in measured.breaks if measured else ():
        marks = found.setdefault(os.path.realpath(item["path"]), {})
        text = f"{item['gb_id'] or ''} {item['gb_type']} ({attribution.words(item)})".strip()
        marks[item["line"]] = (*marks.get(item["line"], ()), text)
    return found


def _rows(before: str, after: str, old: Marks, new: Marks) -> Iterator[Line]:
    a, b = before.splitlines(), after.splitlines()
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            for x, y in zip(range(i, j), range(k, m), strict=True):
                yield Line("same", x + 1, y + 1, a[x], old.get(x + 1, ()) or new.get(y + 1, ()))
            continue
        yield from (Line("old", x + 1, None, a[x], old.get(x + 1, ())) for x in range(i, j))
        yield from (Line("new", None, y + 1, b[y], new.get(y + 1, ())) for y in range(k, m))


def _shortened(rows: list[Line]) -> Iterator[Line]:
    """Only rows near an edit or a break, with a gap for what is left out."""
    telling = [i for i, row in enumerate(rows) if row.kind != "same" or row.breaks]
    near = {i for at in telling for i in range(at - CONTEXT, at + CONTEXT + 1)}
    gap = False
    for i, row in enumerate(rows):
        if i in near:
            yield row
            gap = False
        elif telling and not gap:
            yield Line("gap", None, None, "")
            gap = True


def _bars(timed: Speed) -> Iterator[tuple[str, list[Bar]]]:
    """A group of bars for the first call, and one for later calls."""
    yield "first call, caches empty", _group(timed.arms, [arm.first for arm in timed.arms.values()])
    yield "later calls (median)", _group(timed.arms, [arm.median for arm in timed.arms.values()])


def _group(arms: Mapping[str, Timed], seconds: list[float]) -> list[Bar]:
    longest = max(seconds)
    return [Bar(arm, 100 * each / longest, duration(each)) for arm, each in zip(arms, seconds, strict=True)]
