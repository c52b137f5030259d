"""One target proven from beginning to end: found, made ready, fixed, run, timed. Plain data in, plain data out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from graphmend_lint.config import Settings
from graphmend_lint.model import Applicability
from graphmend_lint.source import Source, SourceError
from graphmend_lint.verify import speed
from graphmend_lint.verify.attribution import Attribution
from graphmend_lint.verify.fixing import Offer, as_sources, fixed, linted, parsed, settings_of, why_idle
from graphmend_lint.verify.jobs import Limits, NoTimeError, Workers
from graphmend_lint.verify.prepare import AUTO, Found, broken_files, finish
from graphmend_lint.verify.report import Seen, as_json
from graphmend_lint.verify.source_map import source_map
from graphmend_lint.verify.target import Target, TargetError, module_files, parse_target
from graphmend_lint.verify.verdict import Options, Outcome, Pair, Setup, Verdict, overall
from graphmend_lint.verify.verdict import verify as run_arms

Progress = Callable[[str], None]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked for one target. Plain data, so that it can travel as JSON."""

    target: str
    name: str = ""  #: what to call it in tables
    root: str = ""  #: the folder that relative paths start at; empty: the current one
    unsafe_fixes: bool = True
    against: str = ""  #: a rewrite by hand
    fix_modules: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    bad_inputs: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)  #: for a model family, beside what the target says
    backend: str = "aot_eager"
    compile_mode: str = ""  #: of torch.compile, with inductor: "reduce-overhead"
    time_backend: str = ""  #: another one for timing
    dtype: tuple[str, ...] = ("",)
    mode: tuple[str, ...] = ("",)
    dynamic: tuple[bool, ...] = (False,)
    device: str = ""
    time: bool = False
    rounds: int = speed.ROUNDS
    calls: int = speed.CALLS
    timeout: float = 300.0  #: seconds for each run
    memory: float | None = None  #: GiB for each run
    seed: int = 0
    allow_lost_text: bool = False
    strict: bool = False
    measure_idle: bool = False  #: count breaks even where there is nothing to prove

    @property
    def label(self) -> str:
        return self.name or self.target

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def of(data: Mapping[str, Any]) -> Request:
        """The request that `as_dict` was made of, also after a journey as JSON."""
        lists = {each.name for each in fields(Request) if str(each.type).startswith("tuple")}
        values: dict[str, Any] = {name: tuple(value) if name in lists else value for name, value in data.items()}
        return Request(**values)

    def found_target(self) -> Target:
        """The target, with what a table says about its inputs.

        Raises:
            TargetError: if it is none.
        """
        folder = Path(self.root) if self.root else Path()
        text = self.target
        if ":" in text and text.rpartition(":")[0].endswith(".py") and self.root:
            text = str(folder / text)
        target = parse_target(text, (folder,) if self.root else ())
        recipe = target.recipe
        if self.config and not recipe:
            raise TargetError(f"{self.target}: `config` is for targets that begin with hf:")
        if self.config:
            recipe = {**recipe, "options": {**recipe["options"], **self.config}}
        return replace(target, recipe=recipe, inputs=self.inputs, bad_inputs=self.bad_inputs)

    def limits(self) -> Limits:
        return Limits(self.timeout, int(self.memory * 2**30) if self.memory else None)

    def options(self) -> Iterator[Options]:
        """One for every combination of dtype, mode and shapes."""
        for dtype, mode, dynamic in product(self.dtype, self.mode, self.dynamic):
            setup = Setup(dtype, self.device, mode, dynamic)
            yield Options(
                self.backend,
                setup,
                self.seed,
                self.limits(),
                self.allow_lost_text,
                self.strict,
                self.compile_mode,
                self.measure_idle,
            )


@dataclass(frozen=True, slots=True)
class Ready:
    """A target and its sources as they are."""

    request: Request
    found: Found
    sources: tuple[Source, ...]
    settings: tuple[Settings, ...]

    @property
    def target(self) -> Target:
        return self.found.target

    @property
    def before(self) -> dict[Path, str]:
        return {source.path: source.text for source in self.sources}

    @property
    def allow(self) -> Applicability:
        return Applicability.UNSAFE if self.request.unsafe_fixes else Applicability.SAFE

    def pair(self) -> tuple[Pair, tuple[Offer, ...]]:
        """The sources with all fixes, or the rewrite by hand."""
        if self.request.against:
            path = Path(self.request.root or ".") / self.request.against
            rewrite = {self.target.path: parsed(path).text}
            return Pair(self.target, self.before, rewrite, Options()), ()
        after, offers = fixed(self.sources, self.settings, self.allow)
        texts = {source.path: source.text for source in after}
        idle = why_idle(linted(after, self.settings)) if texts == self.before else ""
        return Pair(self.target, self.before, texts, Options(), idle), offers


def ready(request: Request, workers: Workers, progress: Progress) -> Ready:
    """Find the target and read its sources.

    Raises:
        TargetError: if a module or file is not there, or the target cannot be made.
        SourceError: if a file cannot be read or parsed.
    """
    if request.against and request.fix_modules:
        raise TargetError("--against and --fix-modules exclude each other")
    found = finish(request.found_target(), request.limits(), request.seed, workers, progress)
    sources = tuple(parsed(path) for path in dict.fromkeys(_paths(request, found, workers, progress)))
    return Ready(request, found, sources, tuple(settings_of(found.target, sources)))


def _paths(request: Request, found: Found, workers: Workers, progress: Progress) -> Iterator[Path]:
    """The files that are linted and fixed."""
    target = found.target
    yield from found.files or (target.path,)
    for name in request.fix_modules or ((AUTO,) if target.recipe else ()):
        if name == AUTO:
            yield from broken_files(target, next(request.options()), workers, progress)
        else:
            yield from module_files(name, (target.root,))


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found out about one target."""

    request: Request
    ready: Ready
    pair: Pair
    verdicts: tuple[Verdict, ...]
    timed: speed.Speed | None
    offers: tuple[Offer, ...] = ()
    dropped: tuple[tuple[Offer, str], ...] = ()  #: fixes that are not among those, and why
    seconds: float = 0.0

    @property
    def outcome(self) -> Outcome:
        return overall(verdict.outcome for verdict in self.verdicts)

    def seen(self) -> Seen:
        """What the linter says of both versions."""
        both = (self.pair.before, self.pair.after)
        return Seen(*(Attribution(linted(as_sources(texts), self.ready.settings)) for texts in both))

    def row(self) -> Row:
        """Everything as plain data."""
        seen = self.seen()
        known = {"name": self.request.label, "seconds": round(self.seconds, 1), **self.ready.found.known}
        told = as_json(list(self.verdicts), self.timed, str(self.pair.target), seen)
        return {**known, **told, "fixes": self._fixes(), "map": source_map(self.pair, self.verdicts[0], seen)}

    def _fixes(self) -> list[Row]:
        kept = [_fix_row(offer, self._verdict_of(offer)) for offer in self.offers]
        return [*kept, *(_fix_row(offer, "dropped", reason) for offer, reason in self.dropped)]

    def _verdict_of(self, offer: Offer) -> str:
        idle = [hunk for verdict in self.verdicts[:1] for hunk in verdict.not_run if hunk.path == offer.path]
        if any(hunk.before[0] <= offer.row <= max(hunk.before) for hunk in idle):
            return "did not run"
        return self.outcome.value


def _fix_row(offer: Offer, verdict: str, reason: str = "") -> Row:
    names = ("code", "title", "row", "safe", "caveat")
    known = {name: getattr(offer, name) for name in names}
    return {**known, "path": str(offer.path), "verdict": verdict, "reason": reason}


def prove(request: Request, workers: Workers, progress: Progress) -> Proof:
    """Prove all fixes of one target together.

    Raises:
        TargetError: if the target cannot be used.
        SourceError: if a file cannot be read or parsed.
    """
    start = time.monotonic()
    prepared = ready(request, workers, progress)
    pair, offers = prepared.pair()
    return judge(prepared, pair, offers, workers, progress, start)


def judge(
    prepared: Ready, pair: Pair, offers: Sequence[Offer], workers: Workers, progress: Progress, start: float
) -> Proof:
    """Run a pair in every setup, and time the first if it is proven there."""
    request = prepared.request
    runs = [
        (each, run_arms(each, progress, workers)) for options in request.options() for each in (_with(pair, options),)
    ]
    first, verdicts = runs[0][0], tuple(verdict for _, verdict in runs)
    proof = Proof(request, prepared, first, verdicts, None, tuple(offers))
    return replace(proof, timed=timed(request, proof, workers, progress), seconds=time.monotonic() - start)


def timed(request: Request, proof: Proof, workers: Workers, progress: Progress) -> speed.Speed | None:
    """How fast the first setup is, if that is asked for and it is proven."""
    if not request.time or proof.verdicts[0].outcome is not Outcome.PROVEN:
        return None
    options = replace(proof.pair.options, backend=request.time_backend or proof.pair.options.backend)
    try:
        return speed.time_pair(_with(proof.pair, options), progress, workers, request.rounds, request.calls)
    except NoTimeError as error:
        return speed.Speed({}, str(error))


def _with(pair: Pair, options: Options) -> Pair:
    return replace(pair, options=options)


def asked_for(targets: Sequence[str], settings: Settings) -> list[Request]:
    """The requests for these targets, each of which may be the name of a table; for none, all tables."""
    tables = [Request(root=str(settings.root), **table) for table in settings.verify]
    named = {table.label: table for table in tables}
    return [named.get(target) or Request(target=target) for target in targets] or tables


def row_of(request: Request, workers: Workers, progress: Progress) -> Row:
    """The row of a table for one target; whatever keeps it from being run is its reason."""
    try:
        return prove(request, workers, progress).row()
    except (TargetError, SourceError, NoTimeError) as error:
        reason = str(error)
    return failed_row(request, reason)


def failed_row(request: Request, reason: str) -> Row:
    """The row of a target that could not be run."""
    outcome = Outcome.COULD_NOT_RUN
    return {
        "name": request.label,
        "target": request.target,
        "verdict": outcome.value,
        "exit_code": outcome.exit_code,
        "reason": reason,
    }
