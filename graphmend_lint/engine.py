"""The whole flow on one page: sources, facts, diagnostics, fixes, new sources."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.budget import part
from graphmend_lint.config import Settings
from graphmend_lint.dispatch import Dispatch
from graphmend_lint.facts import Facts
from graphmend_lint.facts.sites import TAKEN
from graphmend_lint.model import Applicability, Diagnostic, Finding, Position, Severity, TextEdit
from graphmend_lint.options import names, strict
from graphmend_lint.project import Project
from graphmend_lint.region import final_facts
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source
from graphmend_lint.suppress import Suppressions
from graphmend_lint.syntax import forget

if TYPE_CHECKING:
    from graphmend_lint.brief import Brief

ROUNDS = 30  #: a fix may make room for another, but not for ever


class Fixed(NamedTuple):
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

    `witness` is given the projects, which know what else was read. What cannot be analysed is a line in `trouble`, and
    the rest is; without such a list, what was raised goes on.
    """
    chosen = list(rules)
    found = [each for some in _parts(sources) for each in lint_part(some, chosen, settings, witness, trouble)]
    return sorted(found, key=order)


def order(each: Diagnostic) -> tuple[str, Position, str]:
    """By path, position and code."""
    return str(each.path), each.span.start, each.code


def _parts(sources: Sequence[Source]) -> Sequence[Sequence[Source]]:
    if len(sources) < 2:
        return [sources]
    from graphmend_lint.parts import parts  # most runs are over one file

    return parts(sources)


def lint_part(
    sources: Sequence[Source],
    rules: Iterable[Rule],
    settings: Settings | None = None,
    witness: Callable[[Project], object] | None = None,
    trouble: list[str] | None = None,
    brief: Brief | None = None,
) -> list[Diagnostic]:
    """The diagnostics of sources that are all of one part, file by file. A `brief` run drops what fixes need."""
    forget()
    settings = settings or Settings()
    dispatch = Dispatch(rules)
    found: list[Diagnostic] = []
    files: list[Facts] = []
    for each in final_facts(sources, settings.entry_points, witness, trouble, brief and brief.modules):
        each.side_effects, each.print_op = settings.side_effects, settings.print_op
        each.listed = names(settings.rules)
        with part(trouble, each.source.path, 1, "rules"):
            found += _told(check(each, unmuted(dispatch, each, settings), settings), each.source, brief)
        if each.lasting:
            files.append(each)
        elif brief:
            brief.leave(each)
    met = breaks_of_file(settings)
    for each in files:
        with part(trouble, each.source.path, 1, "rules about compile sites"):
            found += _told(check_sites(each, files, met, dispatch, settings), each.source, brief)
    return found


def _told(found: Iterator[Diagnostic], source: Source, brief: Brief | None) -> Iterator[Diagnostic]:
    """The diagnostics of one file; after a `brief` run, as what is kept of them when the tree is let go of."""
    return (brief.told(each, source) for each in found) if brief else found


def unmuted(dispatch: Dispatch, facts: Facts, settings: Settings) -> Dispatch:
    """The rules that the settings ask for in this file."""
    if not settings.per_file_ignores:
        return dispatch
    return dispatch.only(lambda each: not settings.ignores(facts.source.path, each.code))


def check(facts: Facts, dispatch: Dispatch, settings: Settings) -> Iterator[Diagnostic]:
    """The diagnostics of one file that no comment suppresses."""
    comments, errors_only = Suppressions(facts.source), strict(settings.rules)
    for node, rule, finding in _findings(facts, dispatch):
        if finding.severity is Severity.WARNING and (rule.name in errors_only or _is_taken(finding, rule, facts)):
            continue
        diagnostic = diagnose(rule, node, finding, facts)
        if not (settings.suppressions and covered(comments, diagnostic)):
            yield diagnostic


def _findings(facts: Facts, dispatch: Dispatch) -> Iterator[tuple[ast.AST, Rule, Finding]]:
    """What each rule finds in a file, with the node that it was asked about."""
    for node in facts.nodes(dispatch.types):
        for rule in dispatch.of(node, facts):
            yield from ((node, rule, finding) for finding in rule.check(node, facts))


def _is_taken(finding: Finding, rule: Rule, facts: Facts) -> bool:
    """True for a warning about code that is only compiled with `fullgraph=True`, which takes it without a break."""
    return bool(facts.whole) and not TAKEN.isdisjoint(rule.graph_breaks) and facts.among(facts.whole, finding.node)


def breaks_of_file(settings: Settings) -> Callable[[Facts], list[Diagnostic]]:
    """A function for every break of a file, whatever is selected or suppressed; it remembers its answers."""
    every, bare = Dispatch(load_rules().values()), settings._replace(suppressions=False, rules=())
    return cache(lambda facts: [found for found in check(facts, every, bare) if found.graph_breaks])


def check_sites(
    facts: Facts,
    files: list[Facts],
    breaks: Callable[[Facts], list[Diagnostic]],
    dispatch: Dispatch,
    settings: Settings,
) -> Iterator[Diagnostic]:
    """The diagnostics about the compile sites of one file. They depend on every break that is behind a site."""
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


def prepare(source: Source) -> None:
    """Build what fixes of this file are made from, so that `text_edits` and `fix` answer at once."""
    from graphmend_lint.rewrite import site

    with suppress(site.EditError):
        site.site_of(source)


def text_edits(source: Source, diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
    """What the fix of one diagnostic changes in the text; nothing if it has none, or none that fits here."""
    from graphmend_lint.rewrite import apply, site
    from graphmend_lint.said import Written

    if diagnostic.fix is None:
        return ()
    if isinstance(diagnostic.fix.edits, Written):
        return diagnostic.fix.edits.edits
    try:
        return apply.text_edits(site.site_of(source), diagnostic.fix)
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
    from graphmend_lint.trial import Trial

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
