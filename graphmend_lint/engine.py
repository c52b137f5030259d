"""The whole flow on one page: sources, facts, diagnostics, fixes, new sources."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.budget import part
from graphmend_lint.config import Settings
from graphmend_lint.dispatch import Dispatch
from graphmend_lint.facts import Facts
from graphmend_lint.facts.sites import TAKEN
from graphmend_lint.model import Applicability, Diagnostic, Finding, Fix, Severity, TextEdit
from graphmend_lint.options import names, strict
from graphmend_lint.project import Project
from graphmend_lint.region import analyse
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source
from graphmend_lint.suppress import Suppressions

if TYPE_CHECKING:
    from graphmend_lint.rewrite.site import Site

ROUNDS = 10  #: a fix may make room for another, but not for ever


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing led to."""

    sources: tuple[Source, ...]  #: as given, with new text where something was fixed
    applied: int
    diagnostics: list[Diagnostic]  #: what is left


def lint(
    sources: Sequence[Source],
    rules: Iterable[Rule],
    settings: Settings | None = None,
    witness: Callable[[Project], object] | None = None,
    trouble: list[str] | None = None,
) -> list[Diagnostic]:
    """Every diagnostic of the sources that no comment suppresses, by path, position and code.

    `witness` is given the project, which knows what else was read. What cannot be analysed is a line in `trouble`, and
    the rest is; without such a list, what was raised goes on.
    """
    settings = settings or Settings()
    dispatch = Dispatch(rules)
    facts = analyse(sources, settings.entry_points, witness, trouble)
    files = [facts[source.path] for source in sources if source.path in facts]
    for each in files:
        each.side_effects, each.print_op = settings.side_effects, settings.print_op
        each.listed = names(settings.rules)
    found: list[Diagnostic] = []
    for each in files:
        with part(trouble, each.source.path, 1, "rules"):
            found.extend(check(each, unmuted(dispatch, each, settings), settings))
    met = breaks_of_file(settings)
    for each in files:
        with part(trouble, each.source.path, 1, "rules about compile sites"):
            found.extend(check_sites(each, files, met, dispatch, settings))
    return sorted(found, key=lambda each: (str(each.path), each.span.start, each.code))


def unmuted(dispatch: Dispatch, facts: Facts, settings: Settings) -> Dispatch:
    """The rules that the settings want in this file."""
    if not settings.per_file_ignores:
        return dispatch
    return dispatch.only(lambda each: not settings.ignores(facts.source.path, each.code))


def check(facts: Facts, dispatch: Dispatch, settings: Settings) -> Iterator[Diagnostic]:
    """The diagnostics of one file that no comment suppresses."""
    comments, errors_only = Suppressions(facts.source), strict(settings.rules)
    for node in facts.nodes(dispatch.types):
        for rule in dispatch.of(node, facts):
            for finding in rule.check(node, facts):
                if finding.severity is Severity.WARNING and (
                    rule.name in errors_only or _is_taken(finding, rule, facts)
                ):
                    continue
                diagnostic = diagnose(rule, node, finding, facts)
                if not (settings.suppressions and covered(comments, diagnostic)):
                    yield diagnostic


def _is_taken(finding: Finding, rule: Rule, facts: Facts) -> bool:
    """True for a break that is none, since the code is only compiled with `fullgraph=True`."""
    return bool(facts.whole) and not TAKEN.isdisjoint(rule.graph_breaks) and facts.among(facts.whole, finding.node)


def breaks_of_file(settings: Settings) -> Callable[[Facts], list[Diagnostic]]:
    """Every break of a file, whatever is selected or suppressed; found once, however many ask."""
    every, bare = Dispatch(load_rules().values()), replace(settings, suppressions=False, rules=())
    return cache(lambda facts: [found for found in check(facts, every, bare) if found.graph_breaks])


def check_sites(
    facts: Facts,
    files: list[Facts],
    breaks: Callable[[Facts], list[Diagnostic]],
    dispatch: Dispatch,
    settings: Settings,
) -> Iterator[Diagnostic]:
    """The diagnostics about compile sites of one file: what they say hangs on all that is found behind each."""
    asking = unmuted(dispatch, facts, settings).of_type(ast.Module) if facts.sites else ()
    if not asking:
        return
    comments = Suppressions(facts.source)
    for site in (each for each in facts.sites if each.spelled and each.whole is False):
        reached = [each for each in files if each.enters(site.functions)]
        site.breaks = [found for each in reached for found in breaks(each) if each.among(site.functions, found.node)]
    for rule in asking:
        for finding in rule.check(facts.source.tree, facts):
            diagnostic = diagnose(rule, finding.node, finding, facts)
            if not (settings.suppressions and covered(comments, diagnostic)):
                yield diagnostic


def covered(comments: Suppressions, diagnostic: Diagnostic) -> bool:
    """True if a comment suppresses the diagnostic."""
    return comments.covers(diagnostic.span.start.row, diagnostic.span.end.row, diagnostic.code)


def diagnose(rule: Rule, node: ast.AST, finding: Finding, facts: Facts) -> Diagnostic:
    """A finding with everything a reader needs: place, chain, and the fix or the reason why there is none."""
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        message=finding.message,
        path=facts.source.path,
        span=facts.source.span(finding.node),
        severity=finding.severity,
        graph_breaks=rule.graph_breaks,
        chain=facts.chain(finding.node),
        outcome=rule.fix(node, facts) if rule.fix else None,
        node=node,
    )


@lru_cache(maxsize=1)
def _site(source: Source) -> Site:
    """The LibCST side of the file that was asked about last: a report asks once per diagnostic."""
    from graphmend_lint.rewrite import site

    return site.Site(source)


def prepare(source: Source) -> None:
    """Build what fixes of this file are made from, so that `text_edits` and `fix` answer at once."""
    from graphmend_lint.rewrite.site import EditError

    with suppress(EditError):
        _site(source)


def text_edits(source: Source, diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
    """What the fix of one diagnostic changes in the text; nothing if it has none, or none that fits here."""
    from graphmend_lint.rewrite import apply, site

    if diagnostic.fix is None:
        return ()
    try:
        return apply.text_edits(_site(source), diagnostic.fix)
    except (site.EditError, RecursionError):
        return ()


def fix(
    sources: Sequence[Source],
    rules: Sequence[Rule],
    settings: Settings | None = None,
    allow: Applicability = Applicability.SAFE,
    trouble: list[str] | None = None,
) -> Fixed:
    """Apply every fix that is at least as trusted as `allow`, again and again until nothing changes.

    A file that has no fewer diagnostics than before gets its old text back, and its fixes are tried one by one. A file
    whose fixes fail is left as it is, and is a line in `trouble`; without such a list, what was raised goes on.
    """
    settings = settings or Settings()
    trial = Trial(settings, allow, trouble)
    state, found = list(sources), lint(sources, rules, settings, trouble=trouble)
    for _ in range(ROUNDS):
        tried = trial.round(state, found)
        if not trial.open and not trial.steps:
            break
        kept, before, found = tried, found, lint(tried, rules, settings, trouble=trouble)
        if trial.close(state, before, found):
            kept = [trial.failed.get(each.path, each) for each in tried]
            found = lint(kept, rules, settings, trouble=trouble)
        state = kept
    if trial.steps:
        state = [trial.steps[each.path].source if each.path in trial.steps else each for each in state]
        found = lint(state, rules, settings, trouble=trouble)
    return Fixed(tuple(state), trial.applied, found)


Key = tuple[Path, str, str, int]  #: a diagnostic, whatever line it has moved to; the number tells equal ones apart
Kind = tuple[Path, str, str]  #: equal ones, which share their fate


class Step(NamedTuple):
    """A file that fixes have only made room in for another: what it was, and how many diagnostics were found in it."""

    source: Source
    found: int
    keys: list[Key]


@dataclass
class Trial:
    """Which fixes are tried in this round, and which have failed before."""

    settings: Settings
    allow: Applicability
    trouble: list[str] | None = None
    applied: int = 0
    open: dict[Path, list[Key]] = field(default_factory=dict)  #: tried in this round
    opening: set[Key] = field(default_factory=set)  #: those that make room for another
    lessening: set[Key] = field(default_factory=set)  #: those after which fewer calls break
    steps: dict[Path, Step] = field(default_factory=dict)  #: what becomes of them is seen in the next round
    failed: dict[Path, Source] = field(default_factory=dict)  #: files whose last round led nowhere, as they were
    careful: set[Path] = field(default_factory=set)  #: files where one fix is tried at a time
    dropped: set[Kind] = field(default_factory=set)
    closed: set[Path] = field(default_factory=set)  #: files whose fixes raised something

    def round(self, sources: list[Source], found: list[Diagnostic]) -> list[Source]:
        """The sources with all fixes that may be tried now."""
        by_path: dict[Path, list[Diagnostic]] = {}
        for each in found:
            by_path.setdefault(each.path, []).append(each)
        result = list(sources)
        for index, source in enumerate(sources):
            if source.path not in self.closed:
                self.closed.add(source.path)
                with part(self.trouble, source.path, 1, "fixes"):
                    result[index] = self.attempt(source, by_path.get(source.path, []))
                    self.closed.discard(source.path)
        return result

    def attempt(self, source: Source, found: list[Diagnostic]) -> Source:
        """The source with all fixes that may be tried now."""
        self.open.pop(source.path, None)
        while fixes := self._candidates(source, found):
            text, taken = _applied(source, list(fixes.values()))
            keys = [key for key, each in fixes.items() if each in taken]
            if not keys and source.path not in self.careful:
                return source
            if keys and _parses(text):
                self.open[source.path] = keys
                self.opening.update(key for key in keys if fixes[key].opens)
                self.lessening.update(key for key in keys if fixes[key].lessens)
                return Source(source.path, text, source.encoding, source.bom)
            self._give_up(source.path, keys or list(fixes))
        return source

    def close(self, state: list[Source], before: list[Diagnostic], after: list[Diagnostic]) -> bool:
        """True if some file is no better than it was."""
        old, new = Counter(each.path for each in before), Counter(each.path for each in after)
        sources = {each.path: each for each in state}
        self.failed = {}
        for path in {**self.open, **self.steps}:
            keys, step = self.open.get(path, []), self.steps.pop(path, None)
            lesser = step is None and new[path] == old[path] and self.lessening.issuperset(keys)
            if lesser or new[path] < (step.found if step else old[path]):
                self.applied += len(keys) + (len(step.keys) if step else 0)
            elif step is None and self.opening.intersection(keys):
                self.steps[path] = Step(sources[path], old[path], keys)
            else:
                self.failed[path] = step.source if step else sources[path]
                self._give_up(path, keys)
                self.dropped.update(key[:3] for key in self.opening.intersection(step.keys if step else ()))
        return bool(self.failed)

    def _give_up(self, path: Path, keys: list[Key]) -> None:
        self.careful.add(path)
        if len(keys) == 1:
            self.dropped.add(keys[0][:3])

    def _candidates(self, source: Source, found: list[Diagnostic]) -> dict[Key, Fix]:
        fixes: dict[Key, Fix] = {}
        equal: Counter[Kind] = Counter()
        for each in found:
            kind, fix = (each.path, each.code, ast.dump(each.node)), each.fix
            while fix is not None and (kind in self.dropped or fix.applicability < self.allow):
                kind, fix = (*kind[:2], f"{kind[2]} otherwise"), fix.otherwise
            if fix is not None and self.settings.may_fix(each.code):
                fixes[(*kind, equal[kind])] = fix
                equal[kind] += 1
        fixes = {key: each for key, each in fixes.items() if not each.last} or fixes
        if all(each.opens and each.last for each in fixes.values()):
            fixes = {} if source.path in self.steps else dict(list(fixes.items())[:1])
        return dict(list(fixes.items())[:1]) if source.path in self.careful else fixes


def _applied(source: Source, fixes: list[Fix]) -> tuple[str, list[Fix]]:
    from graphmend_lint.rewrite import apply, site

    try:
        return apply.apply(_site(source), fixes)
    except site.EditError:
        return source.text, []


def _parses(text: str) -> bool:
    """True if Python accepts the text. More than parsing: where `return` and `from __future__` stand counts, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<fixed>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
    return True
