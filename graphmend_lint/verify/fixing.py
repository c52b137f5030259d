"""What the linter says of a target's sources, and what they become when chosen fixes are applied."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphmend_lint import engine
from graphmend_lint.config import Settings, load_settings
from graphmend_lint.model import Applicability, Diagnostic, Fix, Refusal
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source
from graphmend_lint.verify.target import Target, returned_function

Key = tuple[str, str, str]  #: path, code and statement of a fix, whatever line it has moved to
Texts = dict[Path, str]


@dataclass(frozen=True, slots=True)
class Offer:
    """A fix that may be applied."""

    key: Key
    code: str
    title: str
    path: Path
    row: int  #: in the text that it was offered for
    safe: bool
    caveat: str  #: what may change, if it is not safe

    def __str__(self) -> str:
        return f"{self.path}:{self.row}: {self.code} {self.title}"


def anything(_: Key) -> bool:
    return True


class Offers:
    """Wraps rules so that their fixes are noted, and unwanted ones withheld."""

    def __init__(self, allow: Applicability, wanted: Callable[[Key], bool] = anything) -> None:
        self.found: dict[Key, Offer] = {}
        self._allow = allow
        self._wanted = wanted

    def rule(self, rule: Rule, settings: Settings) -> Rule:
        """The rule, with an ear on its fixer."""
        inner = rule.fix
        if inner is None or not settings.may_fix(rule.code):
            return rule

        def fix(node: Any, facts: Any) -> Fix | Refusal:
            outcome = inner(node, facts)
            if isinstance(outcome, Refusal) or outcome.applicability < self._allow:
                return outcome
            key = (str(facts.source.path), rule.code, ast.dump(node))
            if not self._wanted(key):
                return Refusal("not-proven", "this fix is not among those that are proven")
            safe = outcome.applicability is Applicability.SAFE
            row = facts.source.span(node).start.row
            offer = Offer(key, rule.code, outcome.title, facts.source.path, row, safe, outcome.caveat)
            self.found.setdefault(key, offer)
            return outcome

        return replace(rule, fix=fix)


def fixed(
    sources: Sequence[Source],
    settings: Sequence[Settings],
    allow: Applicability,
    wanted: Callable[[Key], bool] = anything,
) -> tuple[tuple[Source, ...], tuple[Offer, ...]]:
    """The sources after the wanted fixes, and those fixes; with several settings, one after the other."""
    offers, state = Offers(allow, wanted), tuple(sources)
    for each in settings:
        rules = [offers.rule(rule, each) for rule in rules_of(each)]
        state = engine.fix(state, rules, each, allow).sources
    return state, tuple(offers.found.values())


def linted(sources: Sequence[Source], settings: Sequence[Settings]) -> list[Diagnostic]:
    """What the linter says, once for each place."""
    found = (each for chosen in settings for each in engine.lint(sources, rules_of(chosen), chosen))
    return list({(each.path, each.span, each.code): each for each in found}.values())


def rules_of(settings: Settings) -> list[Rule]:
    return [rule for code, rule in load_rules().items() if settings.selects(code)]


def settings_of(target: Target, sources: Sequence[Source]) -> Iterator[Settings]:
    """The configured settings; then, if the factory gives a plain function, those that enter this function."""
    settings = load_settings([source.path for source in sources])
    yield settings
    yield from entries(target, sources, settings)


def entries(target: Target, sources: Sequence[Source], settings: Settings) -> Iterator[Settings]:
    """Settings that enter the plain function which the factory gives, if it gives one."""
    text = next((source for source in sources if source.path == target.path), None)
    name = returned_function(text.tree, target.factory) if text else None
    if name is not None:
        module = target.module if target.packaged else target.path.stem
        yield settings._replace(entry_points=(f"{module}:{name}",))


def why_idle(diagnostics: Sequence[Diagnostic]) -> str:
    """Why the linter has nothing to prove, with the reasons of its refusals."""
    if not diagnostics:
        return "linting finds no graph break here; `graphmend-lint trace` asks torch, --fix-modules adds modules"
    refused = Counter(each.refusal.reason if each.refusal else "no safe fix" for each in diagnostics)
    reasons = ", ".join(f"{reason} ({count})" for reason, count in refused.most_common())
    return f"no fix to prove for {len(diagnostics)} diagnostics: {reasons}"


def parsed(path: Path) -> Source:
    """A source that is known to parse.

    Raises:
        SourceError: if it cannot be read or parsed.
    """
    source = Source.read(path)
    source.tree  # noqa: B018 - parsed now, so that an error is a line about this file
    return source


def as_sources(texts: Mapping[Path, str]) -> list[Source]:
    return [Source(path, text) for path, text in texts.items()]
