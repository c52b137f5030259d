"""Linting independent parts in several processes, one per core, the largest parts first."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint import budget, engine
from graphmend_lint.brief import Brief
from graphmend_lint.config import Settings
from graphmend_lint.rule import load_rules
from graphmend_lint.said import Said
from graphmend_lint.seen import seen
from graphmend_lint.source import Source, SourceError, size

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from graphmend_lint.project import Project
    from graphmend_lint.remember import Remembered

SHARES: Final = 8  #: how many shares a process gets, about, so that none waits long for the last one
WASTE: Final = 2_000_000  #: bytes of source that are linted between two times of tidying up

Part = Sequence[Source]


class Job(NamedTuple):
    """How parts are linted."""

    settings: Settings
    codes: tuple[str, ...]  #: of the rules
    modules: frozenset[Path]  #: the files that may define module classes

    def narrowed(self, parts: Iterable[Part]) -> Job:
        """The same job with only what these parts need, so that less is sent to another process."""
        return self._replace(modules=self.modules.intersection(each.path for part in parts for each in part))

    def __call__(self, parts: Iterable[Part]) -> list[Said]:
        """Lint the parts here."""
        said: list[Said] = []
        waste = 0
        with budget.limits():
            for part in parts:
                said.append(self._lint(part))
                waste += size_of(part)
                if waste > WASTE:
                    gc.unfreeze()
                    gc.collect()  # a part that is done with holds cycles
                    waste = 0
        return said

    def _lint(self, part: Part) -> Said:
        lines: list[str] = []
        projects: list[Project] = []
        rules = [load_rules()[code] for code in self.codes]
        brief = Brief(self.modules, self.settings.shows_edits)
        found = engine.lint_part(part, rules, self.settings, projects.append, lines, brief)
        lines += filter(None, map(_complaint, part))
        return Said(tuple(found), tuple(dict.fromkeys(lines)), seen(projects))


def _complaint(source: Source) -> str:
    """What is wrong with a file that no rule needed to parse; "" if nothing is."""
    try:
        source.accept(False)
    except SourceError as error:
        return str(error)
    source.let_go(headers=True)
    return ""


def lint(parts: Sequence[Part], job: Job, processes: int, known: Remembered | None = None) -> list[Said]:
    """What there is to say about each part, in order. Parts that are `known` are not linted again."""
    said = {number: each for number, part in enumerate(parts) if known and (each := known.find(part))}
    left = [number for number in range(len(parts)) if number not in said]
    if processes > 1 and len(left) > 1:
        said.update(_elsewhere(_shares(left, parts, processes), parts, job, processes))
    for number in left:
        if number not in said:
            (said[number],) = job([parts[number]])
        if known:
            known.note(parts[number], said[number])
    return [said[number] for number in range(len(parts))]


def _shares(numbers: Sequence[int], parts: Sequence[Part], processes: int) -> list[list[int]]:
    """The numbers of the parts, largest part first; small parts share an entry."""
    sizes = {number: size_of(parts[number]) for number in numbers}
    enough = filled = sum(sizes.values()) / (SHARES * processes)
    shares: list[list[int]] = []
    for number in sorted(sizes, key=lambda each: -sizes[each]):
        if filled >= enough:
            shares.append([])
            filled = 0
        shares[-1].append(number)
        filled += sizes[number]
    return shares


def _elsewhere(shares: list[list[int]], parts: Sequence[Part], job: Job, processes: int) -> Iterator[tuple[int, Said]]:
    """What other processes say, by the number of the part. If one ends, or none can be had, parts are missing."""
    from concurrent.futures import BrokenExecutor, as_completed

    try:
        with _pool(min(processes, len(shares))) as pool:
            given = [[parts[number] for number in share] for share in shares]
            work = {pool.submit(_lint, job.narrowed(given[at]), given[at]): shares[at] for at in range(len(shares))}
            for future in as_completed(work):
                yield from zip(work[future], future.result(), strict=True)
    except (BrokenExecutor, ImportError, NotImplementedError, OSError):
        return


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes, which are ended with the block whatever they are doing."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    before = active_children()
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(processes, context, _begin) as pool:
        try:
            yield pool
        except BaseException:
            for each in active_children():
                if each not in before:
                    each.terminate()
            raise


def _lint(job: Job, parts: Sequence[Part]) -> list[Said]:
    return job(parts)


def _begin() -> None:
    """Make a process ready: an interrupt ends it without a word, and it does not outlive the run."""
    gc.disable()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def size_of(part: Part) -> int:
    """Bytes in the files of a part, as far as they can be asked."""
    return sum(map(size, (each.path for each in part)))
