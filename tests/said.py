"""What models say: `PYTHONPATH=TREE python tests/said.py EVAL/paper ROW... [--calls N] [--out FILE]`.

Each row is built by `rows.py` of the folder, and called in eager mode and compiled. One line per row and mode: graph
breaks, and the log records and warnings of the calls, in order. `--out` keeps them as JSON, to compare two trees.
"""

from __future__ import annotations

import argparse
import importlib
import json
import logging
import os
import subprocess
import sys
import warnings
from pathlib import Path


class Records(logging.Handler):
    """Keeps level and text of the records that the model's own package makes."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(f"{record.levelname} {record.name}: {record.getMessage()}")


def said(row: str, folder: str, *, compiled: bool, calls: int) -> dict[str, object]:
    """Breaks and text of some calls of a new model, in this process."""
    import torch

    sys.path.insert(0, folder)
    model, arguments = importlib.import_module("rows").build(row, 0)
    handler = Records()
    logging.getLogger("transformers").addHandler(handler)
    logging.getLogger("transformers").setLevel(logging.INFO)
    torch._logging.set_logs(graph_breaks=False, dynamo=logging.ERROR)
    called = torch.compile(model, backend="eager", dynamic=False) if compiled else model
    with warnings.catch_warnings(record=True) as warned, torch.no_grad():
        warnings.simplefilter("always")
        torch.manual_seed(1)
        for _ in range(calls):
            called(**arguments)
    package = str(Path(sys.modules["transformers"].__file__ or "").parent)
    told = [f"{each.category.__name__}: {each.message}" for each in warned if each.filename.startswith(package)]
    breaks = sum(torch._dynamo.utils.counters["graph_break"].values())
    return {"row": row, "compiled": compiled, "breaks": breaks, "records": handler.found, "warnings": told}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--calls", type=int, default=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--inside", choices=("eager", "compiled"))
    given = parser.parse_args()
    if given.inside:
        print(
            "SAID",
            json.dumps(said(given.rows[0], given.folder, compiled=given.inside == "compiled", calls=given.calls)),
        )
        return
    found = [_elsewhere(given, row, mode) for row in given.rows for mode in ("eager", "compiled")]
    for each in found:
        mode = "compiled" if each["compiled"] else "eager"
        print(
            each["row"],
            mode,
            f"breaks={each['breaks']} records={len(each['records'])} warnings={len(each['warnings'])}",
        )
    if given.out:
        given.out.write_text(json.dumps(found, indent=1))


def _elsewhere(given: argparse.Namespace, row: str, mode: str) -> dict[str, object]:
    """One row in a process of its own: what is said once is said once per process."""
    command = [sys.executable, __file__, given.folder, row, "--calls", str(given.calls), "--inside", mode]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = [line[5:] for line in result.stdout.splitlines() if line.startswith("SAID ")]
    if not lines:
        sys.exit(f"{row}: {result.stderr[-2000:]}")
    return dict(json.loads(lines[-1]))


if __name__ == "__main__":
    main()
