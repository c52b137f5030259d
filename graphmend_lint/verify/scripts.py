"""The commands `trace` and `run`: a whole script, with its real breaks told, or with fixes applied in memory."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from graphmend_lint import engine
from graphmend_lint.config import load_settings, wants_color
from graphmend_lint.keys import FORMATS
from graphmend_lint.model import Applicability, Diagnostic, Position, Refusal, Severity, Span, TextEdit
from graphmend_lint.report import Report, render
from graphmend_lint.report.summary import summary
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source, SourceError
from graphmend_lint.verify.attribution import Attribution, claimed_by
from graphmend_lint.verify.report import shown
from graphmend_lint.verify.target import TargetError, module_files

INSTALL = 'this needs torch: pip install "graphmend-lint[verify]"'
TOLERATED = frozenset({"GB0033", "GB0036", "GB0124"})  #: `fullgraph=True` captures these instead of breaking
_SCRIPT = click.Path(path_type=Path, exists=True, dir_okay=False)
_ARGUMENTS: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": False}

Break = dict[str, Any]


@click.command(context_settings=_ARGUMENTS)
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True)
@click.argument("script", type=_SCRIPT)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def trace(script: Path, arguments: tuple[str, ...], output_format: str) -> int:
    """Run a script, and report every graph break that Dynamo meets in it, as diagnostics.

    What the script prints goes to standard error. Exit 0: no break, 1: breaks, 2: the script failed.
    """
    if importlib.util.find_spec("torch") is None:
        return _complain(INSTALL)
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        result = Path(folder) / "rows.json"
        job = {"script": str(script), "overlay": {}, "result": str(result)}
        code = _start(job, Path(folder), arguments, sys.stderr)
        rows = [json.loads(line) for line in result.read_text("utf-8").splitlines()] if result.exists() else []
    breaks = [row for row in rows if row["kind"] == "breaks"]
    click.echo(_rendered(breaks, script, output_format), nl=False)
    for row in rows:
        if row["kind"] == "recompiles":
            place = f"{shown(row['path'])}:{row['line']}"
            click.echo(f"{place}: `{row['function']}` is compiled again: {row['reason']}", err=True)
    if code:
        return _complain(f"{script}: ended with exit code {code}")
    return 1 if breaks else 0


@click.command(context_settings=_ARGUMENTS)
@click.option("--fix-modules", multiple=True, metavar="MODULE", help="Fix this module or package too.")
@click.option("--unsafe-fixes", is_flag=True, help="Apply fixes that may change something too.")
@click.argument("script", type=_SCRIPT)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(script: Path, arguments: tuple[str, ...], fix_modules: tuple[str, ...], unsafe_fixes: bool) -> int:
    """Run a script with fixes applied in memory, to it and to the modules that are named. No file changes.

    The exit code is the script's.
    """
    roots = (script.resolve().parent,)
    try:
        paths = [script.resolve(), *(path for name in fix_modules for path in module_files(name, roots))]
        sources = [_parsed(path) for path in dict.fromkeys(paths)]
    except TargetError as error:
        return _complain(str(error))
    fixed = _fix(sources, Applicability.UNSAFE if unsafe_fixes else Applicability.SAFE)
    overlay = {str(new.path): new.text for old, new in zip(sources, fixed, strict=True) if old.text != new.text}
    for name in overlay:
        click.echo(f"fixed in memory: {name}", err=True)
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-") as folder:
        return _start({"script": str(script), "overlay": overlay}, Path(folder), arguments, None)


def _complain(line: str) -> int:
    click.echo(line, err=True)
    return 2


def _parsed(path: Path) -> Source:
    source = Source.read(path)
    source.tree  # noqa: B018 - parsed now, so that an error is a line about this file
    return source


def _fix(sources: Sequence[Source], allow: Applicability) -> tuple[Source, ...]:
    settings = load_settings([source.path for source in sources])
    rules = [rule for code, rule in load_rules().items() if settings.selects(code)]
    return engine.fix(sources, rules, settings, allow).sources


def _start(job: Mapping[str, Any], folder: Path, arguments: Iterable[str], stdout: Any) -> int:
    """Run the job's script in a child; its exit code, as a shell gives it."""
    path = folder / "job.json"
    path.write_text(json.dumps(job), "utf-8")
    sys.stdout.flush()
    command = [sys.executable, "-m", "graphmend_lint.verify.script", str(path), *arguments]
    code = subprocess.run(command, stdout=stdout, check=False).returncode
    return code if code >= 0 else 128 - code


def _rendered(breaks: list[Break], script: Path, output_format: str) -> str:
    """The breaks, one for each site, in the linter's format."""
    sites = {(row["path"], row["line"], row["gb_type"]): row for row in breaks}
    files = {Path(name) for row in breaks for name in row["files"]} | {script}
    sources = {source.path: source for path in sorted(files) if (source := _readable(path)) is not None}
    rules = load_rules()
    attribution = Attribution(engine.lint(list(sources.values()), list(rules.values())))
    found = [_diagnostic(row, attribution, sources) for row in sites.values() if Path(row["path"]) in sources]
    report = Report(
        diagnostics=tuple(sorted(found, key=lambda each: (str(each.path), each.span.start))),
        sources=sources,
        rules=rules,
        edits=lambda diagnostic: _edits(sources[diagnostic.path], diagnostic),
        cwd=Path.cwd(),
        output_format=output_format,
        color=wants_color(),
    )
    line = summary(report) if output_format in ("full", "concise") else ""
    return render(report) + (f"{line}\n" if line else "")


def _readable(path: Path) -> Source | None:
    try:
        return _parsed(path)
    except SourceError:
        return None


def _edits(source: Source, diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
    return engine.text_edits(source, diagnostic)


def _diagnostic(row: Break, attribution: Attribution, sources: Mapping[Path, Source]) -> Diagnostic:
    """A break that was met, with what the linter knows of its place."""
    found, path = attribution.diagnostic(row), Path(row["path"])
    gb_id = row["gb_id"]
    severity = Severity.WARNING if gb_id in TOLERATED else Severity.ERROR
    return Diagnostic(
        code=found.code if found else gb_id or row["gb_type"],
        name=found.name if found else re.sub(r"\W+", "-", row["gb_type"].lower()).strip("-"),
        message=f"{row['gb_type']}: {row['reason']}",
        path=path,
        span=found.span if found else _line_span(sources[path], row["line"]),
        severity=found.severity if found else severity,
        graph_breaks=(gb_id,) if gb_id else (),
        chain=found.chain if found else (),
        outcome=found.outcome if found else _unseen(row),
        node=found.node if found else ast.Pass(),
    )


def _unseen(row: Break) -> Refusal:
    name, codes = row["gb_id"] or row["gb_type"], claimed_by(row["gb_id"])
    if codes:
        return Refusal("not-found-by-linting", f"{', '.join(codes)} could claim {name} here")
    return Refusal("no-rule", f"no rule claims {name}")


def _line_span(source: Source, row: int) -> Span:
    line = source.lines[row - 1].rstrip() if 0 < row <= len(source.lines) else ""
    start = len(line) - len(line.lstrip())
    return Span(Position(row, start + 1), Position(row, len(line) + 1))
