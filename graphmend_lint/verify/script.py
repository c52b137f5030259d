"""Runs a script in this process, with served sources and maybe with Dynamo watched. A child of `trace` and `run`.

`python -m graphmend_lint.verify.script JOB.json ARGUMENT...`: the script sees its arguments as if it ran by itself.
"""

from __future__ import annotations

import json
import runpy
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

from graphmend_lint.verify.overlay import OverlayFinder, install, show


def main(path: str, arguments: list[str]) -> int:
    """Run the script that the job names; write what Dynamo did to `result`, if the job asks for that."""
    job: dict[str, Any] = json.loads(Path(path).read_text("utf-8"))
    script = job["script"]
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).resolve().parent)
    finder = install({Path(name): text for name, text in job["overlay"].items()})
    with _watched(job.get("result")):
        _run(script, finder)
    return 0


def _run(script: str, finder: OverlayFinder) -> None:
    """As `python SCRIPT` would, from the served text if there is one."""
    text = finder.text(script)
    if text is None:
        runpy.run_path(script, run_name="__main__")
        return
    module = ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    show(script, text)
    exec(compile(text, script, "exec", dont_inherit=True), vars(module))


def _watched(result: str | None) -> AbstractContextManager[Any]:
    if result is None:
        return nullcontext()
    import torch  # noqa: F401 - a script may be run without it, but not watched

    from graphmend_lint.verify.measure import saving

    return saving(Path(result))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
