"""Which fixes a round tries, and which are given up because they make a file no better."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from graphmend_lint.budget import part
from graphmend_lint.config import Settings
from graphmend_lint.model import Applicability, Diagnostic, Fix
from graphmend_lint.source import Source

Key = tuple[Path, str, str, int]  #: a diagnostic, whatever line it has moved to; the number tells equal ones apart
Kind = tuple[Path, str, str]  #: equal ones, which share their fate


class Step(NamedTuple):
    """A file in which fixes only opened the way for others."""

    source: Source  #: as it was
    found: int  #: diagnostics before
    left: int  #: diagnostics with the way open
    keys: list[Key]

    def gain(self, left: int) -> int:
        """How many diagnostics are gone by now; none unless some went after the way was open."""
        return self.found - left if left < self.left else 0


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
    stepwise: set[Path] = field(default_factory=set)  #: files where one that makes room is tried at a time
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
        old, new, all_old, all_new = _breaks(before), _breaks(after), _all(before), _all(after)
        sources = {each.path: each for each in state}
        self.failed = {}
        for path in {**self.open, **self.steps}:
            keys, step = self.open.get(path, []), self.steps.pop(path, None)
            opened = self.opening.intersection(step.keys if step else keys)
            gain = step.gain(new[path]) if step else max(old[path] - new[path], all_old[path] - all_new[path])
            lesser = step is None and gain == 0 and self.lessening.issuperset(keys)
            if step is None and opened:
                self.steps[path] = Step(sources[path], old[path], new[path], keys)
            elif lesser or gain >= max(1, len(opened)):
                self.applied += len(keys) + (len(step.keys) if step else 0)
            elif step is not None and gain > 0:
                self.failed[path] = step.source
                self.stepwise.add(path)
            else:
                self.failed[path] = step.source if step else sources[path]
                self._give_up(path, keys)
                self.dropped.update(key[:3] for key in opened)
        return bool(self.failed)

    def _give_up(self, path: Path, keys: list[Key]) -> None:
        self.careful.add(path)
        if len(keys) == 1:
            self.dropped.add(keys[0][:3])

    def _candidates(self, source: Source, found: list[Diagnostic]) -> dict[Key, Fix]:
        """The fixes that may be tried for a file now, by what tells them apart."""
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
        if source.path in self.steps:
            fixes = {key: each for key, each in fixes.items() if each.opens or not each.last}
        fixes = {key: each for key, each in fixes.items() if not each.opens} or fixes
        if all(each.opens for each in fixes.values()):
            one = source.path in self.stepwise or all(each.last for each in fixes.values())
            fixes = {} if source.path in self.steps else _first(fixes) if one else fixes
        return _first(fixes) if source.path in self.careful else fixes


def _all(found: list[Diagnostic]) -> Counter[Path]:
    return Counter(each.path for each in found)


def _breaks(found: list[Diagnostic]) -> Counter[Path]:
    """The same without what is only said, and mended, where nothing else can be."""
    return _all([each for each in found if each.fix is None or not each.fix.last or each.fix.opens])


def _first(fixes: dict[Key, Fix]) -> dict[Key, Fix]:
    return dict(list(fixes.items())[:1])


def _applied(source: Source, fixes: list[Fix]) -> tuple[str, list[Fix]]:
    from graphmend_lint.rewrite import apply, site

    try:
        return apply.apply(site.site_of(source), fixes)
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
