"""Settings: what a run is asked to do, from the configuration file and the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from os.path import commonpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathspec import PathSpec

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
FORMATS = ("full", "concise", "json", "json-lines", "github", "gitlab", "junit", "sarif", "pylint")
SIDE_EFFECTS = ("print-op", "guard", "once", "vendor", "report")
PRINT_OP_SINCE = (2, 13)
ALL = "GM"  #: how every code begins
TABLE = "tool.graphmend-lint"
FILES = ("graphmend-lint.toml", ".graphmend-lint.toml", "pyproject.toml")


class ConfigError(Exception):
    """A configuration or selection that cannot be used: one clear sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
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
    cache_dir: Path | None = None  #: where to keep what a run said; relative to `root`
    suppressions: bool = True  #: heed suppression comments
    root: Path = Path()  #: the folder that path patterns are relative to
    origin: Path | None = None  #: the configuration file, if there is one

    @property
    def print_op(self) -> bool:
        """True if the target has `torch._higher_order_ops.print`, which is measured on PRINT_OP_SINCE."""
        return version(self.target_torch) >= PRINT_OP_SINCE

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

    def codes(self) -> Iterable[tuple[str, str]]:
        """Every code that is named, and the key that names it."""
        for key in ("select", "ignore", "fixable", "unfixable"):
            yield from ((code, key) for code in getattr(self, key))
        for _, codes in self.per_file_ignores:
            yield from ((code, "per-file-ignores") for code in codes)

    def check(self, known: Iterable[str]) -> None:
        """See that every code that is named is one, or the beginning of one, of `known`.

        Raises:
            ConfigError: if one is not.
        """
        known = tuple(known)
        for code, key in self.codes():
            if code != ALL and not any(each.startswith(code) for each in known):
                raise ConfigError(f"{self._where()}unknown rule code `{code}` in `{key}`{suggestion(code, known)}")

    def _where(self) -> str:
        return f"{self.origin}: " if self.origin else ""

    def as_table(self) -> dict[str, Any]:
        """The settings under the names that a configuration file gives them."""
        return {field.name.replace("_", "-"): getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
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
    output_file: Path | None = None

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
    return spec(patterns).match_file(relative.as_posix())


@cache
def spec(patterns: tuple[str, ...]) -> PathSpec[Any]:
    """The patterns, ready to match."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` if something close is known."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else ""


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
        parent = (file.parent / _string(table.pop("extend"), f"{file}: `extend`")).absolute()
        base = _read(parent, (*seen, file.resolve()))
    changes: dict[str, Any] = {}
    for key in sorted(table, key=partial(_order, file=file)):
        name, merge = KEYS[key]
        changes[name] = merge(changes.get(name, getattr(base, name)), table[key], f"{file}: `{key}`")
    return replace(base, **changes, root=file.absolute().parent, origin=file)


def _order(key: str, file: Path) -> int:
    if key in KEYS:
        return list(KEYS).index(key)
    raise ConfigError(f"{file}: unknown key `{key}`{suggestion(key, KEYS)}")


def _table(file: Path) -> dict[str, Any]:
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
    return _mapping(table, f"{file}: [{TABLE}]")


# A merge takes the value so far, the value in the file, and the place to name in an error.
Merge = Callable[[Any, object, str], Any]


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    return dict(value)


def _string(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where} must be a string")
    return value


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigError(f"{where} must be a list of strings")
    return tuple(value)


def _codes(value: object, where: str) -> tuple[str, ...]:
    return tuple(ALL if code == "ALL" else code for code in _strings(value, where))


def _set(read: Callable[[object, str], Any]) -> Merge:
    return lambda _, value, where: read(value, where)


def _extend(read: Callable[[object, str], tuple[Any, ...]]) -> Merge:
    return lambda before, value, where: (*before, *read(value, where))


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false")
    return value


def _path(value: object, where: str) -> Path:
    return Path(_string(value, where))


def _choice(*choices: str) -> Callable[[object, str], str]:
    def read(value: object, where: str) -> str:
        if value in choices:
            return str(value)
        raise ConfigError(f"{where} must be one of {', '.join(choices)}{suggestion(str(value), choices)}")

    return read


def _entry_points(value: object, where: str) -> str | tuple[str, ...]:
    return _strings(value, where) if isinstance(value, list) else _choice("modules", "explicit")(value, where)


def _version(value: object, where: str) -> str:
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d+(\.\d+)?", value):
        return value
    raise ConfigError(f'{where} must be a version such as "2.13"')


def _per_file(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((pattern, _codes(codes, f"{where}.{pattern}")) for pattern, codes in _mapping(value, where).items())


#: Keys of a configuration file: the setting each one changes, and how.
KEYS: Mapping[str, tuple[str, Merge]] = {
    "select": ("select", _set(_codes)),
    "extend-select": ("select", _extend(_codes)),
    "ignore": ("ignore", _set(_codes)),
    "extend-ignore": ("ignore", _extend(_codes)),
    "fixable": ("fixable", _set(_codes)),
    "unfixable": ("unfixable", _set(_codes)),
    "per-file-ignores": ("per_file_ignores", _set(_per_file)),
    "extend-per-file-ignores": ("per_file_ignores", _extend(_per_file)),
    "exclude": ("exclude", _set(_strings)),
    "extend-exclude": ("exclude", _extend(_strings)),
    "force-exclude": ("force_exclude", _set(_flag)),
    "respect-gitignore": ("respect_gitignore", _set(_flag)),
    "entry-points": ("entry_points", _set(_entry_points)),
    "side-effects": ("side_effects", _set(_choice(*SIDE_EFFECTS))),
    "target-torch": ("target_torch", _set(_version)),
    "output-format": ("output_format", _set(_choice(*FORMATS))),
    "unsafe-fixes": ("unsafe_fixes", _set(_flag)),
    "show-chain": ("show_chain", _set(_flag)),
    "show-fixes": ("show_fixes", _set(_flag)),
    "cache-dir": ("cache_dir", _set(_path)),
    "extend": ("origin", _set(_string)),
}
