"""What a run said, kept so that the same run need not be done again.

Regions reach across files, so what is kept is the answer of a whole run, never that of one file. It is found by a key
over all that the answer depends on and that can be known beforehand:

- this program (every file of it, and of LibCST the version) and Python's version;
- settings, options, colour, the current folder, the repository that it is in, paths that could not be used;
- path and content of every linted file, in order, and which packages they are in.

What an analysis looks at beside the linted files is only known afterwards. So an entry also holds the content (as a
hash) of every other file that was read, and every path that was asked for, with the answer. All of that is compared
again before an entry is used. A run is a function of these, so an entry that passes says what the run would say.
Linted files are hashed before and after the run, and nothing is kept if they differ. Files beside them are hashed as
they were read.

An entry is JSON behind its own hash, and is written whole or not at all. Whatever is wrong with it or with the folder,
the run is simply done.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from graphmend_lint import __version__
from graphmend_lint.config import Options, Settings, wants_color
from graphmend_lint.discover import Discovery, discover
from graphmend_lint.vendor import NAME as VENDORED

if TYPE_CHECKING:
    from graphmend_lint.project import Project

FOLDER: Final = ".graphmend_lint_cache"
LIMIT: Final = 50  #: entries that are kept
TAG: Final = "CACHEDIR.TAG"
TAG_TEXT: Final = "Signature: 8a477f597d28d172789f06886806bc55\n# Cache of graphmend-lint. It may be deleted.\n"
OURS: Final = re.compile(r"[0-9a-f]{64}\.json|CACHEDIR\.TAG|\.gitignore|\w+\.tmp")


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
    """An answer, and what it rests on beside what the key says."""

    answer: Answer
    read: dict[str, str]  #: path to hash; an empty one: cannot be read
    asked: dict[str, bool]  #: path to whether such a file is there

    def holds(self) -> bool:
        """True if nothing has changed that the answer rests on."""
        return all(content(path) == known for path, known in self.read.items()) and all(
            os.path.isfile(path) == there for path, there in self.asked.items()
        )


def check(paths: tuple[Path, ...], settings: Settings, options: Options) -> int:
    """Lint as `check.Run` does and return the exit code; say what is known if nothing has changed."""
    found = discover(paths, settings)
    store, key = Store(folder(settings)), "" if is_elsewhere(settings) else key_of(found, settings, options)
    entry = store.find(key) if key else None
    if entry is not None:
        return entry.answer.give(options.output_file)
    from graphmend_lint.check import Run

    run = Run(paths, settings, options, found)
    code = run()
    if key and key == key_of(found, settings, options):
        store.keep(key, entry_of(Answer(run.text, tuple(run.errors), code), run.projects, found.files))
    return code


def folder(settings: Settings) -> Path:
    """Where entries are kept: beside the configuration file, if nothing else is said."""
    return settings.root / (settings.cache_dir or FOLDER)


def is_elsewhere(settings: Settings) -> bool:
    """True if a link leads the folder out of the project: that is no place to write to, unless a person names it."""
    named = settings.cache_dir is not None and settings.cache_dir.is_absolute()
    return not named and not settings.is_inside(folder(settings))


def entry_of(answer: Answer, projects: Iterable[Project], linted: Iterable[Path]) -> Entry:
    """The entry for an answer that was found by way of these projects."""
    entry, in_key = Entry(answer, {}, {}), {file.absolute() for file in linted}
    for project in projects:
        entry.asked.update((str(path), there) for path, there in project.asked.items())
        for path, module in project.by_path.items():
            if path not in in_key:
                source = module and module.source
                entry.read[str(path)] = _hash(source.encode(source.text)) if source else content(path)
    return entry


# The key


def key_of(found: Discovery, settings: Settings, options: Options) -> str:
    """The key of a run; empty if a file cannot be read, since its error may not last."""
    files = [(str(file), content(file)) for file in found.files]
    if not all(known for _, known in files):
        return ""
    settings, options = settings._replace(cache_dir=None), options._replace(output_file=None)
    color = wants_color() and not options.output_file
    parts = [repr(settings), repr(options), color, os.getcwd(), _repository(), found.errors, files, _packages(found)]
    return _hash(json.dumps([program(), sys.version, sys.platform, sys.warnoptions, *parts]).encode())


def program() -> str:
    """A hash over the files of this program, and the version of the library that writes fixes."""
    rules = importlib.util.find_spec("graphmend_lint.rules")
    folders = [Path(__file__).parent, *(Path(each) for each in (rules and rules.submodule_search_locations) or ())]
    files = [(os.path.relpath(file, each), content(file)) for each in folders for file in sorted(_data(str(each)))]
    return _hash(json.dumps([__version__, files, _installed("libcst")]).encode())


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


def _repository() -> str:
    """The folder around this one that a repository begins in: some formats name files from there."""
    here = Path.cwd()
    return next((str(each) for each in (here, *here.parents) if (each / ".git").exists()), "")


def _packages(found: Discovery) -> list[tuple[str, bool]]:
    """The packages that the linted files are in, and whether each holds the module that fixes may call."""
    seen: dict[Path, bool] = {}
    for file in found.files:
        place = file.absolute().parent
        while place not in seen:
            seen[place] = (place / VENDORED).is_file()
            if (place / "__init__.py").is_file():
                place = place.parent
    return [(str(place), there) for place, there in seen.items()]


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def content(path: str | Path) -> str:
    """The hash of a file; empty if it cannot be read, or only once, as a pipe."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, "rb", buffering=0) as file:
            return _hash(file.read())
    except OSError:
        return ""


# The folder


class Store(NamedTuple):
    """A folder of entries. Several runs may use it at once."""

    folder: Path

    def find(self, key: str) -> Entry | None:
        """The entry with this key, if there is one that still holds."""
        file = self.folder / f"{key}.json"
        try:
            entry = _decoded(file.read_bytes())
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not entry.holds():
            return None
        with suppress(OSError):
            os.utime(file)  # the oldest go first
        return entry

    def keep(self, key: str, entry: Entry) -> None:
        """Write an entry, if that can be done here."""
        with suppress(OSError):
            if self._prepare():
                self._write(f"{key}.json", _encoded(entry))
                self._prune()

    def clean(self) -> bool:
        """Remove what was written; False if there is nothing.

        Raises:
            OSError: if it cannot be removed.
            ValueError: if the folder is somebody else's.
        """
        if not self.folder.is_dir():
            return False
        if content(self.folder / TAG) != _hash(TAG_TEXT.encode()):
            raise ValueError(f"{self.folder}: not a cache of graphmend-lint")
        for name in filter(OURS.fullmatch, os.listdir(self.folder)):
            (self.folder / name).unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it
            self.folder.rmdir()
        return True

    def _prepare(self) -> bool:
        """Make the folder; False if it is somebody else's."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = os.listdir(self.folder)
        if TAG in names:
            return True
        if not all(map(OURS.fullmatch, names)):
            return False
        self._write(TAG, TAG_TEXT.encode())
        self._write(".gitignore", b"*\n")
        return True

    def _write(self, name: str, data: bytes) -> None:
        import tempfile  # with all that it brings, only where something is written

        handle, written = tempfile.mkstemp(dir=self.folder, prefix="", suffix=".tmp")
        try:
            with open(handle, "wb") as file:
                file.write(data)
            os.replace(written, self.folder / name)
        except BaseException:
            os.unlink(written)
            raise

    def _prune(self) -> None:
        """Remove the entries that were of no use for the longest time."""
        for _, path in sorted(self._entries(), reverse=True)[LIMIT:]:
            with suppress(FileNotFoundError):
                os.unlink(path)

    def _entries(self) -> Iterator[tuple[int, str]]:
        for each in os.scandir(self.folder):
            with suppress(FileNotFoundError):
                if each.name.endswith((".json", ".tmp")):
                    yield each.stat().st_mtime_ns, each.path


def _encoded(entry: Entry) -> bytes:
    body = json.dumps(entry._asdict() | {"answer": entry.answer._asdict()}).encode()
    return _hash(body).encode() + b"\n" + body


def _decoded(data: bytes) -> Entry:
    """The entry in a file.

    Raises:
        ValueError, KeyError, TypeError: if it holds none.
    """
    known, _, body = data.partition(b"\n")
    if _hash(body).encode() != known:
        raise ValueError("damaged")
    table: dict[str, Any] = json.loads(body)
    answer = table["answer"]
    return Entry(Answer(answer["text"], tuple(answer["errors"]), answer["code"]), table["read"], table["asked"])
