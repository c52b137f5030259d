"""Lint again whenever a file changes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import click

from graphmend_lint.config import Settings
from graphmend_lint.discover import discover

PAUSE = 0.5  #: seconds between two looks at the files

Snapshot = dict[Path, tuple[int, int]]


def watch(paths: tuple[Path, ...], settings: Settings, lint: Callable[[], object]) -> None:
    """Call `lint` now and after every change below `paths`, until interrupted."""
    before: Snapshot | None = None
    while True:
        now = snapshot(paths, settings)
        if now != before:
            click.clear()  # does nothing unless standard output is a terminal
            lint()
            gc.unfreeze()
            gc.collect()  # runs leave cycles, which the command line does not look for
            click.echo("Watching for changes.", err=True)
            before = now
        time.sleep(PAUSE)


def snapshot(paths: tuple[Path, ...], settings: Settings) -> Snapshot:
    """When each file was last changed (in ns), and its size."""
    found: Snapshot = {}
    for file in discover(paths, settings).files:
        try:
            status = file.stat()
        except OSError:  # gone since; the next look tells
            continue
        found[file] = (status.st_mtime_ns, status.st_size)
    return found
