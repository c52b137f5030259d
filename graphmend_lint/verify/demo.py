"""The whole story on a bundled model: what is wrong, what a fix looks like, and torch's word on it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from graphmend_lint.check import Run
from graphmend_lint.config import Options, Settings
from graphmend_lint.source import Source

MODEL = Path(__file__).with_name("demo_model.py")
NAME = Path("model.py")

_INTRO = """\
This is model.py: ordinary code, which torch.compile cannot take in one piece.
"""
_NEXT = """\
Next, on your own code:
  graphmend-lint src/                          what breaks, and where
  graphmend-lint --diff --unsafe-fixes src/    what the fixes would change
  graphmend-lint --fix src/                    apply the fixes that keep the meaning
  graphmend-lint verify model.py:build         proof, for a factory that returns (model, args, kwargs)
To play with this model: graphmend-lint demo --save model.py
"""


def run() -> int:
    """Tell the story in a folder that is gone afterwards; the exit code is the verdict's."""
    with _folder():
        NAME.write_bytes(MODEL.read_bytes())
        click.echo(_INTRO)
        _show_source()
        settings = Settings(unsafe_fixes=True)
        _title("graphmend-lint model.py")
        Run((NAME,), settings, Options())()
        _title("graphmend-lint --diff --unsafe-fixes model.py")
        Run((NAME,), settings, Options(diff=True))()
        _title("graphmend-lint verify model.py:build --backend eager --allow-lost-text")
        code = _prove()
        click.echo("\n" + _NEXT, nl=False)
        return code


@contextmanager
def _folder() -> Iterator[None]:
    """Work in a new folder, so that paths are short."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="graphmend-lint-demo-") as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _title(command: str) -> None:
    click.echo(click.style(f"\n$ {command}", bold=True))
    sys.stdout.flush()


def _show_source() -> None:
    """The class alone; the factories below it are for `verify`."""
    lines = Source.read(NAME).lines
    starts = [row for row, line in enumerate(lines) if line.startswith(("class ", "def "))]
    for row in range(starts[0], starts[1]):
        click.echo(f"{row + 1:>4}  {lines[row]}".rstrip())


def _prove() -> int:
    from graphmend_lint.verify.command import verify

    arguments = ["model.py:build", "--backend", "eager", "--allow-lost-text"]
    return int(verify.main(arguments, standalone_mode=False) or 0)


def save(path: Path) -> int:
    """Write the model to `path`, which must not exist."""
    try:
        with path.open("xb") as file:
            file.write(MODEL.read_bytes())
    except OSError as error:
        click.echo(f"{path}: {error.strerror or error}", err=True)
        return 2
    click.echo(f"wrote {path}; try: graphmend-lint {path}")
    return 0
