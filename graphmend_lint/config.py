"""Settings: what a run is asked to do, from the configuration file and the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from graphmend_lint.keys import ALL, UNUSED, ConfigError, changes, mapping, string, suggestion
from graphmend_lint.keys import Options as RuleOptions

if TYPE_CHECKING:
    from pathspec import PathSpec

    from graphmend_lint.rule import Rule

EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".graphmend_lint_cache",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pyenv",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "build",
    "dist",
    "node_modules",
    "venv",
)
WITH_EDITS = frozenset({"json", "json-lines", "sarif"})
PRINT_OP_SINCE = (2, 13)
TABLE = "tool.graphmend-lint"
FILES = ("graphmend-lint.toml", ".graphmend-lint.toml", "pyproject.toml")


class Settings(NamedTuple):
    """What a run is asked to do. `Settings()` holds the defaults.

    Code lists hold codes or prefixes of codes; of two prefixes that match a code, the longer one decides.
    Path patterns are written as in .gitignore and are relative to `root`.
    """

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()
    fixable: tuple[str, ...] = (ALL,)
    unfixable: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = EXCLUDE
    force_exclude: bool = False
    respect_gitignore: bool = True
    entry_points: str | tuple[str, ...] = "modules"
    side_effects: str = "print-op"
    target_torch: str = "2.13"
    output_format: str = "full"
    unsafe_fixes: bool = False
    show_chain: bool = False
    show_fixes: bool = False
    rules: RuleOptions = ()  #: options of single rules
    cache_dir: Path | None = None  #: where to keep what a run said; relative to `root`
    verify: tuple[dict[str, Any], ...] = ()  #: what `verify` proves if no target is named
    suppressions: bool = True  #: heed suppression comments
    root: Path = Path()  #: the folder that path patterns are relative to
    origin: Path | None = None  #: the configuration file, if there is one

    @property
    def print_op(self) -> bool:
        """True if the target has `torch._higher_order_ops.print`, which is measured on PRINT_OP_SINCE."""
        return version(self.target_torch) >= PRINT_OP_SINCE

    @property
    def shows_edits(self) -> bool:
        """True if what fixes change is part of the report."""
        return self.show_fixes or self.output_format in WITH_EDITS

    def selects(self, code: str) -> bool:
        """True if the rule with this code is to run."""
        return _prefers(code, self.select, self.ignore)

    def may_fix(self, code: str) -> bool:
        """True if fixes of this rule may be applied."""
        return _prefers(code, self.fixable, self.unfixable)

    def ignores(self, path: Path, code: str) -> bool:
        """True if diagnostics with this code are not wanted in this file."""
        return any(
            code.startswith(prefixes) and matches((pattern,), self.root, path)
            for pattern, prefixes in self.per_file_ignores
        )

    def is_inside(self, path: Path) -> bool:
        """True if `path` is below `root`, wherever links lead."""
        return path.resolve().is_relative_to(self.root.resolve())

    def codes(self) -> Iterable[tuple[str, str]]:
        """Every code that is named, and the key that names it."""
        for key in ("select", "ignore", "fixable", "unfixable"):
            yield from ((code, key) for code in getattr(self, key))
        for _, codes in self.per_file_ignores:
            yield from ((code, "per-file-ignores") for code in codes)

    def check(self, rules: Mapping[str, Rule]) -> None:
        """See that every code that is named is that of a rule, or the beginning of one, and every option a rule's.

        Raises:
            ConfigError: if one is not.
        """
        known = (*rules, UNUSED)
        for code, key in self.codes():
            if code != ALL and not any(each.startswith(code) for each in known):
                raise ConfigError(f"{self._where()}unknown rule code `{code}` in `{key}`{suggestion(code, known)}")
        if self.rules:
            self._check_options(rules)

    def _check_options(self, rules: Mapping[str, Rule]) -> None:
        from graphmend_lint.options import check

        try:
            check(self.rules, rules.values())
        except ConfigError as error:
            raise ConfigError(f"{self._where()}{error}") from None

    def _where(self) -> str:
        return f"{self.origin}: " if self.origin else ""

    def as_table(self) -> dict[str, Any]:
        """The settings under the names that a configuration file gives them."""
        return {name.replace("_", "-"): value for name, value in self._asdict().items()}


class Options(NamedTuple):
    """What the command line asks for beyond the settings."""

    add_noqa: bool = False
    unused_suppressions: bool = False
    fix: bool = False
    fix_only: bool = False
    diff: bool = False
    statistics: bool = False
    exit_zero: bool = False
    exit_non_zero_on_fix: bool = False
    quiet: bool = False
    stdin_filename: Path | None = None
    verify: tuple[str, ...] = ()  #: keep only those fixes that these targets prove
    output_file: Path | None = None
    jobs: int | None = None  #: processes at once; None: as many as there are cores

    @property
    def fixes(self) -> bool:
        return self.fix or self.fix_only or self.diff


def wants_color() -> bool:
    """True if standard output is a terminal and nobody asked for plain text."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def version(text: str) -> tuple[int, ...]:
    """The numbers of a version such as "2.13"."""
    return tuple(int(each) for each in text.split("."))


def _prefers(code: str, yes: tuple[str, ...], no: tuple[str, ...]) -> bool:
    return _longest(code, yes) > _longest(code, no)


def _longest(code: str, prefixes: tuple[str, ...]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def matches(patterns: tuple[str, ...], root: Path, path: Path) -> bool:
    """True if `path`, or a folder it is in, matches one of the patterns, read relative to `root`."""
    absolute, root = path.absolute(), root.absolute()
    relative = absolute.relative_to(root) if absolute.is_relative_to(root) else Path(absolute.name)
    return spec(tuple(SEPARATOR.sub("/", each) for each in patterns)).match_file(relative.as_posix())


SEPARATOR: Final = re.compile(r"\\(?=[\w.*])")  #: a backslash that stands in a path as it is written on Windows


@cache
def spec(patterns: tuple[str, ...]) -> PathSpec[Any]:
    """The patterns, ready to match."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def load_settings(paths: Iterable[Path], config: Path | None = None, isolated: bool = False) -> Settings:
    """The settings for linting `paths`: of `config`, or of the nearest configuration file above all of them.

    One run has one configuration, since regions reach across files.

    Raises:
        ConfigError: if the file cannot be read or says what is not understood.
    """
    if isolated:
        return Settings(root=Path.cwd())
    if config is not None and not config.is_file():
        raise ConfigError(f"{config}: no such configuration file")
    file = config or find_config(_common([path.absolute() for path in paths]))
    return read_settings(file) if file else Settings(root=Path.cwd())


def _common(paths: list[Path]) -> Path:
    try:
        return Path(commonpath(paths)) if paths else Path.cwd()
    except ValueError:  # different drives
        return Path.cwd()


def find_config(start: Path) -> Path | None:
    """The nearest configuration file in `start` or above; a pyproject.toml without our table is passed over."""
    for folder in (start, *start.parents):
        for name in FILES:
            file = folder / name
            if file.is_file() and (name != "pyproject.toml" or _mentions_table(file)):
                return file
    return None


def _mentions_table(file: Path) -> bool:
    try:
        return b"graphmend-lint" in (text := file.read_bytes()) and TABLE.encode() in text and bool(_table(file))
    except OSError:
        return False


def read_settings(file: Path) -> Settings:
    """The settings in a configuration file and the files it extends.

    Raises:
        ConfigError: if a file cannot be read or says what is not understood.
    """
    return _read(file, ())


def _read(file: Path, seen: tuple[Path, ...]) -> Settings:
    if file.resolve() in seen:
        raise ConfigError(f"{file}: `extend` goes in a circle")
    table = _table(file)
    base = Settings()
    if "extend" in table:
        parent = (file.parent / string(table.pop("extend"), f"{file}: `extend`")).absolute()
        base = _read(parent, (*seen, file.resolve()))
    settings = base._replace(**changes(table, base, str(file)), root=file.absolute().parent, origin=file)
    if settings.cache_dir is not None and not settings.is_inside(settings.root / settings.cache_dir):
        raise ConfigError(f"{file}: `cache-dir` must be inside the folder of this file; --cache-dir takes any other")
    return settings


def _table(file: Path) -> dict[str, Any]:
    """Our table in a configuration file."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot read the file: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None
    if file.name != "pyproject.toml":
        return content
    table = content.get("tool", {}).get("graphmend-lint", {})
    return mapping(table, f"{file}: [{TABLE}]")
