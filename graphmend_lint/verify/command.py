"""The commands `verify` and `demo`; `trace` and `run` are taken in from `scripts`."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import click

from graphmend_lint import engine
from graphmend_lint.config import Settings, load_settings
from graphmend_lint.model import Applicability, Diagnostic
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.save import SaveError, save
from graphmend_lint.source import Source
from graphmend_lint.verify import speed
from graphmend_lint.verify.attribution import Attribution
from graphmend_lint.verify.jobs import Limits, Workers
from graphmend_lint.verify.scripts import run, trace
from graphmend_lint.verify.target import Target, TargetError, module_files, parse_target, returned_function
from graphmend_lint.verify.verdict import Options, Outcome, Pair, Setup, Verdict, overall
from graphmend_lint.verify.verdict import verify as run_arms

__all__ = ["demo", "run", "trace", "verify"]

INSTALL = 'verify needs torch: pip install "graphmend-lint[verify]"'
BACKENDS = ("eager", "aot_eager", "inductor")
DTYPES = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}
MODES = {"eval": "eval", "train": "train"}

Progress = Callable[[str], None]


def choices(known: Mapping[str, str]) -> Callable[[Any, Any, str | None], tuple[str, ...]]:
    """A callback for an option that takes names separated by commas; without it, one empty choice."""

    def read(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
        names = [name.strip() for name in value.split(",")] if value else []
        for name in names:
            if name not in known:
                raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
        return tuple(known[name] for name in dict.fromkeys(names)) or ("",)

    return read


@click.command()
@click.argument("target", metavar="FILE_OR_MODULE:FACTORY")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page about the verdict there.")
@click.option("--fix", is_flag=True, help="Write the fixed source if it is proven.")
@click.option("--unsafe-fixes/--no-unsafe-fixes", default=True, show_default=True, help="Try unsafe fixes too.")
@click.option("--against", type=click.Path(path_type=Path), help="Prove this rewrite by hand instead of our fixes.")
@click.option("--fix-modules", multiple=True, metavar="MODULE", help="Fix this module or package too.")
@click.option("--backend", type=click.Choice(BACKENDS), default="aot_eager", show_default=True)
@click.option("--dtype", "dtypes", callback=choices(DTYPES), metavar="LIST", help="Of fp64, fp32, fp16, bf16.")
@click.option("--mode", "modes", callback=choices(MODES), metavar="LIST", help="Of eval, train.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default=None, help="Move model and inputs there.")
@click.option("--dynamic", is_flag=True, help="Compile with dynamic shapes from the start.")
@click.option("--time", "timed", is_flag=True, help="Time both versions too, if they are proven.")
@click.option("--timeout", type=click.FloatRange(1), default=300, show_default=True, help="Seconds for each run.")
@click.option("--memory", type=click.FloatRange(0.5), help="GiB of address space for each run.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--allow-lost-text", is_flag=True, help="Accept text that is no longer printed or logged when compiled.")
@click.option("--strict", is_flag=True, help="Count also what is else only noted: rounding, messages, identity.")
def verify(target: str, **options: Any) -> int:
    """Prove by torch that a fix keeps the results and removes graph breaks.

    The factory returns (callable or module, args, kwargs). Your files change only with --fix. Exit 0: proven,
    1: not proven, 2: could not run, or nothing to measure.
    """
    if importlib.util.find_spec("torch") is None:
        return _complain(INSTALL)
    request = Request(**options)
    try:
        pair = request.pair(parse_target(target))
    except TargetError as error:
        return _complain(str(error))
    with _progress() as progress, Workers() as workers:
        runs = [(each, run_arms(each, progress, workers)) for each in request.matrix(pair)]
        timed = request.time(runs, progress, workers)
    request.report(runs, timed)
    outcome = overall([verdict.outcome for _, verdict in runs])
    return request.save(outcome, pair) if request.fix else outcome.exit_code


def _complain(line: str) -> int:
    click.echo(line, err=True)
    return 2


@contextmanager
def _progress() -> Iterator[Progress]:
    """A line on the terminal that says which run is on; nothing where nobody looks."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda arm: None
        return
    with console.status("starting") as status:
        yield lambda arm: status.update(f"running: {arm}")


Runs = list[tuple[Pair, Verdict]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for."""

    as_json: bool
    html: Path | None
    fix: bool
    unsafe_fixes: bool
    against: Path | None
    fix_modules: tuple[str, ...]
    backend: str
    dtypes: tuple[str, ...]
    modes: tuple[str, ...]
    device: str | None
    dynamic: bool
    timed: bool
    timeout: float
    memory: float | None
    seed: int
    allow_lost_text: bool
    strict: bool

    def pair(self, target: Target) -> Pair:
        """The sources as they are, and as they are to be.

        Raises:
            TargetError: if a module or file is not there.
            SourceError: if a file cannot be read or parsed.
        """
        sources = self._sources(target)
        before = {source.path: source.text for source in sources}
        if self.against:
            return Pair(target, before, {target.path: self._rewrite()}, Options())
        after = self._fixed(target, sources)
        return Pair(target, before, after, Options(), _why_idle(target, after) if after == before else "")

    def _sources(self, target: Target) -> list[Source]:
        if self.against and self.fix_modules:
            raise TargetError("--against and --fix-modules exclude each other")
        paths = [target.path, *(path for name in self.fix_modules for path in module_files(name, (target.root,)))]
        sources = [Source.read(path) for path in dict.fromkeys(paths)]
        for source in sources:
            source.tree  # noqa: B018 - parsed now, so that an error is a line about this file
        return sources

    def _rewrite(self) -> str:
        assert self.against is not None
        source = Source.read(self.against)
        source.tree  # noqa: B018 - as above
        return source.text

    def _fixed(self, target: Target, sources: list[Source]) -> dict[Path, str]:
        allow = Applicability.UNSAFE if self.unsafe_fixes else Applicability.SAFE
        fixed = tuple(sources)
        for settings in _settings(target, fixed):
            fixed = engine.fix(fixed, _rules(settings), settings, allow).sources
        return {source.path: source.text for source in fixed}

    def matrix(self, pair: Pair) -> Iterator[Pair]:
        """The pair once for every combination of dtype and mode."""
        memory = int(self.memory * 2**30) if self.memory else None
        limits = Limits(self.timeout, memory)
        for dtype, mode in product(self.dtypes, self.modes):
            setup = Setup(dtype, self.device or "", mode, self.dynamic)
            options = Options(self.backend, setup, self.seed, limits, self.allow_lost_text, self.strict)
            yield replace(pair, options=options)

    def time(self, runs: Runs, progress: Progress, workers: Workers) -> speed.Speed | None:
        """How fast the first combination is, if that is asked for and nothing is wrong with it."""
        pair, verdict = runs[0]
        wanted = self.timed and verdict.outcome is Outcome.PROVEN
        return speed.time_pair(pair, progress, workers) if wanted else None

    def report(self, runs: Runs, timed: speed.Speed | None) -> None:
        """Print the verdicts, and write the page."""
        from rich.console import Console

        from graphmend_lint.verify import report

        pair = runs[0][0]
        seen = report.Seen(*(Attribution(_linted(pair.target, texts)) for texts in (pair.before, pair.after)))
        verdicts = [verdict for _, verdict in runs]
        if self.as_json:
            json.dump(report.as_json(verdicts, timed, str(pair.target), seen), sys.stdout, indent=2)
            sys.stdout.write("\n")
        else:
            report.show(
                verdicts, timed, str(pair.target), seen, Console(highlight=False, width=max(100, Console().width))
            )
        if self.html:
            from graphmend_lint.verify import html

            self.html.write_text(html.page(pair, verdicts, timed, seen), "utf-8")

    def save(self, outcome: Outcome, pair: Pair) -> int:
        """Write the fixed sources if they are proven; the exit code."""
        if outcome is not Outcome.PROVEN:
            click.echo("no file was changed: only a proven fix is written", err=True)
            return outcome.exit_code
        for path in pair.before:
            if pair.before[path] != pair.after[path]:
                try:
                    save(path, Source.read(path).encode(pair.after[path]))
                except SaveError as error:
                    return _complain(str(error))
                click.echo(f"fixed {path}", err=True)
        return outcome.exit_code


def _why_idle(target: Target, texts: Mapping[Path, str]) -> str:
    """Why the linter has nothing to prove, with the reasons of its refusals."""
    found = _linted(target, texts)
    if not found:
        return "linting finds no graph break here; `graphmend-lint trace` asks torch, --fix-modules adds modules"
    refused = Counter(each.refusal.reason if each.refusal else "no safe fix" for each in found)
    reasons = ", ".join(f"{reason} ({count})" for reason, count in refused.most_common())
    return f"no fix to prove for {len(found)} diagnostics: {reasons}"


def _linted(target: Target, texts: Mapping[Path, str]) -> list[Diagnostic]:
    """What the linter says of these texts."""
    sources = [Source(path, text) for path, text in texts.items()]
    found = (
        each for settings in _settings(target, sources) for each in engine.lint(sources, _rules(settings), settings)
    )
    return list({(each.path, each.span, each.code): each for each in found}.values())


def _rules(settings: Settings) -> list[Rule]:
    return [rule for code, rule in load_rules().items() if settings.selects(code)]


def _settings(target: Target, sources: Sequence[Source]) -> Iterator[Settings]:
    """The configured settings; then, if the factory gives a plain function, those that enter this function."""
    settings = load_settings([source.path for source in sources])
    yield settings
    text = next(source for source in sources if source.path == target.path)
    name = returned_function(text.tree, target.factory)
    if name is not None:
        module = target.module if target.packaged else target.path.stem
        yield replace(settings, entry_points=(f"{module}:{name}",))


@click.command()
@click.option("--save", "path", type=click.Path(path_type=Path, dir_okay=False), help="Only write the model there.")
def demo(path: Path | None) -> int:
    """Show diagnostics, fixes and proof on a bundled model. Needs no network and no compiler."""
    from graphmend_lint.verify import demo as story

    return story.save(path) if path else story.run()
