"""Lints and fixes every file given, and counts what must never happen.

    python -m tests.reliability PATH... [--budget SECONDS] [--alone | --together] [--every N]

Nothing is written. Each file is taken alone first, with every function and method as an entry point and every fix
allowed. Then the files of each PATH are taken together, as `graphmend-lint PATH --fix --unsafe-fixes` would. Counted as
failures: exceptions, a process that dies, more than `--budget` seconds; a file refused that Python reads, or read that
Python refuses; fixed text that does not parse, that a second run changes again, or that differs from the old one in
lines outside the functions where something was found or that a fix edits; and a file with fixes whose result is another
one in another layout, one of: CRLF, byte-order mark, no newline at the end, form feeds, tabs, Latin-1. Exit status 1 if
there is any.
"""

from __future__ import annotations

import argparse
import ast
import codecs
import difflib
import gc
import multiprocessing
import re
import resource
import sys
import time
import traceback
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from graphmend_lint import budget, engine
from graphmend_lint.config import Settings
from graphmend_lint.model import Applicability, Diagnostic
from graphmend_lint.rewrite import apply  # noqa: F401 - loaded before the children begin
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source, SourceError

HANG: Final = 600.0  #: seconds after which a process that says nothing is taken to hang
NOWHERE: Final = Path("/nowhere")  #: a file taken alone finds nothing to import
COOKIE: Final = "# -*- coding: latin-1 -*-\n"
INDENT: Final = re.compile(r"^(?:    )+", re.MULTILINE)
BOM: Final = codecs.BOM_UTF8.decode()


@dataclass
class Tally:
    """What a run counted; failures are lines."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: list[tuple[float, str]] = field(default_factory=list)  #: seconds, name

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.failures += other.failures
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:5]


# One file


def read(path: Path, tally: Tally) -> Source | None:
    """The file; None if it is refused. Python must refuse the same ones."""
    try:
        data = path.read_bytes()
    except OSError:
        tally.counts["unreadable"] += 1
        return None
    return decoded(path, data, tally)


def decoded(path: Path, data: bytes, tally: Tally) -> Source | None:
    """The source in these bytes; None if they are refused."""
    accepted = python_reads(data)
    try:
        source = Source.decode(path, data)
        source.tree  # noqa: B018 - parsed here
    except SourceError as error:
        tally.counts["refused"] += 1
        if accepted:
            tally.failures.append(f"{error}: refused, but Python reads it")
        elif "\n" in str(error):
            tally.failures.append(f"{path}: refused in more than one line")
        return None
    if not accepted:
        tally.failures.append(f"{path}: read, but Python refuses it")
    if source.encode(source.text) != data:
        tally.failures.append(f"{path}: reading and writing changes the file")
    return source


def python_reads(data: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
            return False
    return True


def entry_points(source: Source) -> tuple[str, ...]:
    """Every function and method of the module's top level."""
    names = []
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            names += [f"{node.name}.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)]
    return tuple(f"{source.path.stem}:{name}" for name in names)


def alone(path: Path) -> Tally:
    """One file, every function an entry point; if it has fixes, in another layout, too."""
    tally = Tally(Counter(files=1))
    source = read(path, tally)
    if source is None:
        return tally
    tally.counts["lines"] += len(source.lines)
    source = replace(source, path=NOWHERE / (path.name if path.stem != "__init__" else f"{path.parent.name}.py"))
    settings = Settings(entry_points=entry_points(source) or "modules")
    try:
        found = Judge(settings, tally).fix([source], {source.path: str(path)})
    except (Exception, budget.OverBudget) as error:
        tally.failures.append(f"{path}: {_described(error)}")
        return tally
    if found[0].text != source.text:
        _in_another_layout(source, found[0], settings, str(path), tally)
    return tally


def together(paths: Sequence[Path]) -> Tally:
    """Files as one program, with the settings that a run has by default."""
    tally = Tally(Counter(programs=1, files=len(paths)))
    sources = [source for path in paths if (source := read(path, Tally())) is not None]
    Judge(Settings(), tally, []).fix(sources, {source.path: str(source.path) for source in sources})
    return tally


# What must hold


@dataclass
class Judge:
    """Fixes sources in every way and writes down what is wrong with the result."""

    settings: Settings
    tally: Tally
    trouble: list[str] | None = None  #: with one, a file that fails does not keep the others from being fixed

    def fix(self, sources: list[Source], names: dict[Path, str]) -> list[Source]:
        """The sources after all fixes."""
        rules = list(load_rules().values())
        found = engine.lint(sources, rules, self.settings, trouble=self.trouble)
        self.tally.counts["diagnostics"] += len(found)
        if not any(each.fix for each in found):
            self.tally.failures += dict.fromkeys(self.trouble or ())
            return sources
        once = engine.fix(sources, rules, self.settings, Applicability.UNSAFE, self.trouble)
        self.tally.counts["fixes"] += once.applied
        fixed = list(once.sources)
        twice = engine.fix(fixed, rules, self.settings, Applicability.UNSAFE, self.trouble)
        self.tally.failures += dict.fromkeys(self.trouble or ())
        for old, new, again in zip(sources, fixed, twice.sources, strict=True):
            if new.text != old.text:
                self.tally.counts["fixed files"] += 1
                mine = [each for each in found if each.path == old.path]
                self.tally.failures += [f"{names[old.path]}: {what}" for what in wrong(old, new, again, mine)]
        return fixed


def wrong(old: Source, new: Source, again: Source, found: list[Diagnostic]) -> Iterator[str]:
    """What is wrong with a file that was fixed."""
    if not python_reads(new.encode(new.text)):
        yield "the fixed text does not parse"
        return
    if again.text != new.text:
        yield "fixing twice is not fixing once"
    if not line_ends(new.text) <= line_ends(old.text):
        yield "new kinds of line ends"
    if old.text.endswith("\n") != new.text.endswith("\n"):
        yield "the newline at the end"
    yield from (f"line {row} changed, but nothing was found there" for row in changed_outside(old, new, found))


def line_ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n|\r|\n", text))


def changed_outside(old: Source, new: Source, found: list[Diagnostic]) -> Iterator[int]:
    """Rows that were changed or removed outside the functions in which something was found, or that a fix edits."""
    matcher = difflib.SequenceMatcher(None, old.lines, new.lines, autojunk=False)
    blocks = [block for block in matcher.get_opcodes() if block[0] in ("replace", "delete")]
    changed = {row for _, start, end, _, _ in blocks for row in range(start + 1, end + 1)}
    changed -= _functions_with(old, {each.span.start.row for each in found})
    if changed:  # seldom, and the edits of each fix take time
        edits = [edit.span for each in found for edit in engine.text_edits(old, each)]
        changed -= _functions_with(old, {row for span in edits for row in (span.start.row, span.end.row)})
    yield from sorted(changed)


def _functions_with(source: Source, rows: set[int]) -> set[int]:
    """All rows of the outermost functions that hold one of the rows, or of its statement outside any."""
    found: set[int] = set()
    stack: list[ast.stmt] = list(source.tree.body)
    while stack:
        node = stack.pop()
        first, last = node.lineno, node.end_lineno or node.lineno
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            inner := [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
        ):
            stack += inner
        elif any(first <= row <= last for row in rows):
            found.update(range(first, last + 1))
    return found


# Layouts


@dataclass(frozen=True)
class Layout:
    """Another way to write the same program; what is fixed must be the same in it."""

    name: str
    of: Callable[[str], str]
    key: Callable[[str], str] = lambda text: text  #: what is compared
    encoding: str = "utf-8"
    bom: bool = False


def _without_space(text: str) -> str:
    return "".join(text.split())


def _without_rows(text: str) -> str:
    """Names that a fix makes may end in the row of what it is for."""
    return re.sub(r"(?<=_)\d+(?=_|\b)", "", text)


LAYOUTS: Final = (
    Layout("CRLF", lambda text: text.replace("\n", "\r\n")),
    Layout("byte-order mark", lambda text: text, bom=True),
    Layout("no newline at the end", lambda text: text.rstrip("\n")),
    Layout("form feeds", lambda text: text.replace("\nclass ", "\n\f\nclass "), _without_space),
    Layout("tabs", lambda text: INDENT.sub(lambda found: "\t" * (len(found[0]) // 4), text), lambda _: ""),  # narrower
    Layout("Latin-1", lambda text: COOKIE + text, encoding="iso-8859-1"),
)


def _in_another_layout(old: Source, new: Source, settings: Settings, name: str, tally: Tally) -> None:
    rules = list(load_rules().values())
    layout = LAYOUTS[zlib.crc32(name.encode()) % len(LAYOUTS)]
    source = Source(old.path, layout.of(old.text), layout.encoding, layout.bom)
    if "\r" in old.text or not python_reads(_bytes(source)):
        return
    fixed = engine.fix([source], rules, settings, Applicability.UNSAFE).sources[0]
    tally.counts[f"with {layout.name}"] += 1
    if not python_reads(_bytes(fixed)):
        tally.failures.append(f"{name}: with {layout.name}, the fixed text does not parse")
    elif layout.key(_without_rows(fixed.text)) != layout.key(_without_rows(layout.of(new.text))):
        tally.failures.append(f"{name}: with {layout.name}, another fix")


def _bytes(source: Source) -> bytes:
    try:
        return source.encode(source.text)
    except UnicodeEncodeError:
        return b"\0"  # not text in this encoding: Python does not read it, either


# Child processes


def serve(ours: Connection, connection: Connection, work: Callable[[Path], Tally], paths: Sequence[Path]) -> None:
    """Do the work on each path and send what it counted."""
    ours.close()  # so that the end of the parent is noticed
    gc.disable()
    gc.freeze()
    with budget.limits():
        for number, path in enumerate(paths):
            start = time.process_time()
            try:
                with budget.part(None, path, 1, ""):
                    tally = work(path)
            except (Exception, budget.OverBudget) as error:
                tally = Tally(Counter(files=1), [f"{path}: {_described(error)}"])
            tally.slowest = [(time.process_time() - start, str(path))]
            connection.send(tally)
            if number % 20 == 19:
                gc.collect()
                gc.freeze()  # what is cached need not be looked at again
    connection.close()


def _described(error: BaseException) -> str:
    if isinstance(error, budget.OverBudget):
        return f"given up after {budget.SECONDS:g} s of CPU time"
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


def guarded(work: Callable[[Path], Tally], paths: Sequence[Path], seconds: float) -> Iterator[Tally]:
    """What each path counts. One that kills its process, or hangs in it, is a failure, and the next ones go on."""
    done = 0
    while done < len(paths):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(target=serve, args=(ours, theirs, work, paths[done:]))
        child.start()
        theirs.close()
        for path in paths[done:]:
            done += 1
            answer = _answer(ours, seconds)
            yield answer or Tally(Counter(files=1), [f"{path}: {_end_of(child, seconds)}"])
            if answer is None:
                break
        child.join()


def _answer(ours: Connection, seconds: float) -> Tally | None:
    """What the child sends; None if it does not in time, or is dead."""
    try:
        answer = ours.recv() if ours.poll(seconds) else None
    except EOFError:
        return None
    assert answer is None or isinstance(answer, Tally)
    return answer


def _end_of(child: multiprocessing.process.BaseProcess, seconds: float) -> str:
    """How it went with a child that sent nothing."""
    child.join(1)  # it may be on its way out
    if child.exitcode is not None:
        return f"the process died ({child.exitcode})"
    child.kill()
    return f"not done after {seconds:g} s"


# The command


def python_files(path: Path) -> list[Path]:
    """A file, or the Python files below a folder; links are not followed."""
    return [path] if path.is_file() else sorted(each for each in path.rglob("*.py") if each.is_file())


def report(tally: Tally) -> None:
    print(", ".join(f"{count:,} {what}" for what, count in tally.counts.items()))
    print("slowest: " + ", ".join(f"{seconds:.1f} s {name}" for seconds, name in tally.slowest))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{len(tally.failures)} failures; largest process {peak:,.0f} MB", flush=True)


def run(name: str, tallies: Iterable[Tally]) -> Tally:
    print(f"-- {name}", flush=True)
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
        for line in tally.failures:
            print(f"FAILED {line}", flush=True)
        if tally.counts["programs"]:
            print(f"{tally.counts['files']:>7,} files, {tally.slowest[0][0]:5.0f} s {tally.slowest[0][1]}", flush=True)
    report(whole)
    return whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", help="files, or folders such as installed packages")
    parser.add_argument("--budget", type=float, default=60, help="seconds of CPU time for one part of the work")
    parser.add_argument("--every", type=int, default=1, help="of the files taken alone, only every so many")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--alone", action="store_true", help="only file by file")
    which.add_argument("--together", action="store_true", help="only whole programs")
    options = parser.parse_args()
    missing = [str(path) for path in options.paths if not path.exists()]
    if missing:
        raise SystemExit(f"no such file or folder: {', '.join(missing)}")
    budget.SECONDS = options.budget
    load_rules()  # before the children begin: the program may be worked on meanwhile
    failures = 0
    if not options.together:
        files = [file for path in options.paths for file in python_files(path)][:: options.every]
        failures += len(run("each file alone", guarded(alone, files, HANG)).failures)
    if not options.alone:
        done = guarded(lambda path: together(python_files(path)), options.paths, HANG * 10)
        failures += len(run("the files of each PATH together", done).failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
