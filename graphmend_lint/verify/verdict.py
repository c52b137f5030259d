"""Prove that a rewrite keeps what a program does and compiles better: seven runs in seven processes, compared."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from graphmend_lint.verify.compare import Difference
from graphmend_lint.verify.hunks import Hunk, Ran, hunks, not_run
from graphmend_lint.verify.jobs import Ended, Limits, Workers
from graphmend_lint.verify.target import Target


class Outcome(Enum):
    """What was found out."""

    PROVEN = "proven"
    NOT_PROVEN = "not proven"
    COULD_NOT_RUN = "could not run"
    NOTHING_MEASURED = "nothing measured"

    @property
    def exit_code(self) -> int:
        return {Outcome.PROVEN: 0, Outcome.NOT_PROVEN: 1}.get(self, 2)


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """One outcome for several setups: proven if one is, and nothing else was found out in the others."""
    found = set(outcomes)
    order = (Outcome.NOT_PROVEN, Outcome.COULD_NOT_RUN, Outcome.PROVEN, Outcome.NOTHING_MEASURED)
    return next(outcome for outcome in order if outcome in found)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is changed about the target before it runs; empty: as the factory makes it."""

    dtype: str = ""  #: a floating-point type of torch, such as "bfloat16"
    device: str = ""  #: "cpu" or "cuda"
    module_mode: str = ""  #: "train" or "eval"
    dynamic: bool = False  #: compile with dynamic shapes from the start

    def __str__(self) -> str:
        parts = (self.dtype, self.device, self.module_mode, "dynamic shapes" if self.dynamic else "")
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Options:
    """How to run the arms."""

    backend: str = "aot_eager"
    setup: Setup = field(default_factory=Setup)
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    allow_lost_text: bool = False
    strict: bool = False  #: what is only told of the eager run counts too: rounding, messages, identity
    compile_mode: str = ""  #: of torch.compile, such as "reduce-overhead"; empty: its default
    measure_idle: bool = False  #: count breaks even if there is nothing to prove


@dataclass(frozen=True, slots=True)
class Measurement:
    """What Dynamo made of one version of the source."""

    graphs: int | None  #: of the first input set, default mode; None if that run failed
    error: str  #: "", or why default mode could not run to its end
    breaks: tuple[dict[str, Any], ...]  #: distinct sites over all input sets
    events: int  #: break events over all input sets
    fullgraph: bool  #: whether `fullgraph=True` passes for every input set
    fullgraph_error: dict[str, Any] | None
    recompiles: tuple[dict[str, Any], ...]
    timeline: tuple[dict[str, Any], ...] = ()  #: the graphs of the first input set in order, and what ended each


@dataclass(frozen=True, slots=True)
class Told:
    """A difference or a note, and the arm it was seen in."""

    arm: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, with all that it rests on."""

    outcome: Outcome
    reason: str
    before: Measurement | None = None
    after: Measurement | None = None
    differences: tuple[Told, ...] = ()
    notes: tuple[Told, ...] = ()
    edits: int = 0
    not_run: tuple[Hunk, ...] = ()
    environment: dict[str, Any] = field(default_factory=dict)
    setup: str = ""  #: what was changed about the target before it ran


ARMS = (
    "original eager",
    "original eager again",
    "fixed eager",
    "original compiled",
    "original fullgraph",
    "fixed compiled",
    "fixed fullgraph",
)
_MODES = {"eager": "eager", "again": "eager", "compiled": "default", "fullgraph": "fullgraph"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two versions of the same files, and what to run."""

    target: Target
    before: Mapping[Path, str]
    after: Mapping[Path, str]
    options: Options
    idle: str = "the fixed source is the same text: there is no edit to prove"  #: what to say then

    def job(self, arm: str) -> dict[str, Any]:
        """What the worker needs to know for `arm`."""
        texts = self.before if arm.startswith("original") else self.after
        return {
            "kind": "run",
            "mode": _MODES[arm.split()[-1]],
            "target": self.target.job(),
            "overlay": {str(path): text for path, text in texts.items()},
            "watch": [str(path) for path in texts if self.before[path] != self.after[path]],
            "backend": self.options.backend,
            "seed": self.options.seed,
            "compile_mode": self.options.compile_mode,
            **asdict(self.options.setup),
        }


def verify(pair: Pair, progress: Callable[[str], None] = lambda arm: None, workers: Workers | None = None) -> Verdict:
    """Run all arms and compare them; `progress` hears the name of each arm before it runs.

    Several calls may share `workers`, so that torch is loaded once for all.
    """
    with nullcontext(workers) if workers is not None else Workers() as active:
        return replace(_verify(pair, progress, active), setup=str(pair.options.setup))


def _verify(pair: Pair, progress: Callable[[str], None], workers: Workers) -> Verdict:
    """Run the original and the fixed version in every arm, compare them, and judge."""
    found = hunks(pair.before, pair.after)
    if not found:
        return _idle(pair, progress, workers)
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        runs: dict[str, Ended] = {}
        for arm in ARMS:
            progress(arm)
            runs[arm] = workers.run(pair.job(arm), Path(folder) / arm.replace(" ", "-"), pair.options.limits)
            if arm.startswith("original eager") and runs[arm].failure:
                return _unusable(f"the original {runs[arm].failure}", runs[arm])
        if runs["original compiled"].kind == "hang":
            return _unusable(f"the original, compiled, {runs['original compiled'].failure}", runs["original compiled"])
        progress("comparing")
        compared = workers.run(_comparison(runs), Path(folder) / "compare", pair.options.limits)
        if compared.failure:
            return _unusable(f"the comparison {compared.failure}", compared)
        return _judge(pair, found, runs, compared.result)


def _idle(pair: Pair, progress: Callable[[str], None], workers: Workers) -> Verdict:
    """Without an edit there is nothing to compare, but breaks can be counted."""
    if not pair.options.measure_idle:
        return Verdict(Outcome.NOTHING_MEASURED, pair.idle)
    runs: dict[str, Ended] = {}
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        for arm in ("original compiled", "original fullgraph"):
            progress(arm)
            runs[arm] = workers.run(pair.job(arm), Path(folder) / arm.replace(" ", "-"), pair.options.limits)
    compiled = runs["original compiled"]
    if compiled.failure:
        return _unusable(f"the original {compiled.failure}", compiled)
    counted = measurement(runs, "original")
    reason = pair.idle if counted.breaks or not counted.fullgraph else "no graph break, and nothing to fix"
    environment = _environment(compiled, pair.options)
    return Verdict(Outcome.NOTHING_MEASURED, reason, counted, counted, environment=environment)


def _environment(ended: Ended, options: Options) -> dict[str, Any]:
    mode = {"mode": options.compile_mode} if options.compile_mode else {}
    known = {name: ended.result[name] for name in ("torch", "device")}
    return {**known, "backend": options.backend, **mode, "seed": options.seed}


def _unusable(reason: str, ended: Ended) -> Verdict:
    last = f"; its last output:\n{ended.output}" if ended.output and ended.kind in ("crash", "hang") else ""
    return Verdict(Outcome.COULD_NOT_RUN, reason + last)


def _comparison(runs: Mapping[str, Ended]) -> dict[str, Any]:
    """The original's first eager run against every other arm, and compiled against compiled."""
    pairs = {arm: ("original eager", arm) for arm in ARMS[1:] if arm != "original fullgraph"}
    pairs |= {f"{arm} or original": ("original compiled", arm) for arm in ("fixed compiled", "fixed fullgraph")}
    usable = {name: pair for name, pair in pairs.items() if not any(runs[arm].failure for arm in pair)}
    files = {
        name: {"wanted": _calls(runs[a]), "got": _calls(runs[b]), "exact": b.split()[-1] in ("eager", "again")}
        for name, (a, b) in usable.items()
    }
    return {"kind": "compare", "pairs": files}


def _calls(ended: Ended) -> str:
    return str(ended.folder / "calls.pt")


def _judge(pair: Pair, found: tuple[Hunk, ...], runs: Mapping[str, Ended], compared: dict[str, Any]) -> Verdict:
    """The verdict on what all runs did."""
    unsteady = compared["original eager again"]["differences"]
    if unsteady:
        first = Difference(**unsteady[0])
        return Verdict(Outcome.COULD_NOT_RUN, f"the original is not the same in two runs: {first}")
    before, after = measurement(runs, "original"), measurement(runs, "fixed")
    differences, notes = [*_failures(runs)], list[Told]()
    for arm in ("fixed eager", "fixed compiled", "fixed fullgraph"):
        if arm == "fixed fullgraph" and not after.fullgraph:
            continue
        counted, told = _sorted(arm, compared, pair.options)
        differences += counted
        notes += told
    differences, notes = _merged(differences), _merged(notes)
    idle = not_run(found, pair.before, pair.after, _ran(runs, "original"), _ran(runs, "fixed"))
    outcome, reason = _conclude(before, after, tuple(differences), len(found), len(idle))
    environment = _environment(runs["original eager"], pair.options)
    return Verdict(outcome, reason, before, after, tuple(differences), tuple(notes), len(found), idle, environment)


def _merged(told: list[Told]) -> list[Told]:
    """What several arms show alike, told once."""
    arms: dict[tuple[str, str], list[str]] = {}
    for item in told:
        arms.setdefault((item.kind, item.text), []).append(item.arm)
    return [Told(", ".join(names), kind, text) for (kind, text), names in arms.items()]


def _failures(runs: Mapping[str, Ended]) -> Iterator[Told]:
    for arm, ended in runs.items():
        if arm.startswith("fixed") and ended.failure:
            last = f"; its last output:\n{ended.output}" if ended.output and ended.kind != "error" else ""
            yield Told(arm, ended.kind, ended.failure + last)


def _sorted(arm: str, compared: dict[str, Any], options: Options) -> tuple[list[Told], list[Told]]:
    """Differences that count, and notes: those that torch makes with the original as well, or that are allowed."""
    if arm not in compared:
        return [], []
    told = [Told(arm, item.kind, str(item)) for item in _differences(compared, arm, "notes")]
    counted, notes = (told, []) if options.strict and arm == "fixed eager" else ([], told)
    for item in _differences(compared, arm):
        if _torch_does_too(item, compared, f"{arm} or original"):
            notes.append(Told(arm, item.kind, f"{item}; torch.compile does so with the original too"))
        elif item.kind == "lost text" and arm != "fixed eager" and options.allow_lost_text:
            notes.append(Told(arm, item.kind, f"{item}; allowed"))
        else:
            counted.append(Told(arm, item.kind, str(item)))
    return counted, notes


def _differences(compared: dict[str, Any], name: str, key: str = "differences") -> list[Difference]:
    """One row for each kind and place; the calls are told together."""
    rows: dict[tuple[str, str], list[Difference]] = {}
    for item in compared[name][key]:
        rows.setdefault((item["kind"], item["place"]), []).append(Difference(**item))
    return [_together(same) for same in rows.values()]


def _together(same: list[Difference]) -> Difference:
    more = f" and {len(same) - 1} more" if len(same) > 1 else ""
    return replace(same[0], call=same[0].call + more)


def _torch_does_too(item: Difference, compared: dict[str, Any], name: str) -> bool:
    """Whether the compiled original ran as well, and shows what the compiled fixed source shows."""
    if name not in compared or item.kind in ("exception", "setup", "calls"):
        return False
    against = compared[name]["differences"]
    return not any(row["kind"] in ("exception", "setup", "calls") or row["place"] == item.place for row in against)


def measurement(runs: Mapping[str, Ended], version: str) -> Measurement:
    """What Dynamo made of one version, from its compiled and its fullgraph arm."""
    compiled, full = runs[f"{version} compiled"], runs[f"{version} fullgraph"]
    sets = [row for row in compiled.result.get("sets", ()) if not row["name"].startswith("bad_inputs")]
    events = [item for row in sets for item in row["breaks"]]
    sites = {(item["gb_type"], item["path"], item["line"]): item for item in events}
    graphs = sets[0]["graphs"] if sets else None
    error = _fullgraph_error(full)
    recompiles = tuple(compiled.result.get("recompiles", ()))
    default_error = _default_error(compiled, sets)
    timeline = tuple(sets[0]["timeline"]) if sets else ()
    found = tuple(sites.values())
    return Measurement(graphs, default_error, found, len(events), error is None, error, recompiles, timeline)


def _default_error(compiled: Ended, sets: list[dict[str, Any]]) -> str:
    """Why a compiled run ended early, unless the model itself raises there."""
    if compiled.failure:
        return compiled.failure
    errors = [row["error"] for row in sets if row["error"] is not None]
    return f"{errors[0]['type']}: {errors[0]['reason']}" if errors else ""


def _fullgraph_error(full: Ended) -> dict[str, Any] | None:
    if full.failure:
        return {"type": full.kind, "message": full.failure}
    errors = (row["error"] for row in full.result["sets"] if not row["name"].startswith("bad_inputs"))
    return next((error for error in errors if error is not None), None)


def _ran(runs: Mapping[str, Ended], version: str) -> Ran:
    ran: dict[str, set[int]] = {}
    for arm, ended in runs.items():
        if arm.startswith(version):
            for path, lines in ended.result.get("ran", {}).items():
                ran.setdefault(path, set()).update(lines)
    return ran


def _conclude(
    before: Measurement, after: Measurement, differences: tuple[Told, ...], edits: int, idle: int
) -> tuple[Outcome, str]:
    """The outcome, and one phrase for it."""
    if differences:
        first = differences[0]
        return Outcome.NOT_PROVEN, f"{first.arm.partition(',')[0]}: {first.text}{_hint(differences)}"
    if edits == idle:
        return Outcome.NOTHING_MEASURED, "no edited line ran: give the factory inputs that reach it"
    gained = bool(before.error) and not after.error
    change = f"{_count(before)} before; {_count(after)} after"
    worse = (
        len(after.breaks) > len(before.breaks) and not before.error
    )  # an original that fails is not counted to its end
    fewer = (len(after.breaks), after.events) < (len(before.breaks), before.events)
    if worse or (before.fullgraph and not after.fullgraph):
        return Outcome.NOT_PROVEN, f"it compiles no better: {change}"
    if fewer or gained or (after.fullgraph and not before.fullgraph):
        return Outcome.PROVEN, change
    if not before.breaks and before.fullgraph:
        return Outcome.NOTHING_MEASURED, "no graph break before and none after"
    return Outcome.NOTHING_MEASURED, f"the edit changes no graph break: {change}"


def _hint(differences: tuple[Told, ...]) -> str:
    lost = all(item.kind == "lost text" and "eager" not in item.arm for item in differences)
    return "; --allow-lost-text accepts that" if lost else ""


def _count(measured: Measurement) -> str:
    breaks = f"{len(measured.breaks)} break" + ("s" if len(measured.breaks) != 1 else "")
    breaks = f"default mode fails ({measured.error})" if measured.error else breaks
    return f"{breaks}, fullgraph {'passes' if measured.fullgraph else 'fails'}"
