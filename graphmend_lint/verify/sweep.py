"""Many targets: proven by several processes at once, kept as JSON lines as they come, resumed where they stopped."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmend_lint import __version__
from graphmend_lint.verify.request import Request, Row, failed_row


class SweepError(Exception):
    """A sweep that cannot begin: one clear sentence why."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: a slot says what it does, or an item is done."""

    slot: int
    text: str = ""
    item: int = -1  #: the number of the request that is done; -1: none
    row: Row | None = None


Runner = Callable[[Sequence[Request]], Iterator[Event]]


def key_of(request: Request) -> str:
    """What a row is found again by: the request, and the version of this program."""
    text = json.dumps([__version__, request.as_dict()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shard(requests: Sequence[Request], number: int, count: int) -> list[Request]:
    """Every `count`-th request, beginning with the `number`-th (from 1)."""
    return list(requests[number - 1 :: count])


class Store:
    """Rows in a file, a line of JSON each; whatever happens, the lines that are there are whole."""

    def __init__(self, path: Path | None, resume: bool) -> None:
        self.path = path
        self.rows: dict[str, Row] = {}
        if path is None:
            return
        try:
            self._open(path, resume)
        except OSError as error:
            raise SweepError(f"{path}: cannot be used for results: {error.strerror or error}") from None

    def _open(self, path: Path, resume: bool) -> None:
        if path.exists() and not resume:
            raise SweepError(f"{path} is there already: --resume goes on with it")
        if path.exists():
            kept = [line for line in path.read_text("utf-8").splitlines() if self._take(line)]
            text = "".join(f"{line}\n" for line in kept)
            if text != path.read_text("utf-8"):  # a line that was cut short
                path.write_text(text, "utf-8")
        else:
            path.touch()

    def _take(self, line: str) -> bool:
        with suppress(ValueError, KeyError, TypeError):
            row = json.loads(line)
            self.rows[row["key"]] = row
            return True
        return False

    def add(self, request: Request, row: Row) -> Row:
        """Keep a row, on the disk as well before this returns."""
        row = {"key": key_of(request), **row}
        self.rows[row["key"]] = row
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())
        return row

    def of(self, requests: Sequence[Request]) -> list[Row | None]:
        """The rows of these requests, where they are known."""
        return [self.rows.get(key_of(request)) for request in requests]


def run(
    requests: Sequence[Request], runner: Runner, store: Store, hear: Callable[[Event, Request | None], None]
) -> bool:
    """Prove what the store does not know yet; False if that was interrupted. `hear` is told of every event."""
    open_ = [request for request, row in zip(requests, store.of(requests), strict=True) if row is None]
    try:
        for event in runner(open_) if open_ else ():
            request = open_[event.item] if event.item >= 0 else None
            if request is not None and event.row is not None:
                event = Event(event.slot, event.text, event.item, store.add(request, event.row))
            hear(event, request)
    except KeyboardInterrupt:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Local:
    """Runs requests in processes of this machine: `jobs` at a time, each bound to one of `gpus` if there are some."""

    jobs: int = 1
    gpus: tuple[str, ...] = ()

    def __call__(self, requests: Sequence[Request]) -> Iterator[Event]:
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for i in range(len(requests)):
            waiting.put(i)
        events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        slots = [Slot(i, self._environment(i), requests) for i in range(min(self.jobs, len(requests)))]
        for slot in slots:
            threading.Thread(target=slot.serve, args=(waiting, events), daemon=True).start()
        try:
            running = len(slots)
            while running:
                event = events.get()
                if event is None:
                    running -= 1
                else:
                    yield event
        finally:
            for slot in slots:
                slot.stop()

    def _environment(self, number: int) -> dict[str, str]:
        return {"CUDA_VISIBLE_DEVICES": self.gpus[number % len(self.gpus)]} if self.gpus else {}


class Slot:
    """One process, and the thread that feeds it."""

    def __init__(self, number: int, environment: Mapping[str, str], requests: Sequence[Request]) -> None:
        self._number = number
        self._environment = environment
        self._requests = requests
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    def serve(self, waiting: queue.SimpleQueue[int], events: queue.SimpleQueue[Event | None]) -> None:
        """Do what is waiting, one after another, until nothing is."""
        try:
            while not self._stopped:
                item = waiting.get_nowait()
                events.put(Event(self._number, f"{self._requests[item].label}: starting"))
                row = self._ask(self._requests[item], events)
                if not self._stopped:
                    events.put(Event(self._number, "", item, row))
        except queue.Empty:
            pass
        finally:
            events.put(None)

    def _ask(self, request: Request, events: queue.SimpleQueue[Event | None]) -> Row:
        """The row for one request, also if the process dies over it."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError, ValueError):
            process.stdin.write(json.dumps(request.as_dict()) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                message: dict[str, Any] = json.loads(line)
                if "row" in message:
                    row: Row = message["row"]
                    return row
                events.put(Event(self._number, f"{request.label}: {message['progress']}"))
        code = self.stop(final=False)
        return failed_row(request, f"the process that proves it ended with exit code {code}")

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "graphmend_lint.verify.slot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **self._environment},
            start_new_session=True,  # an interrupt from the terminal is for the parent, which ends this one
        )
        return self._process

    def stop(self, final: bool = True) -> int | None:
        """End the process, and with it what it started; its exit code."""
        self._stopped = self._stopped or final
        process, self._process = self._process, None
        if process is None:
            return None
        process.terminate()
        try:
            return process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


@contextmanager
def progress(total: int, done: int) -> Iterator[Callable[[Event, Request | None], None]]:
    """Who hears of events: a bar and a line for each slot on a terminal, else a line for each item that is done."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines(total, done)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        whole = bars.add_task("targets", total=total, completed=done)
        slots: dict[int, Any] = {}

        def hear(event: Event, request: Request | None) -> None:
            if event.slot not in slots:
                slots[event.slot] = bars.add_task("", total=None)
            if event.row is not None and request is not None:
                bars.advance(whole)
                console.print(f"{request.label}: {event.row['verdict']}", markup=False, highlight=False)
            elif event.text:
                bars.update(slots[event.slot], description=event.text)

        yield hear


def _lines(total: int, done: int) -> Callable[[Event, Request | None], None]:
    count = done

    def hear(event: Event, request: Request | None) -> None:
        nonlocal count
        if event.row is not None and request is not None:
            count += 1
            reason = event.row["reason"].splitlines()[0]
            print(f"[{count}/{total}] {request.label}: {event.row['verdict']}: {reason}", file=sys.stderr, flush=True)

    return hear
