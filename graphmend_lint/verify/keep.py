"""Keeps those fixes that are proven, and says of every other one why it is dropped."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import click

from graphmend_lint.config import Settings
from graphmend_lint.keys import ConfigError
from graphmend_lint.model import Applicability
from graphmend_lint.save import save_all
from graphmend_lint.source import Source
from graphmend_lint.verify.fixing import Key, Offer, Texts, entries, fixed
from graphmend_lint.verify.hunks import Hunk, hunks
from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.report import shown, status
from graphmend_lint.verify.request import Progress, Proof, Ready, Request, asked_for, judge, ready, timed
from graphmend_lint.verify.target import TargetError
from graphmend_lint.verify.verdict import Options, Outcome, Pair, Verdict

NOT_REACHED = "no input of the target runs it"
NO_GAIN = "it changes no graph break"


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of all targets on some fixes together."""

    texts: Texts
    offers: tuple[Offer, ...]
    proofs: tuple[Proof, ...]

    @property
    def harm(self) -> str:
        """Why they cannot stay; "" if nothing speaks against them."""
        bad = [proof for proof in self.proofs if proof.outcome is Outcome.NOT_PROVEN]
        return next((verdict.reason for proof in bad for verdict in _refuted(proof)), "")

    @property
    def proven(self) -> bool:
        return not self.harm and any(proof.outcome is Outcome.PROVEN for proof in self.proofs)

    def idle(self) -> list[Hunk]:
        """Edits that ran for no target."""
        sets = [set(proof.verdicts[0].not_run) for proof in self.proofs if proof.verdicts[0].edits]
        every = set(hunks(dict(self.proofs[0].pair.before), self.texts)) if self.proofs else set()
        return sorted(set.intersection(every, *sets) if sets else every, key=str)


def _refuted(proof: Proof) -> list[Verdict]:
    return [verdict for verdict in proof.verdicts if verdict.outcome is Outcome.NOT_PROVEN]


@dataclass
class Choice:
    """The search for the fixes that stay."""

    sources: tuple[Source, ...]
    settings: tuple[Settings, ...]
    targets: tuple[Ready, ...]
    allow: Applicability
    workers: Workers
    progress: Progress
    kept: list[Offer] = field(default_factory=list)
    dropped: list[tuple[Offer, str]] = field(default_factory=list)
    _known: dict[frozenset[Key], Judged] = field(default_factory=dict)

    def search(self) -> Judged | None:
        """What the targets say of the fixes that stay, or of all if none does; None if there are none at all.

        Sets `kept` and `dropped`.

        Raises:
            TargetError: if a target cannot be run as it is.
        """
        offers = self._applied(None)[1]
        if not offers:
            return None
        self._settle(sorted(offers, key=lambda offer: (not offer.safe, str(offer.path), offer.row)))
        final = self._attempt(self.kept or offers)
        if self.kept and final.proven and (idle := final.idle()):
            final = self._without(idle, final)
        if not final.proven:
            self._drop(self.kept, final.harm or final.proofs[0].verdicts[0].reason)
        return final

    def _settle(self, offers: Sequence[Offer]) -> None:
        """Keep these fixes if they can stay beside what is kept already; if not, try each half of them."""
        if not offers:
            return
        harm = self._attempt([*self.kept, *offers]).harm
        if not harm:
            self.kept += offers
        elif len(offers) == 1:
            self.dropped.append((offers[0], harm))
        else:
            middle = len(offers) // 2
            self._settle(offers[:middle])
            self._settle(offers[middle:])

    def _without(self, idle: Sequence[Hunk], judged: Judged) -> Judged:
        """Drop the fixes that made edits which never ran."""
        before = {source.path: source.text for source in self.sources}
        for offer in [each for each in self.kept if each.path in {hunk.path for hunk in idle}]:
            rest = [each for each in self.kept if each is not offer]
            left = {(hunk.path, hunk.before) for hunk in hunks(before, self._applied(rest)[0])}
            mine = [hunk for hunk in hunks(before, judged.texts) if (hunk.path, hunk.before) not in left]
            if mine and all(hunk in idle for hunk in mine):
                self._drop([offer], NOT_REACHED)
        return self._attempt(self.kept) if self.kept else judged

    def _drop(self, offers: Iterable[Offer], reason: str) -> None:
        gone = list(offers)
        self.dropped += [(offer, reason) for offer in gone]
        self.kept = [offer for offer in self.kept if offer not in gone]

    def _applied(self, wanted: Sequence[Offer] | None) -> tuple[Texts, tuple[Offer, ...]]:
        keys: set[Key] = {offer.key for offer in wanted or ()}
        accept: Callable[[Key], bool] = (lambda key: True) if wanted is None else keys.__contains__
        after, offers = fixed(self.sources, self.settings, self.allow, accept)
        return {source.path: source.text for source in after}, offers

    def _attempt(self, wanted: Sequence[Offer]) -> Judged:
        keys = frozenset(offer.key for offer in wanted)
        if keys not in self._known:
            self._known[keys] = self._judged(wanted)
        return self._known[keys]

    def _judged(self, wanted: Sequence[Offer]) -> Judged:
        texts, offers = self._applied(wanted)
        before = {source.path: source.text for source in self.sources}
        proofs = []
        for each in self.targets:
            self.progress(f"{len(wanted)} fixes, {each.request.label}")
            pair = Pair(each.target, before, texts, Options(), NO_GAIN)
            proof = judge(each, pair, offers, self.workers, self.progress, time.monotonic())
            if proof.outcome is Outcome.COULD_NOT_RUN:
                reason = next(v.reason for v in proof.verdicts if v.outcome is Outcome.COULD_NOT_RUN)
                raise TargetError(f"{each.request.label}: {reason}")
            proofs.append(proof)
        return Judged(texts, offers, tuple(proofs))


@dataclass(frozen=True, slots=True)
class Kept:
    """What came out of it."""

    sources: tuple[Source, ...]  #: with the fixes that stay
    kept: tuple[Offer, ...]
    dropped: tuple[tuple[Offer, str], ...]
    proofs: tuple[Proof, ...]

    def lines(self) -> list[str]:
        """A line for each fix."""
        told = [f"proven: {_place(offer)}" for offer in self.kept]
        return told + [f"dropped: {_place(offer)}: {reason.splitlines()[0]}" for offer, reason in self.dropped]


def _place(offer: Offer) -> str:
    return f"{shown(str(offer.path))}:{offer.row}: {offer.code} {offer.title}"


def keep(
    sources: Sequence[Source],
    settings: Sequence[Settings],
    targets: Sequence[Ready],
    allow: Applicability,
    workers: Workers,
    progress: Progress,
) -> Kept:
    """The sources with those fixes that are proven by the targets.

    Raises:
        TargetError: if a target cannot be run as it is.
    """
    untimed = tuple(replace(each, request=replace(each.request, time=False)) for each in targets)
    resolved = tuple(Source(each.path.resolve(), each.text, each.encoding, each.bom) for each in sources)
    choice = Choice(resolved, tuple(settings), untimed, allow, workers, progress)
    final = choice.search()
    if final is None or not choice.kept:
        return Kept(tuple(sources), (), tuple(choice.dropped), final.proofs if final else ())
    after = tuple(Source(old.path, final.texts[old.path.resolve()], old.encoding, old.bom) for old in sources)
    return Kept(after, tuple(choice.kept), tuple(choice.dropped), final.proofs)


def proven(sources: Sequence[Source], settings: Settings, targets: Sequence[str]) -> Kept:
    """The fixes of linted files that the targets prove; unsafe ones too, since proof is what makes them acceptable.

    Raises:
        ConfigError: if a target cannot be used.
    """
    if importlib.util.find_spec("torch") is None:
        raise ConfigError('--verify needs torch: pip install "graphmend-lint[verify]"')
    lost = settings.side_effects in ("guard", "once")  # the project has chosen to lose text
    requests = [replace(each, allow_lost_text=each.allow_lost_text or lost) for each in asked_for(targets, settings)]
    try:
        with status() as progress, Workers() as workers:
            ready_ = [ready(request, workers, progress) for request in requests]
            entered = [each for one in ready_ for each in entries(one.target, one.sources, settings)]
            return keep(sources, [settings, *entered], ready_, Applicability.UNSAFE, workers, progress)
    except TargetError as error:
        raise ConfigError(str(error)) from None


def keep_of_target(request: Request, workers: Workers, progress: Progress, tell: Callable[[Proof], None]) -> int:
    """Write those fixes of a target's own files that it proves; the exit code is that of the verdict on them.

    Raises:
        TargetError: if the target cannot be used.
        SaveError: if a file cannot be written; then none is.
    """
    target = ready(request, workers, progress)
    if target.target.recipe:
        raise TargetError(
            f"{request.label}: --fix would change transformers itself; `graphmend-lint run` fixes in memory"
        )
    if request.against:
        return _write_rewrite(target, workers, progress, tell)
    kept = keep(target.sources, target.settings, [target], target.allow, workers, progress)
    if not kept.proofs:
        raise TargetError(target.pair()[0].idle or "there is no fix to prove")
    proof = replace(kept.proofs[0], request=request, offers=kept.kept, dropped=kept.dropped)
    tell(replace(proof, timed=timed(request, proof, workers, progress)))
    return _save(target.sources, kept, kept.proofs[0].outcome)


def _save(before: Sequence[Source], kept: Kept, outcome: Outcome) -> int:
    for line in kept.lines():
        click.echo(line, err=True)
    if not kept.kept:
        click.echo("no file was changed: only a proven fix is written", err=True)
        return outcome.exit_code
    _write(before, kept.sources)
    return Outcome.PROVEN.exit_code if not kept.dropped else Outcome.NOT_PROVEN.exit_code


def _write_rewrite(target: Ready, workers: Workers, progress: Progress, tell: Callable[[Proof], None]) -> int:
    """A rewrite by hand is taken whole or not at all."""
    pair, offers = target.pair()
    proof = judge(target, pair, offers, workers, progress, time.monotonic())
    tell(proof)
    if proof.outcome is not Outcome.PROVEN:
        click.echo("no file was changed: only a proven fix is written", err=True)
        return proof.outcome.exit_code
    _write(target.sources, [Source(old.path, pair.after[old.path], old.encoding, old.bom) for old in target.sources])
    return proof.outcome.exit_code


def _write(before: Sequence[Source], after: Sequence[Source]) -> None:
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old.text != new.text]
    save_all([(old.path, old.encode(new.text), old.encode(old.text)) for old, new in changed])
    for old, _ in changed:
        click.echo(f"fixed {old.path}", err=True)
