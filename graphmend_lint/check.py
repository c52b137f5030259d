"""`graphmend-lint check`: read, lint, fix, report, and the exit code that says how it went."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphmend_lint import budget, engine
from graphmend_lint.config import Options, Settings, wants_color
from graphmend_lint.discover import Discovery, discover
from graphmend_lint.keys import UNUSED
from graphmend_lint.model import Applicability, Diagnostic, Span, TextEdit
from graphmend_lint.project import Project
from graphmend_lint.region import MODULES, may_begin, may_hold
from graphmend_lint.report import Edits, Report, render
from graphmend_lint.report.summary import statistics, summary
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.save import SaveError, save, save_all
from graphmend_lint.source import Source, SourceError, read_bytes, size

if TYPE_CHECKING:
    from graphmend_lint.comments import Unused
    from graphmend_lint.notebook import Notebook
    from graphmend_lint.remember import Remembered
    from graphmend_lint.seen import Seen

CLEAN, FOUND, FAILED = 0, 1, 2
LARGE: Final = 6_000_000  #: bytes, of which the trees take 170 MB; those of more are not kept at once
APART: Final = 1_000_000  #: bytes, from which on parts are linted by several processes, each remembered by itself
STDIN = Path("-")


@dataclass(eq=False, repr=False)
class Run:
    """One run over the paths given. What is wrong with a file is one line in `errors`; the others are linted."""

    paths: tuple[Path, ...]
    settings: Settings
    options: Options
    found: Discovery | None = None  #: the files, if they have been looked for
    remembered: Callable[[], Remembered] | None = None  #: what earlier runs said about parts

    def __post_init__(self) -> None:
        self._brief = False
        self._begin: frozenset[Path] = frozenset()  #: the files in which a region may begin
        self.errors: list[str] = []
        self.trouble: list[str] = []  #: what could not be analysed or fixed
        self.text = ""  #: the report, once it is written
        self.projects: list[Project] = []  #: those that the diagnostics were found in
        self.known: Remembered | None = None  #: what runs said about parts, if this one has any
        self._seen: list[Seen] = []  #: what was looked at, where the project is not kept
        self.fixed = self.removed = 0
        self._notebooks: dict[Path, Notebook] = {}
        self._idle: dict[tuple[Path, Span], Unused] = {}

    def __call__(self) -> int:
        """Do it, and return the exit code."""
        self.settings.check(self._known)
        before = self._read()
        if self.options.add_noqa:
            return self._add_noqa(before)
        after, diagnostics = self._fix(before) if self.options.fixes else (before, self._lint(before))
        self.errors += dict.fromkeys(self.trouble)
        if self.options.unused_suppressions:
            after, diagnostics = self._judge_comments(after, diagnostics)
        if self.options.fixes:
            self._deliver(before, after)
        if not self.options.fix_only and not self.options.diff:
            self._report(self._as_report(after, diagnostics))
        self._complain()
        return self._exit_code(bool(diagnostics) and not self.options.fix_only)

    @property
    def _known(self) -> dict[str, Rule]:
        if not self.options.unused_suppressions:
            return load_rules()
        from graphmend_lint.comments import unused_rule

        return load_rules() | {UNUSED: unused_rule()}

    @cached_property
    def _rules(self) -> list[Rule]:
        return [rule for code, rule in load_rules().items() if self.settings.selects(code)]

    def _read(self) -> list[Source]:
        """The files to lint. In a brief run, one that cannot be parsed may only turn out to be so later."""
        found = self.found or discover((path for path in self.paths if path != STDIN), self.settings)
        self.errors += found.errors
        files = [STDIN, *found.files] if STDIN in self.paths else list(found.files)
        self._brief = self._only_tells() and _is_large(files)
        sources = [source for file in files if (source := self._open(file)) is not None]
        self._begin = self._beginnings(sources)
        if not self._brief:
            return [each for each in sources if self._accept(each)]
        for each in sources:
            each.let_go(headers=True)
        return sources

    def _only_tells(self) -> bool:
        """True if the run only tells what it finds, and changes neither code nor comments."""
        options = self.options
        works = options.fixes or options.add_noqa or options.unused_suppressions
        return not works and self.settings.entry_points == MODULES

    def _beginnings(self, sources: list[Source]) -> frozenset[Path]:
        """The files in which a region may begin; all of them if the settings name functions in which one does.

        In a brief run, those that may define module classes: whether anything is compiled in others is soon seen.
        """
        if not isinstance(self.settings.entry_points, str):
            return frozenset(each.path for each in sources)
        project = Project(sources)
        return frozenset(each.path for each in (may_hold(project) if self._brief else may_begin(project)))

    def _open(self, file: Path) -> Source | None:
        try:
            source = self._source(file)
        except SourceError as error:
            self.errors.append(str(error))
            return None
        if self._brief:
            source.skim()
            source.let_go()
        return source

    def _accept(self, source: Source) -> bool:
        """False, and a line in `errors`, for what is not Python."""
        try:
            source.accept(source.path in self._begin)
        except SourceError as error:
            self.errors.append(str(error))
            return False
        return True

    def _source(self, file: Path) -> Source:
        path = (self.options.stdin_filename or STDIN) if file == STDIN else file
        if path.suffix != ".ipynb":
            return Source.decode(path, sys.stdin.buffer.read()) if file == STDIN else Source.read(file)
        from graphmend_lint.notebook import Notebook  # few runs meet one

        notebook = Notebook(path, sys.stdin.buffer.read() if file == STDIN else read_bytes(file))
        self._notebooks[path] = notebook
        return notebook.source

    def _lint(self, sources: list[Source]) -> list[Diagnostic]:
        if self._brief:
            return self._lint_apart(sources)
        with budget.limits():
            return engine.lint(sources, self._rules, self.settings, self.projects.append, self.trouble)

    def _lint_apart(self, sources: list[Source]) -> list[Diagnostic]:
        """Lint part by part. In a brief run this is where a file may turn out not to be Python."""
        from graphmend_lint.apart import Job, cores, lint
        from graphmend_lint.parts import parts

        job = Job(self.settings, tuple(rule.code for rule in self._rules), self._begin)
        self.known = self.remembered() if self.remembered else None
        said = lint(parts(sources), job, self.options.jobs or cores(), self.known)
        self.trouble += (line for each in said for line in each.lines)
        self._seen += (each.seen for each in said)
        return sorted((found for each in said for found in each.diagnostics), key=engine.order)

    def seen(self) -> Seen:
        """What was looked at beside the files that were linted."""
        from graphmend_lint.seen import seen, together

        return together([seen(self.projects), *self._seen])

    def _fix(self, sources: list[Source]) -> tuple[list[Source], list[Diagnostic]]:
        if self.options.verify:
            return self._fix_proven(sources)
        allow = Applicability.UNSAFE if self.settings.unsafe_fixes else Applicability.SAFE
        with budget.limits():
            fixed = engine.fix(sources, self._rules, self.settings, allow, self.trouble)
        self.fixed = fixed.applied
        return list(fixed.sources), list(fixed.diagnostics)

    def _fix_proven(self, sources: list[Source]) -> tuple[list[Source], list[Diagnostic]]:
        from graphmend_lint.verify.keep import proven  # the verifier, which linting does without

        kept = proven(sources, self.settings, self.options.verify)
        self.fixed = len(kept.kept)
        print("\n".join(kept.lines()) or "no fix to prove", file=sys.stderr)
        return list(kept.sources), self._lint(list(kept.sources))

    def _add_noqa(self, sources: list[Source]) -> int:
        """Write a comment for everything that is found."""
        from graphmend_lint.comments import with_noqa

        found = self._lint(sources)
        self.errors += self.trouble
        for source in sources:
            mine = [each for each in found if each.path == source.path]
            if mine and source.path != STDIN:
                self._save(source, with_noqa(source, mine))
        self._complain()
        count = len(found)
        print(f"Added {count} suppression comment{'' if count == 1 else 's'}.")
        return FAILED if self.errors else CLEAN

    def _judge_comments(
        self, sources: list[Source], diagnostics: list[Diagnostic]
    ) -> tuple[list[Source], list[Diagnostic]]:
        """Report comments that silence nothing, or take them out."""
        from graphmend_lint.comments import diagnose, unused, without

        bare = engine.lint(sources, self._rules, self.settings._replace(suppressions=False), self.projects.append)
        selected = frozenset(rule.code for rule in self._rules)
        result: list[Source] = []
        for source in sources:
            idle = list(unused(source, [each for each in bare if each.path == source.path], selected))
            if self.options.fixes:
                self.removed += len(idle)
                result.append(without(source, idle) if idle else source)
            else:
                self._idle |= {(source.path, each.directive.span): each for each in idle}
                diagnostics = [*diagnostics, *(diagnose(source, each) for each in idle)]
        return result or sources, sorted(diagnostics, key=engine.order)

    def _deliver(self, before: list[Source], after: list[Source]) -> None:
        """Write what changed, or show it."""
        if self.options.verify and not self.options.diff:
            self._save_together(before, after)
            return
        for old, new in zip(before, after, strict=True):
            if self.options.diff:
                sys.stdout.write(self._difference(old, new))
            elif STDIN in self.paths and old is before[0]:
                sys.stdout.buffer.write(self._bytes(old, new))
            elif new.text != old.text:
                self._save(old, new)

    def _bytes(self, old: Source, new: Source) -> bytes:
        notebook = self._notebooks.get(old.path)
        return notebook.written(new.text) if notebook else old.encode(new.text)

    def _difference(self, old: Source, new: Source) -> str:
        """The change as a diff; of a notebook, cell by cell."""
        notebook = self._notebooks.get(old.path)
        if notebook is None:
            return difference(str(old.path), old.text, new.text)
        cells = zip(notebook.parts(old.text), notebook.parts(new.text), strict=True)
        return "".join(difference(str(a.path), f"{a.text}\n", f"{b.text}\n") for a, b in cells)

    def _save_together(self, before: list[Source], after: list[Source]) -> None:
        """What was proven together is written together, or not at all."""
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old.text != new.text]
        try:
            save_all([(old.path, self._bytes(old, new), self._bytes(old, old)) for old, new in changed])
        except (SaveError, UnicodeEncodeError) as error:
            self.errors.append(str(error) if isinstance(error, SaveError) else "cannot encode the fixes")

    def _save(self, old: Source, new: Source) -> None:
        try:
            save(old.path, self._bytes(old, new), self._bytes(old, old))
        except (SaveError, UnicodeEncodeError) as error:
            self.errors.append(str(error) if isinstance(error, SaveError) else f"{old.path}: cannot encode the fix")

    def _as_report(self, sources: list[Source], diagnostics: list[Diagnostic]) -> Report:
        """What to show; of notebooks, each diagnostic and each edit by its cell."""
        by_path = {source.path: source for source in sources}
        layouts = {path: book.layout(by_path[path].text) for path, book in self._notebooks.items() if path in by_path}
        shown = [layouts[each.path].shown(each) if each.path in layouts else each for each in diagnostics]
        found = {id(new): old for new, old in zip(shown, diagnostics, strict=True)}
        cells = {cell.path: cell for path in layouts for cell in self._notebooks[path].parts(by_path[path].text)}

        def edits(diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
            old = found[id(diagnostic)]
            built = self._edits(by_path[old.path], old)
            return tuple(map(layouts[old.path].edit, built)) if old.path in layouts else built

        return self._report_of(tuple(shown), by_path | cells, edits)

    def _report_of(self, diagnostics: tuple[Diagnostic, ...], sources: dict[Path, Source], edits: Edits) -> Report:
        return Report(
            diagnostics=diagnostics,
            sources=sources,
            rules=self._known,
            edits=edits,
            cwd=Path.cwd(),
            output_format=self.settings.output_format,
            errors=tuple(self.errors),
            fixed=self.fixed,
            removed=self.removed,
            unsafe_fixes=self.settings.unsafe_fixes,
            show_chain=self.settings.show_chain,
            show_fixes=self.settings.show_fixes,
            color=self.options.output_file is None and wants_color(),
        )

    def _edits(self, source: Source, each: Diagnostic) -> tuple[TextEdit, ...]:
        idle = self._idle.get((each.path, each.span))
        if idle is None:
            return engine.text_edits(source, each)
        from graphmend_lint.comments import removal

        return (removal(source, idle),)

    def _report(self, report: Report) -> None:
        text = statistics(report) if self.options.statistics else render(report)
        if not self.options.quiet and self.settings.output_format in ("full", "concise"):
            text += f"{line}\n" if (line := summary(report)) else ""
        self.text = text
        if self.options.output_file:
            self.options.output_file.write_text(text, encoding="utf-8")
        else:
            out = sys.stderr if STDIN in self.paths and self.options.fixes else sys.stdout
            out.write(text)

    def _complain(self) -> None:
        sys.stdout.flush()
        for line in self.errors:
            print(line, file=sys.stderr)

    def _exit_code(self, found: bool) -> int:
        if self.errors:
            return FAILED
        changed = self.fixed + self.removed
        if self.options.diff:
            return FOUND if changed and not self.options.exit_zero else CLEAN
        if changed and self.options.exit_non_zero_on_fix:
            return FOUND
        return FOUND if found and not self.options.exit_zero else CLEAN


def _is_large(files: list[Path]) -> bool:
    """True for so much text that not all trees are kept, or that linting part by part is worth it."""
    total = sum(map(size, files))
    if not LARGE >= total > APART:
        return total > LARGE
    from graphmend_lint.parts import is_divisible

    return is_divisible(files)


def difference(name: str, old: str, new: str) -> str:
    """A unified diff; empty if nothing changed."""
    if old == new:
        return ""
    from moreorless import unified_diff

    return unified_diff(old, new, name)


def show_files(paths: Iterable[Path], settings: Settings) -> int:
    """Print the files that would be linted."""
    found = discover(paths, settings)
    sys.stdout.writelines(f"{file}\n" for file in found.files)
    sys.stderr.writelines(f"{line}\n" for line in found.errors)
    return FAILED if found.errors else CLEAN
