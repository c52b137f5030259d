"""Time two versions side by side: rounds of fresh processes, original and fixed in turn."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from graphmend_lint.verify.jobs import Ended, Workers
from graphmend_lint.verify.verdict import Pair

ROUNDS, CALLS = 3, 12  #: each round times both versions, so that a slow spell of the machine meets both
SURROUNDINGS = ("device", "cuda", "driver", "threads", "matmul_precision", "tf32", "tf32_cudnn")
ARMS = ("original eager", "original compiled", "fixed compiled")


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of one arm."""

    cold: tuple[float, ...]  #: the first call, one for each round, caches empty
    compiling: tuple[float, ...]  #: how much of that Dynamo and the backend spent compiling
    steady: tuple[float, ...]  #: later calls of all rounds
    peak_memory: int  #: bytes
    on_device: tuple[float, ...] = ()  #: later calls by the GPU's own events; empty without one
    launches: Mapping[str, float] = field(default_factory=dict)  #: what the profiler counts in one call

    @property
    def median(self) -> float:
        return statistics.median(self.steady)

    @property
    def spread(self) -> tuple[float, float]:
        """First and third quartile of the steady calls."""
        low, _, high = statistics.quantiles(self.steady, n=4)
        return low, high

    @property
    def first(self) -> float:
        """The median first call."""
        return statistics.median(self.cold)

    @property
    def first_without_compiling(self) -> float:
        return statistics.median(a - b for a, b in zip(self.cold, self.compiling, strict=True))


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast each arm is, or why that could not be measured."""

    arms: Mapping[str, Timed]
    failure: str = ""
    surroundings: Mapping[str, Any] | None = None

    def ratio(self, what: Callable[[Timed], float]) -> float:
        """How many times faster the fixed version is."""
        return what(self.arms["original compiled"]) / what(self.arms["fixed compiled"])


def time_pair(
    pair: Pair, progress: Callable[[str], None], workers: Workers, rounds: int = ROUNDS, calls: int = CALLS
) -> Speed:
    """Time both versions compiled, and the original eager for comparison."""
    ended: dict[str, list[Ended]] = {arm: [] for arm in ARMS}
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        for number, arm in product(range(rounds), ARMS):
            progress(f"timing, round {number + 1} of {rounds}: {arm}")
            job = {**pair.job(arm), "kind": "time", "calls": calls}
            run = workers.run(job, Path(folder) / f"{number}-{arm.replace(' ', '-')}", pair.options.limits)
            if run.failure:
                return Speed({}, f"{arm}: {run.failure}")
            ended[arm].append(run)
    last = ended["fixed compiled"][-1].result
    known = {name: last[name] for name in SURROUNDINGS if name in last}
    known |= {"backend": pair.options.backend, "mode": pair.options.compile_mode or "default"}
    return Speed({arm: _timed(runs) for arm, runs in ended.items()}, "", {"rounds": rounds, "calls": calls, **known})


def _timed(runs: list[Ended]) -> Timed:
    results = [run.result for run in runs]
    steady = tuple(seconds for result in results for seconds in result["steady"])
    cold, compiling = (tuple(result[name] for result in results) for name in ("cold", "compiling"))
    on_device = tuple(seconds for result in results for seconds in result["on_device"])
    peak = max(result["peak_memory"] for result in results)
    return Timed(cold, compiling, steady, peak, on_device, results[-1]["launches"])


def as_json(speed: Speed) -> dict[str, Any]:
    """Medians, quartiles, ratios and every sample, in seconds and bytes."""
    if speed.failure:
        return {"error": speed.failure}
    arms = {
        arm: {
            "cold": list(timed.cold),
            "compiling": list(timed.compiling),
            "steady": list(timed.steady),
            "steady_median": timed.median,
            "steady_quartiles": list(timed.spread),
            "peak_memory": timed.peak_memory,
            "on_device": list(timed.on_device),
            "on_device_median": statistics.median(timed.on_device) if timed.on_device else None,
            "launches": dict(timed.launches),
        }
        for arm, timed in speed.arms.items()
    }
    ratios = {"cold": speed.ratio(lambda t: t.first), "steady": speed.ratio(lambda t: t.median)}
    return {"arms": arms, "ratios": ratios, "surroundings": dict(speed.surroundings or {})}
