"""Time one version of the source: the first call, which compiles, and many that follow. Runs in the worker only."""

from __future__ import annotations

import copy
import resource
import sys
import time
from pathlib import Path
from typing import Any

import torch
import torch._dynamo.utils as dynamo_utils

from graphmend_lint.verify.overlay import install
from graphmend_lint.verify.subject import Inputs, Job, Subject, compiled, cuda_in_use, seed

WARM_UP = 3  #: calls after the first that are not counted: guards settle, caches fill


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
    steady = [_seconds(function, inputs[0]) for _ in range(job["calls"])]
    return {"cold": cold, "compiling": min(compiling, cold), "steady": steady, **_surroundings(subject)}


def _seconds(function: Any, inputs: Inputs) -> float:
    args, kwargs = _copied(inputs)
    _synchronise()
    start = time.perf_counter()
    function(*args, **kwargs)
    _synchronise()
    return time.perf_counter() - start


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
    if cuda_in_use():
        peak, device = torch.cuda.max_memory_allocated(), torch.cuda.get_device_name()
    else:
        unit = 1 if sys.platform == "darwin" else 1024
        peak, device = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit, subject.device
    precision = torch.get_float32_matmul_precision()
    return {"peak_memory": peak, "device": device, "threads": torch.get_num_threads(), "matmul_precision": precision}
