"""What is on the editor's desk: open buffers before files on disk, linted together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from graphmend_lint import budget, engine
from graphmend_lint.config import Settings, load_settings
from graphmend_lint.discover import discover, excluded
from graphmend_lint.keys import ConfigError
from graphmend_lint.model import Applicability, Diagnostic
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source, SourceError

BUDGET = 1_000_000  #: characters; the other files of a larger workspace are read only where an open one imports them


@dataclass(eq=False)
class Desk:
    """The open buffers, the folders around them, and the diagnostics of all of it."""

    folders: list[Path] = field(default_factory=list)
    buffers: dict[Path, Source] = field(default_factory=dict)
    complaint: str = ""  #: what is wrong with the configuration
    trouble: list[str] = field(default_factory=list)  #: what could not be analysed, a line each
    _disk: dict[Path, tuple[tuple[int, int], Source | None]] = field(default_factory=dict)
    _found: dict[Path, list[Diagnostic]] | None = None

    def open(self, source: Source) -> None:
        """Take a buffer, which goes before the file."""
        self.buffers[source.path] = source
        self._found = None

    def close(self, path: Path) -> None:
        self.buffers.pop(path, None)
        self._found = None

    def changed(self) -> None:
        """Something on disk is not as it was."""
        self._found = None

    def diagnostics(self, path: Path) -> list[Diagnostic]:
        """What is found in one file; nothing while it is not valid Python."""
        if self._found is None:
            settings = self.settings()
            self._found, self.trouble = {}, []
            with budget.limits():
                found = engine.lint(self.sources(settings), self.rules(settings), settings, None, self.trouble)
            for each in found:
                if not excluded(each.path, settings):
                    self._found.setdefault(each.path, []).append(each)
        return self._found.get(path, [])

    def fixed(self, path: Path) -> str | None:
        """The text of a buffer after every fix that keeps the meaning; None if none applies."""
        settings = self.settings()
        if excluded(path, settings):
            return None
        sources = self.sources(settings)
        with budget.limits():
            result = engine.fix(sources, self.rules(settings), settings, Applicability.SAFE, [])
        new = next((each.text for each in result.sources if each.path == path), None)
        return new if path in self.buffers and new != self.buffers[path].text else None

    def settings(self) -> Settings:
        """The settings for these folders as they are now; the defaults if they cannot be read."""
        try:
            settings = load_settings(self.folders or self.buffers)
            settings.check(load_rules())
        except ConfigError as error:
            self.complaint = str(error)
            return Settings()
        self.complaint = ""
        return settings

    def rules(self, settings: Settings) -> list[Rule]:
        return [rule for code, rule in load_rules().items() if settings.selects(code)]

    def sources(self, settings: Settings) -> list[Source]:
        """The buffers, and the files around them if they are not too many, as far as they can be parsed."""
        around = [file for file in discover(self.folders, settings).files if self._wanted(file)]
        if sum(_size(file) for file in around) > BUDGET:
            around = []
        found = [*self.buffers.values(), *(source for file in around if (source := self._read(file)))]
        return [source for source in found if _parses(source)]

    def _wanted(self, file: Path) -> bool:
        return file not in self.buffers and file.suffix == ".py"

    def _read(self, file: Path) -> Source | None:
        """A file, read again only if it has changed."""
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if file not in self._disk or self._disk[file][0] != stamp:
                self._disk[file] = (stamp, Source.read(file))
        except (OSError, SourceError):
            return None
        return self._disk[file][1]


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _parses(source: Source) -> bool:
    try:
        return bool(source.tree)
    except SourceError:
        return False
