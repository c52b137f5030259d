"""Both versions of the sources as one list of lines, with what broke at each: plain data for reports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from graphmend_lint.verify.report import Seen, shown
from graphmend_lint.verify.verdict import Measurement, Pair, Verdict

CONTEXT = 4  #: unchanged lines shown around an edit or a break

Line = dict[str, Any]  #: kind ("same", "old", "new" or "gap"), before and after (line numbers), text, breaks
Marks = dict[int, list[dict[str, Any]]]


def source_map(pair: Pair, verdict: Verdict, seen: Seen) -> list[dict[str, Any]]:
    """Every file that has an edit or a break, with the lines around them."""
    old, new = _by_line(verdict.before, seen, True), _by_line(verdict.after, seen, False)
    files = []
    for path, before in pair.before.items():
        marks = old.get(str(path), {}), new.get(str(path), {})
        rows = list(_shortened(list(_rows(before, pair.after[path], *marks))))
        if rows:
            files.append({"path": shown(str(path)), "lines": rows})
    return files


def _by_line(measured: Measurement | None, seen: Seen, before: bool) -> dict[str, Marks]:
    """What broke, by file and line."""
    attribution = seen.before if before else seen.after
    found: dict[str, Marks] = {}
    for item in measured.breaks if measured else ():
        marks = found.setdefault(os.path.realpath(item["path"]), {})
        text = f"{item['gb_id'] or ''} {item['gb_type']}".strip()
        note = {"when": "before" if before else "after", "text": text, "words": attribution.words(item)}
        marks.setdefault(item["line"], []).append(note)
    return found


def _line(kind: str, before: int | None, after: int | None, text: str, breaks: list[dict[str, Any]]) -> Line:
    return {"kind": kind, "before": before, "after": after, "text": text, "breaks": breaks}


def _rows(before: str, after: str, old: Marks, new: Marks) -> Iterator[Line]:
    a, b = before.splitlines(), after.splitlines()
    for tag, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            for x, y in zip(range(i, j), range(k, m), strict=True):
                yield _line("same", x + 1, y + 1, a[x], [*old.get(x + 1, ()), *new.get(y + 1, ())])
            continue
        yield from (_line("old", x + 1, None, a[x], old.get(x + 1, [])) for x in range(i, j))
        yield from (_line("new", None, y + 1, b[y], new.get(y + 1, [])) for y in range(k, m))


def _shortened(rows: list[Line]) -> Iterator[Line]:
    """Only rows near an edit or a break, with a gap for what is left out."""
    telling = [i for i, row in enumerate(rows) if row["kind"] != "same" or row["breaks"]]
    near = {i for at in telling for i in range(at - CONTEXT, at + CONTEXT + 1)}
    gap = False
    for i, row in enumerate(rows):
        if i in near:
            yield row
            gap = False
        elif telling and not gap:
            yield _line("gap", None, None, "", [])
            gap = True
