"""Prove hand-written fixes: `python tests/verify/pairs.py FOLDER [--only REGEX] [--backend NAME]`.

FOLDER holds one folder per pair, with break.py (defines build(), maybe more_inputs() and bad_inputs()), fixed.py, and
maybe meta.json. A fix is *expected* to be proven unless meta.json says that it changes printed text or exceptions
(`side_effects_same` false, or `bad_inputs` whose `before` and `after_eager` differ).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.target import parse_target
from graphmend_lint.verify.verdict import Options, Outcome, Pair, Verdict, verify


def prove(folder: Path, backend: str, workers: Workers) -> Verdict:
    """The verdict on one pair."""
    target = parse_target(f"{folder / 'break.py'}:build")
    before = {target.path: target.path.read_text("utf-8")}
    after = {target.path: (folder / "fixed.py").read_text("utf-8")}
    return verify(Pair(target, before, after, Options(backend)), workers=workers)


def expected(folder: Path) -> bool:
    """Whether the fix is said to keep everything, even exceptions and text."""
    file = folder / "meta.json"
    meta = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    bad = meta.get("bad_inputs") or {"before": [], "after_eager": []}
    return bool(meta.get("side_effects_same", True)) and bad["before"] == bad["after_eager"]


def verdicts(root: Path, only: str, backend: str) -> Iterator[tuple[Path, bool, Verdict]]:
    """Every pair below `root`, whether it ought to be proven, and the verdict."""
    with Workers() as workers:
        for folder in sorted(root.iterdir()):
            if (folder / "fixed.py").is_file() and re.search(only, folder.name):
                yield folder, expected(folder), prove(folder, backend, workers)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("root", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--backend", default="aot_eager")
    options = parser.parse_args()
    tally = {(wanted, outcome): 0 for wanted in (True, False) for outcome in Outcome}
    for folder, wanted, verdict in verdicts(options.root, options.only, options.backend):
        tally[wanted, verdict.outcome] += 1
        mark = "" if wanted == (verdict.outcome is Outcome.PROVEN) else "  <--"
        print(f"{folder.name:36} {verdict.outcome.value}: {verdict.reason.splitlines()[0][:150]}{mark}", flush=True)
    for wanted, words in ((True, "said to keep everything"), (False, "said to change text or exceptions")):
        counts = ", ".join(f"{tally[wanted, outcome]} {outcome.value}" for outcome in Outcome)
        print(f"{words}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
