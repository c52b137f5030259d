"""Write a file whole or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


class SaveError(Exception):
    """A file that could not be written, and why; it is as it was."""


def save(path: Path, data: bytes, old: bytes | None = None) -> None:
    """Replace the content of `path`, keeping its permissions; a link stays a link to the file that is replaced.

    Raises:
        SaveError: if the file cannot be written, or no longer holds `old`.
    """
    target = path.resolve()
    try:
        found = old if old is None else target.read_bytes()
        if found != old and found != data:
            raise SaveError(f"{path}: not written: the file has changed since it was read")
        _replace(target, data)
    except OSError as error:
        raise SaveError(f"{path}: cannot write the file: {error.strerror or error}") from None


def _replace(target: Path, data: bytes) -> None:
    """Write a file beside the target, then put it in its place."""
    import tempfile  # with all that it brings, only where something is written

    before = target.stat()
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        _own(name, before)
        os.chmod(name, before.st_mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _own(name: str, before: os.stat_result) -> None:
    """Give the file back to its owner, where we may: a run as root must not take it away."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(name, before.st_uid, before.st_gid)


def save_all(files: Sequence[tuple[Path, bytes, bytes]]) -> None:
    """Replace the content of all these files (path, new and old content), or of none.

    Raises:
        SaveError: if one cannot be written, or no longer holds its old content; the others are as they were.
    """
    done: list[tuple[Path, bytes]] = []
    try:
        for path, data, old in files:
            save(path, data, old)
            done.append((path, old))
    except SaveError:
        for path, old in done:
            save(path, old)
        raise
