"""The child process: runs one arm, or compares what arms recorded. `python -m graphmend_lint.verify.worker JOB.json`.

Reads a job (`jobs.py` says what is in it), writes `result.json` and, for an arm, `calls.pt` into the job's folder.
Whatever the model prints while it is imported and built goes to this process's own output.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import random
import resource
import sys
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast

import torch
import torch._dynamo as dynamo

from graphmend_lint.verify.capture import all_levels, capture
from graphmend_lint.verify.compare import Call, Close, Event, Leaf, compare
from graphmend_lint.verify.coverage import Lines
from graphmend_lint.verify.failures import FactoryError
from graphmend_lint.verify.measure import Measured, break_row, counting_backend, recording
from graphmend_lint.verify.overlay import install
from graphmend_lint.verify.snapshot import Snapshot, add_globals, add_state, tensors
from graphmend_lint.verify.subject import Inputs, Job, Subject, compiled, cuda_in_use, seed
from graphmend_lint.verify.timing import time_job


def main(path: str) -> int:
    """Do the job in the file `path`."""
    job: Job = json.loads(Path(path).read_text("utf-8"))
    out = Path(job["folder"])
    if job.get("memory"):
        resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
    try:
        result = _KINDS[job["kind"]](job, out)
    except FactoryError as error:
        result = {"error": str(error)}
    except MemoryError:
        result = {"error": "out of memory"}
    except Exception as error:
        traceback.print_exc()
        result = {"error": f"{type(error).__name__}: {error}"[:600]}
    (out / "result.json").write_text(json.dumps(result), "utf-8")
    return 0


def random_state() -> dict[str, str]:
    """A hash of each generator's state."""
    states: dict[str, Any] = {"torch": torch.get_rng_state().tolist(), "python": random.getstate()}
    if cuda_in_use():
        states["cuda"] = torch.cuda.get_rng_state().tolist()
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        states["numpy"] = [str(part) for part in numpy.random.get_state()]
    return {name: hashlib.sha256(str(state).encode()).hexdigest()[:16] for name, state in states.items()}


def run_arm(job: Job, out: Path) -> dict[str, Any]:
    """Make all the calls of one arm; record them, and what Dynamo did."""
    torch.set_num_threads(1)
    dynamo.config.recompile_limit = 64
    lines = Lines(job["watch"])
    finder = install({Path(path): text for path, text in job["overlay"].items()})
    eager = job["mode"] == "eager"
    if eager:
        torch.compiler.set_stance("force_eager")
    with lines.trace() if eager else nullcontext():
        subject = Subject(job, finder)
        session = Session(job, subject, lines)
        session.run()
    with (out / "calls.pt").open("wb") as file:
        pickle.dump(session.calls, file)
    ran = {path: sorted(found) for path, found in lines.ran.items()}
    return {"ran": ran, "torch": torch.__version__, "device": subject.device, **session.report}


class Session:
    """Calls made in one process."""

    def __init__(self, job: Job, subject: Subject, lines: Lines) -> None:
        self.calls: list[Call] = []
        self.report: dict[str, Any] = {"sets": [], "recompiles": []}
        self._job = job
        self._mode = job["mode"]
        self._seed = job["seed"]
        self._subject = subject
        self._lines = lines

    def run(self) -> None:
        """Every input set on a fresh object with all log levels on, then all in turn on one object."""
        for name, subject, inputs in self._subject.sets():
            with self._measured() as seen, all_levels():
                seed(self._seed + 1)
                self.calls.append(self._call(name, subject, self._compiled(subject, seen), inputs))
            self._note(name, seen)
            if self._job.get("brief"):
                return
        for name, subject, inputs in self._subject.probes():
            with self._measured() as seen, all_levels():
                seed(self._seed + 1)
                call = self._call(name, subject, self._compiled(subject, seen), inputs)
                self.calls.append(replace(call, probe=True))
        subject, sequence = self._subject.in_turn()
        with self._measured() as seen:
            function = self._compiled(subject, seen)
            seed(self._seed + 1)
            for i, inputs in enumerate(sequence):
                self.calls.append(self._call(f"call {i + 1} of {len(sequence)} in turn", subject, function, inputs))
        self.report["recompiles"] = seen.recompiles

    def _measured(self) -> Any:
        dynamo.reset()
        return recording(self._lines) if self._mode != "eager" else nullcontext(Measured())

    def _compiled(self, subject: Any, seen: Measured) -> Callable[..., Any]:
        if self._mode == "eager":
            return cast("Callable[..., Any]", subject)
        return compiled(self._job, subject, counting_backend(self._job["backend"], seen))

    def _note(self, name: str, seen: Measured) -> None:
        row: dict[str, Any] = {key: getattr(seen, key) for key in ("graphs", "breaks", "timeline")}
        row["name"] = name
        row["error"] = self._error
        self.report["sets"].append(row)

    def _call(self, name: str, subject: Any, function: Callable[..., Any], inputs: Inputs) -> Call:
        args, kwargs = inputs
        given = Snapshot(clone=False)
        given.add("args", args)
        given.add("kwargs", kwargs)
        add_state(given, subject)
        self._error: dict[str, Any] | None = None
        with capture() as events:
            try:
                output = function(*args, **kwargs)
            except Exception as error:
                return self._raised(name, given, events, error)
        drawn = random_state()
        return self._returned(Call(name, given.leaves, events=tuple(events), random=drawn), subject, inputs, output)

    def _raised(self, name: str, given: Snapshot, events: list[Event], error: Exception) -> Call:
        if self._mode != "eager":
            self._error = break_row(error) | {"type": type(error).__name__, "message": str(error)[:600]}
        raised = (type(error).__name__, str(error))
        return Call(name, given.leaves, events=tuple(events), raised=raised, random=random_state())

    def _returned(self, call: Call, subject: Any, inputs: Inputs, output: Any) -> Call:
        after = Snapshot()
        after.add("output", output)
        after.add("argument args", inputs[0])
        after.add("argument kwargs", inputs[1])
        add_state(after, subject)
        add_globals(after, self._subject.module)
        gradients = _gradients(subject, inputs, output)
        values = {name: getattr(call, name) for name in ("name", "given", "events", "random")}
        return Call(**values, result=after.leaves, aliases=after.aliases, gradients=gradients)


def _gradients(subject: Any, inputs: Inputs, output: Any) -> dict[str, Leaf | None]:
    """Gradients of a weighted sum of all outputs, by parameter and by input."""
    leaves = {f"parameter {name}": p for name, p in getattr(subject, "named_parameters", dict)()}
    leaves |= {f"input {path}": t for path, t in tensors(inputs, "") if t.is_leaf}
    leaves = {path: tensor for path, tensor in leaves.items() if tensor.requires_grad}
    sums = [_weighted_sum(t) for _, t in tensors(output, "output") if t.requires_grad]
    if not leaves or not sums:
        return dict.fromkeys(leaves)
    try:
        grads = torch.autograd.grad(torch.stack(sums).sum(), list(leaves.values()), allow_unused=True)
    except RuntimeError as error:
        return {"backward": Leaf("error", str(error))}
    found = Snapshot()
    for path, grad in zip(leaves, grads, strict=True):
        if grad is not None:
            found.add(path, grad)
    return {path: found.leaves.get(path) for path in leaves}


def _weighted_sum(tensor: torch.Tensor) -> torch.Tensor:
    """Weights differ from element to element, so that swapped gradients show."""
    real = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    weights = torch.linspace(0.5, 1.5, real.numel(), dtype=torch.float64).reshape(real.shape)
    return (real.double() * weights.to(real.device)).sum().cpu()


def closeness(a: torch.Tensor, b: torch.Tensor, exact: bool) -> Close:
    """Compare numbers; eager runs may differ by rounding in the last bits only, compiled ones a little more."""
    equal = (a == b) | ((a != a) & (b != b))
    if bool(equal.all()):
        return Close(True, True)
    rtol, atol = _tolerance(a.dtype, exact)
    kind = torch.complex128 if a.is_complex() else torch.float64
    x, y = a.to(kind), b.to(kind)
    agree = torch.allclose(x, y, rtol=rtol, atol=atol, equal_nan=True)
    return Close(agree, False, _where(x, y, equal), bool((x.isfinite() & ~y.isfinite()).any()))


def _tolerance(dtype: torch.dtype, exact: bool) -> tuple[float, float]:
    if not dtype.is_floating_point and not dtype.is_complex:
        return 0.0, 0.0
    if dtype in (torch.float16, torch.bfloat16):
        return (1e-2, 1e-3) if exact else (2e-2, 2e-2)
    return (1e-5, 1e-6) if exact else (1e-4, 1e-5)


def _where(x: torch.Tensor, y: torch.Tensor, equal: torch.Tensor) -> str:
    gap = (x - y).abs().nan_to_num(float("inf"), float("inf"))
    gap = torch.where(equal, torch.zeros_like(gap), gap)
    at = int(gap.reshape(-1).argmax())
    place = [int(i) for i in torch.unravel_index(torch.tensor(at), x.shape)] if x.dim() else []
    a, b = x.reshape(-1)[at].item(), y.reshape(-1)[at].item()
    count = int((~equal).sum())
    return f"{count} of {x.numel()} differ, most at {place}: {a:.6g} became {b:.6g}"


def compare_job(job: Job, out: Path) -> dict[str, Any]:
    """Compare recordings in pairs: `{"name": {"wanted": FILE, "got": FILE, "exact": bool}}`."""
    result = {}
    for name, pair in job["pairs"].items():
        wanted, got = (pickle.loads(Path(pair[side]).read_bytes()) for side in ("wanted", "got"))
        compared = compare(wanted, got, closeness, exact=pair["exact"])
        result[name] = asdict(compared)
    return result


def plan_job(job: Job, out: Path) -> dict[str, Any]:
    """Find out how a model family is made small and called."""
    from graphmend_lint.verify import family

    return family.plan_job(job, out)


_KINDS: dict[str, Callable[[Job, Path], dict[str, Any]]] = {
    "plan": plan_job,
    "run": run_arm,
    "compare": compare_job,
    "time": time_job,
}

if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    sys.exit(main(sys.argv[1]))
