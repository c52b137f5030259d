"""Time one version of the source: the first call, which compiles, and many that follow. Runs in the worker only."""

from __future__ import annotations

import copy
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch._dynamo.utils as dynamo_utils

from graphmend_lint.verify import launches
from graphmend_lint.verify.overlay import install
from graphmend_lint.verify.subject import Inputs, Job, Subject, compiled, cuda_in_use, seed

WARM_UP = 3  #: calls after the first that are not counted: guards settle, caches fill, CUDA graphs are recorded
PROFILED = 5  #: calls that the profiler watches, after those that are timed
DRIVER = Path("/proc/driver/nvidia/version")


def time_job(job: Job, out: Path) -> dict[str, Any]:
    """Seconds of the first call and of `calls` steady ones, each on inputs of its own, made outside the window."""
    finder = install({Path(path): text for path, text in job["overlay"].items()})
    subject = Subject(job, finder)
    function, inputs = subject.build()
    if job["mode"] != "eager":
        function = compiled(job, function, job["backend"])
    else:
        torch.compiler.set_stance("force_eager")
    seed(job["seed"] + 1)
    cold = _seconds(function, inputs[0])
    compiling = dynamo_utils.calculate_time_spent().get("total_wall_time", 0.0)
    for _ in range(WARM_UP):
        _seconds(function, inputs[0])
    watch = Watch()
    steady = [watch.seconds(function, inputs[0]) for _ in range(job["calls"])]
    result = {"cold": cold, "compiling": min(compiling, cold), "steady": steady, "on_device": watch.on_device}
    known = _surroundings(subject)  # before the profiler takes memory
    return {**result, **known, "launches": _profiled(function, inputs[0], out)}


def _seconds(function: Any, inputs: Inputs) -> float:
    args, kwargs = _copied(inputs)
    _synchronise()
    start = time.perf_counter()
    _called(function, args, kwargs)
    _synchronise()
    return time.perf_counter() - start


def _called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if cuda_in_use():
        torch.compiler.cudagraph_mark_step_begin()  # type: ignore[no-untyped-call]  # outputs may be reused
    function(*args, **kwargs)


class Watch:
    """Times calls by the clock, and on a GPU by its events as well."""

    def __init__(self) -> None:
        self.on_device: list[float] = []  #: seconds between the events before and after each call; empty without a GPU

    def seconds(self, function: Any, inputs: Inputs) -> float:
        """Seconds of one call, from an idle device to an idle device."""
        if not cuda_in_use():
            return _seconds(function, inputs)
        args, kwargs = _copied(inputs)
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        _synchronise()
        start = time.perf_counter()
        before.record()
        _called(function, args, kwargs)
        after.record()
        _synchronise()
        seconds = time.perf_counter() - start
        self.on_device.append(before.elapsed_time(after) / 1000)
        return seconds


def _profiled(function: Any, inputs: Inputs, out: Path) -> dict[str, float]:
    """What the profiler counts in one call; nothing if it cannot be had."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if cuda_in_use():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    copies = [_copied(inputs) for _ in range(PROFILED)]
    _synchronise()
    with torch.profiler.profile(activities=activities) as profile:
        for args, kwargs in copies:
            _called(function, args, kwargs)
    trace = out / "trace.json"
    profile.export_chrome_trace(str(trace))
    events = json.loads(trace.read_text("utf-8", "replace"))["traceEvents"]
    return launches.count(events, PROFILED, cuda_in_use())


def _copied(inputs: Inputs) -> Inputs:
    """Inputs that a call may change; those that cannot be copied are shared."""
    try:
        return copy.deepcopy(inputs)
    except (RuntimeError, TypeError):
        return inputs


def _synchronise() -> None:
    if cuda_in_use():
        torch.cuda.synchronize()


def _surroundings(subject: Subject) -> dict[str, Any]:
    """Peak memory in bytes (of the GPU where one is used, else of the process), device and precision settings."""
    known = {
        "threads": torch.get_num_threads(),
        "matmul_precision": torch.get_float32_matmul_precision(),
        "tf32": bool(torch.backends.cuda.matmul.allow_tf32),
        "tf32_cudnn": bool(torch.backends.cudnn.allow_tf32),
    }
    if not cuda_in_use():
        unit = 1 if sys.platform == "darwin" else 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
        return {"peak_memory": peak, "device": f"{subject.device}, no GPU", **known}
    driver = DRIVER.read_text("utf-8").splitlines()[0] if DRIVER.is_file() else "unknown"
    gpu = {"device": torch.cuda.get_device_name(), "cuda": torch.version.cuda, "driver": driver}
    return {"peak_memory": torch.cuda.max_memory_allocated(), **gpu, **known}
