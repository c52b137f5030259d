"""What a run said, kept so that the same run need not be done again, and that of another one only what has changed.

Regions reach across files, so what is kept is the answer of a whole run, and those about its parts (`parts`), never
that of one file. An answer is found by a key over all that it depends on and that can be known beforehand:

- this program (every file of it, and of LibCST the version) and Python's version;
- settings, options, colour, the current folder, the repository that it is in, paths that could not be used;
- path and content of every linted file, in order, and which packages they are in.

What an analysis looks at beside the linted files is only known afterwards. So an entry also holds the content (as a
hash) of every other file that was read, and every path that was asked for, with the answer. All of that is compared
again before an entry is used. A run is a function of these, so an entry that passes says what the run would say.
Linted files are hashed before and after the run, and nothing is kept if they differ. Files beside them are hashed as
they were read.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graphmend_lint import __version__
from graphmend_lint.config import Options, Settings, wants_color
from graphmend_lint.discover import Discovery, discover
from graphmend_lint.seen import Seen, content, digest, packages
from graphmend_lint.store import FOLDER, Store

if TYPE_CHECKING:
    from graphmend_lint.remember import Remembered


class Answer(NamedTuple):
    """What a run said."""

    text: str  #: the report, with its closing line
    errors: tuple[str, ...]  #: for standard error
    code: int  #: exit code

    def give(self, file: Path | None) -> int:
        """Say it again: to `file`, or to standard output."""
        if file:
            file.write_text(self.text, encoding="utf-8")
        else:
            sys.stdout.write(self.text)
            sys.stdout.flush()
        sys.stderr.writelines(f"{line}\n" for line in self.errors)
        return self.code


class Entry(NamedTuple):
    """An answer, and what it depends on beside what its key covers."""

    answer: Answer
    seen: Seen

    def as_table(self) -> dict[str, Any]:
        """The entry as a table of JSON values."""
        return {"answer": self.answer._asdict(), "seen": self.seen._asdict()}


def check(paths: tuple[Path, ...], settings: Settings, options: Options) -> int:
    """Lint as `check.Run` does and return the exit code; say what is known if nothing has changed."""
    found = discover(paths, settings)
    store, state = Store(folder(settings)), None if is_elsewhere(settings) else State.of(found, settings, options)
    entry = state and entry_of(store.find(state.key))
    if entry and entry.seen.holds():
        return entry.answer.give(options.output_file)
    from graphmend_lint.check import Run

    run = Run(paths, settings, options, found, state and partial(_remembered, store, state))
    code = run()
    if state and state == State.of(found, settings, options):
        store.keep(state.key, Entry(Answer(run.text, tuple(run.errors), code), run.seen()).as_table())
        if run.known:
            run.known.keep()
    return code


def _remembered(store: Store, state: State) -> Remembered:
    from graphmend_lint.remember import Remembered  # few runs have parts

    return Remembered(store, state.family, state.contents)


def folder(settings: Settings) -> Path:
    """Where entries are kept: beside the configuration file, if nothing else is said."""
    return settings.root / (settings.cache_dir or FOLDER)


def is_elsewhere(settings: Settings) -> bool:
    """True if a link leads the folder out of the project. Nothing is written there unless a person names the folder."""
    named = settings.cache_dir is not None and settings.cache_dir.is_absolute()
    return not named and not settings.is_inside(folder(settings))


def entry_of(table: dict[str, Any]) -> Entry | None:
    """The entry that a table holds, if it holds one."""
    try:
        answer = table["answer"]
        return Entry(Answer(answer["text"], tuple(answer["errors"]), answer["code"]), Seen(**table["seen"]))
    except (KeyError, TypeError):
        return None


class State(NamedTuple):
    """What a run depends on, as far as that is known before it."""

    key: str  #: stands for all of it
    family: str  #: stands for all of it but the files, and how things are said
    contents: dict[str, str]  #: file to hash

    @classmethod
    def of(cls, found: Discovery, settings: Settings, options: Options) -> State | None:
        """The state for a run; None if a file cannot be read, since the next run may be able to."""
        contents = {str(file): content(file) for file in found.files}
        if not all(contents.values()):
            return None
        always = [program(), sys.version, sys.platform, sys.warnoptions, os.getcwd()]
        settings, options = settings._replace(cache_dir=None), options._replace(output_file=None, jobs=None)
        ways = [repr(settings), repr(options), wants_color() and not options.output_file, _repository(), found.errors]
        rest = [list(contents.items()), packages(found.files)]
        alike = repr(settings._replace(output_format="", show_chain=False, show_fixes=False)), settings.shows_edits
        return cls(_key(*always, *ways, *rest), _key(*always, "parts", *alike), contents)


def program() -> str:
    """A hash over the files of this program, and the version of the library that writes fixes."""
    rules = importlib.util.find_spec("graphmend_lint.rules")
    folders = [Path(__file__).parent, *(Path(each) for each in (rules and rules.submodule_search_locations) or ())]
    files = [(os.path.relpath(file, each), content(file)) for each in folders for file in sorted(_data(str(each)))]
    return _key(__version__, files, _installed("libcst"))


def _data(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _data(entry.path)
        elif entry.name.endswith((".py", ".json", ".txt")):
            yield entry.path


def _installed(package: str) -> list[str]:
    """Names of the folders that hold a package's version. The package is not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return []
    beside = os.listdir(Path(spec.origin).parent.parent)
    return sorted(each for each in beside if each.startswith(f"{package}-"))


def _key(*parts: object) -> str:
    return digest(json.dumps(parts).encode())


def _repository() -> str:
    """The root of the repository around this folder: some output formats name files from there."""
    here = Path.cwd()
    return next((str(each) for each in (here, *here.parents) if (each / ".git").exists()), "")
