"""Write the module that fixes under `side-effects = "vendor"` call, into the user's own package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

NAME = "_compiled_effects.py"


class VendorError(Exception):
    """The module cannot be written there: one clear sentence."""


def text() -> str:
    """The module, as it is written."""
    return files("graphmend_lint.rewrite").joinpath("compiled_effects.py.txt").read_text("utf-8")


def write(folder: Path, *, force: bool = False) -> Path | None:
    """Write the module into a folder; None if it is there already.

    Raises:
        VendorError: if there is no such folder, or a different file of that name.
    """
    file = folder / NAME
    if not folder.is_dir():
        raise VendorError(f"{folder}: no such folder")
    try:
        if file.exists() and file.read_text("utf-8") == text():
            return None
        if file.exists() and not force:
            raise VendorError(f"{file} differs from what would be written; --force overwrites it")
        file.write_text(text(), "utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise VendorError(f"{file}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    return file
