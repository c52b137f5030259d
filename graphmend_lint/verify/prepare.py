"""What must be known about a target before anything is proven: how its model is made, which files break."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphmend_lint.verify.jobs import Ended, Limits, Workers
from graphmend_lint.verify.target import Target, TargetError
from graphmend_lint.verify.verdict import Options, Pair

AUTO = "auto"  #: among the modules to fix: those in which Dynamo meets a break
OURS = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Found:
    """The target as it is run, and what is known about it."""

    target: Target
    files: tuple[Path, ...] = ()  #: where its model is, if that is not the target's file
    known: dict[str, Any] = field(default_factory=dict)  #: class, parameters, version of transformers


def finish(target: Target, limits: Limits, seed: int, workers: Workers, progress: Callable[[str], None]) -> Found:
    """The target with a finished recipe, if it is a model family; any other as it is.

    Raises:
        TargetError: if no model of the family can be made.
    """
    if not target.recipe:
        return Found(target)
    progress(f"making a tiny model: {target}")
    job = {"kind": "plan", "target": target.job(), "seed": seed}
    result = _run(job, workers, limits).result
    known = {name: result[name] for name in ("class", "parameters", "transformers")}
    return Found(replace(target, recipe=result["recipe"]), (Path(result["file"]),), known)


def broken_files(target: Target, options: Options, workers: Workers, progress: Callable[[str], None]) -> list[Path]:
    """The files through which Dynamo gets to a graph break, as they are now.

    Raises:
        TargetError: if the target cannot be run.
    """
    progress("looking for breaks")
    pair = Pair(target, {}, {}, replace(options, backend="eager"))
    result = _run({**pair.job("original compiled"), "brief": True}, workers, options.limits).result
    names = {name for row in result["sets"] for item in row["breaks"] for name in item["files"]}
    paths = [Path(name).resolve() for name in sorted(names) if name.endswith(".py")]
    return [path for path in paths if path.is_file() and path.parent != OURS]


def _run(job: dict[str, Any], workers: Workers, limits: Limits) -> Ended:
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        ended = workers.run(job, Path(folder) / "job", limits)
    if ended.failure:
        last = f"; its last output: {ended.output.splitlines()[-1]}" if ended.output and ended.kind != "error" else ""
        raise TargetError(ended.failure.removeprefix("fails: ") + last)
    return ended
