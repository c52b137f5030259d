"""`python tests/lsp_times.py [FILE...]`: how long the language server takes to answer, over its pipe, once it is warm.

Without a file: a made-up module of 1,500 lines. Times are in milliseconds, medians of TURNS turns, worst in brackets.
A turn is a change of the text, then each request. The edit of a fix is asked for after a pause.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from lsp_client import Client
from test_lsp import long_text

TURNS = 10
PAUSE = 2  #: seconds between a change and taking a fix, as of a person
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}


def timed(times: list[float], call: Callable[[], Any]) -> Any:
    began = time.perf_counter()
    answer = call()
    times.append(1000 * (time.perf_counter() - began))
    return answer


def measure(path: Path, text: str) -> tuple[int, dict[str, list[float]]]:
    """How many diagnostics there are, and the times by request."""
    client = Client(path.parent, pulls=True, resolves=True)
    client.open(path, text)
    found = client.pull(path)
    times: dict[str, list[float]] = {"diagnostics": [], "hover": [], "actions": [], "fix": []}
    for version in range(2, 2 + TURNS):
        client.change(path, version, [{"text": text + f"# {version}\n"}])
        timed(times["diagnostics"], lambda: client.pull(path))
        where = (
            found[0]["range"] if found else {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        )
        at = {"textDocument": {"uri": path.as_uri()}, "position": where["start"]}
        timed(times["hover"], lambda at=at: client.ask("textDocument/hover", at))
        actions = timed(times["actions"], lambda where=where: client.actions(path, where))
        time.sleep(PAUSE)
        if actions:
            timed(times["fix"], lambda actions=actions: client.ask("codeAction/resolve", actions[0]))
    client.process.kill()
    return len(found), times


def row(name: str, text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        count, times = measure(path, text)
    cells = [f"{median(each):.0f} ({max(each):.0f})" if each else "-" for each in times.values()]
    return f"| {name} | {text.count(chr(10)):,} | {count} | {' | '.join(cells)} |"


def main() -> None:
    print("| file | lines | diagnostics | diagnostics after a change | hover | code actions | edit of a fix |")
    print("|---|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        print(row(Path(name).name, Path(name).read_text("utf-8")))
    if not sys.argv[1:]:
        print(row("made_up.py", long_text(1500)))


if __name__ == "__main__":
    main()
