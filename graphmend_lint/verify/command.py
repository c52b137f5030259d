"""The commands `verify` and `demo`; `trace` and `run` are taken in from `scripts`."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from graphmend_lint.config import load_settings
from graphmend_lint.save import SaveError
from graphmend_lint.verify import speed, sweep
from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.report import status
from graphmend_lint.verify.request import Proof, Request, Row, asked_for, prove
from graphmend_lint.verify.scripts import run, trace
from graphmend_lint.verify.table import BACKENDS, COMPILE_MODES, DEVICES, DTYPES, MODES
from graphmend_lint.verify.target import TargetError
from graphmend_lint.verify.verdict import Outcome, overall

__all__ = ["demo", "run", "trace", "verify"]

INSTALL = 'verify needs torch: pip install "graphmend-lint[verify]"'
NO_TARGET = "name a target, such as model.py:build or hf:t5, or write [[tool.graphmend-lint.verify]] tables"


def choices(known: Mapping[str, str]) -> Callable[[Any, Any, str | None], tuple[str, ...]]:
    """A callback for an option that takes names separated by commas; without it, one empty choice."""

    def read(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
        names = [name.strip() for name in value.split(",")] if value else []
        for name in names:
            if name not in known:
                raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
        return tuple(known[name] for name in dict.fromkeys(names)) or ("",)

    return read


def part(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, int]:
    """`2/5` as (2, 5); all as (1, 1)."""
    match = re.fullmatch(r"(\d+)/(\d+)", value or "1/1")
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is not a part such as 1/4 or 4/4")
    return int(match[1]), int(match[2])


@click.command()
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print verdicts as JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page about the verdicts there.")
@click.option("--fix", is_flag=True, help="Write those fixes that are proven, of one target.")
@click.option("--unsafe-fixes/--no-unsafe-fixes", default=True, show_default=True, help="Try unsafe fixes too.")
@click.option("--against", metavar="FILE", help="Prove this rewrite by hand instead of our fixes.")
@click.option(
    "--fix-modules", multiple=True, metavar="MODULE", help="Fix this module or package too; auto: where it breaks."
)
@click.option("--backend", type=click.Choice(BACKENDS), default="aot_eager", show_default=True)
@click.option("--compile-mode", type=click.Choice(COMPILE_MODES), help="Of torch.compile, with --backend inductor.")
@click.option("--dtype", callback=choices(DTYPES), metavar="LIST", help="Of fp64, fp32, fp16, bf16.")
@click.option("--mode", callback=choices(MODES), metavar="LIST", help="Of eval, train.")
@click.option("--device", type=click.Choice(DEVICES), default=None, help="Move model and inputs there.")
@click.option("--dynamic", is_flag=True, help="Compile with dynamic shapes from the start.")
@click.option("--time", is_flag=True, help="Time both versions too, if they are proven.")
@click.option("--rounds", type=click.IntRange(1), default=speed.ROUNDS, show_default=True, help="Of timing.")
@click.option("--calls", type=click.IntRange(2), default=speed.CALLS, show_default=True, help="In each round.")
@click.option("--timeout", type=click.FloatRange(1), default=300, show_default=True, help="Seconds for each run.")
@click.option("--memory", type=click.FloatRange(0.5), help="GiB of address space for each run.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--allow-lost-text", is_flag=True, help="Accept text that is no longer printed or logged when compiled.")
@click.option("--strict", is_flag=True, help="Count also what is else only noted: rounding, messages, identity.")
@click.option("--jobs", type=click.IntRange(1), help="How many targets at once. Default: 1, or one for each GPU.")
@click.option("--gpus", metavar="LIST", help="GPUs to spread the targets over, such as 0,1.")
@click.option("--shard", callback=part, metavar="I/N", help="Only the I-th of N parts of the targets.")
@click.option("--ray", is_flag=True, help="Run the targets on a Ray cluster (RAY_ADDRESS), or on a local Ray.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Keep each row there, as JSON lines.")
@click.option("--resume", is_flag=True, help="Go on with the rows that --out has already.")
@click.pass_context
def verify(context: click.Context, /, targets: tuple[str, ...], **options: Any) -> int:
    """Prove by torch that fixes keep the results and remove graph breaks.

    This runs the target's code, in child processes that see no secrets of your environment.

    TARGET is FILE_OR_MODULE:FACTORY, where the factory returns (callable or module, args, kwargs); hf:FAMILY?NAME=VALUE
    for a tiny model of a transformers family; or the name of a table [[tool.graphmend-lint.verify]]. Without one, all
    tables are run. Your files change only with --fix. Exit 0: proven, 1: not proven, 2: could not run, or nothing to
    measure.
    """
    if importlib.util.find_spec("torch") is None:
        return _complain(INSTALL)
    try:
        found = _requests(targets, _given(context, options))
        number, count = options["shard"]
        many = Many(**{each.name: options[each.name] for each in fields(Many)})
        if len(found) == 1 and not many.asked:
            return _one(found[0], options["as_json"], options["html"], options["fix"])
        if options["fix"]:
            raise TargetError("--fix takes one target")
        return many.prove(sweep.shard(found, number, count))
    except (TargetError, sweep.SweepError, SaveError) as error:
        return _complain(str(error))


def _complain(line: str) -> int:
    click.echo(line, err=True)
    return 2


def _given(context: click.Context, options: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a request that the command line sets."""
    names = {each.name for each in fields(Request)} & options.keys()
    set_ = {name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    given = {name: options[name] for name in set_}
    return {**given, "dynamic": (True,)} if "dynamic" in given else given


def _requests(targets: Sequence[str], given: Mapping[str, Any]) -> list[Request]:
    """What is asked for: tables by their names or all of them, and targets as they are written.

    Raises:
        TargetError: if there is nothing.
        ConfigError: if the configuration cannot be used.
    """
    found = asked_for(targets, load_settings([Path()]))
    if not found:
        raise TargetError(NO_TARGET)
    return [replace(each, **given) for each in found]


def _one(request: Request, as_json: bool, html: Path | None, fix: bool) -> int:
    """Prove one target, and tell all about it."""
    with status() as progress, Workers() as workers:
        if fix:
            from graphmend_lint.verify.keep import keep_of_target

            return keep_of_target(request, workers, progress, lambda proof: _tell(proof, as_json, html))
        proof = prove(request, workers, progress)
    _tell(proof, as_json, html)
    return proof.outcome.exit_code


def _tell(proof: Proof, as_json: bool, html: Path | None) -> None:
    """Print the verdicts, and write the page."""
    from rich.console import Console

    from graphmend_lint.verify import report

    if as_json:
        json.dump(proof.row(), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        console = Console(highlight=False, width=max(100, Console().width))
        report.show(list(proof.verdicts), proof.timed, str(proof.pair.target), proof.seen(), console)
    if html:
        write_page([proof.row()], html)


def write_page(rows: Sequence[Row], path: Path) -> None:
    """Write the page about some rows.

    Raises:
        TargetError: if it cannot be written.
    """
    from graphmend_lint.verify import html

    try:
        path.write_text(html.page(rows, shown_command()), "utf-8")
    except OSError as error:
        raise TargetError(f"{path}: cannot write the page: {error.strerror or error}") from None


def shown_command() -> str:
    """The command line, as it may be typed again."""
    import shlex

    return shlex.join(["graphmend-lint", *sys.argv[1:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """How several targets are run, and what is told of them."""

    as_json: bool
    html: Path | None
    jobs: int | None
    gpus: str | None
    shard: tuple[int, int]
    ray: bool
    out: Path | None
    resume: bool

    @property
    def asked(self) -> bool:
        """True if the command line speaks of several targets."""
        return bool(self.jobs or self.gpus or self.ray or self.out or self.resume or self.shard != (1, 1))

    def prove(self, requests: Sequence[Request]) -> int:
        """Run them all, and tell the table; the exit code."""
        if self.resume and self.out is None:
            raise sweep.SweepError("--resume needs --out, which holds what is known")
        requests = [replace(each, measure_idle=True) for each in requests]
        store = sweep.Store(self.out, self.resume)
        known = [row for row in store.of(requests) if row is not None]
        with sweep.progress(len(requests), len(known)) as hear:
            finished = sweep.run(requests, self._runner(), store, hear)
        rows = [row for row in store.of(requests) if row is not None]
        self._tell(rows)
        if not finished:
            hint = "" if self.out is None else "; --resume goes on"
            click.echo(f"interrupted: {len(rows)} of {len(requests)} done{hint}", err=True)
            return 130
        return overall(Outcome(row["verdict"]) for row in rows).exit_code if rows else 2

    def _runner(self) -> sweep.Runner:
        gpus = tuple(each.strip() for each in self.gpus.split(",")) if self.gpus else ()
        if not all(gpu.isdigit() for gpu in gpus):
            raise sweep.SweepError(f"--gpus {self.gpus}: write numbers, such as 0,1")
        if self.ray:
            from graphmend_lint.verify.clusters import Ray

            return Ray(self.jobs or 1)
        return sweep.Local(self.jobs or max(1, len(gpus)), gpus)

    def _tell(self, rows: Sequence[Row]) -> None:
        from graphmend_lint.verify import overview

        if self.as_json:
            json.dump(rows, sys.stdout, indent=2)
            sys.stdout.write("\n")
        else:
            overview.show(rows)
        if self.html:
            write_page(rows, self.html)


@click.command()
@click.option("--save", "path", type=click.Path(path_type=Path, dir_okay=False), help="Only write the model there.")
def demo(path: Path | None) -> int:
    """Show diagnostics, fixes and proof on a bundled model. Needs no network and no compiler."""
    from graphmend_lint.verify import demo as story

    return story.save(path) if path else story.run()
