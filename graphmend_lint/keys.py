"""Keys of a configuration file: what each may hold, and which setting it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

FORMATS = ("full", "concise", "json", "json-lines", "github", "gitlab", "junit", "sarif", "pylint")
SIDE_EFFECTS = ("print-op", "guard", "once", "vendor", "report")
ALL = "GM"  #: how every code begins
UNUSED = "GM001"  #: the code of a suppression comment that silences nothing

Options = tuple[tuple[str, str, "str | tuple[str, ...]"], ...]  #: a rule's name, its option, what it is set to


class ConfigError(Exception):
    """A configuration or selection that cannot be used: one clear sentence."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` if something close is known."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else ""


def changes(table: Mapping[str, object], base: object, where: str) -> dict[str, Any]:
    """What a table of a file changes in the settings that it starts from, by the settings' names.

    Raises:
        ConfigError: if a key is unknown, or its value is of the wrong type.
    """
    found: dict[str, Any] = {}
    for key in sorted(table, key=lambda key: _place(key, where)):
        name, merge = KEYS[key]
        found[name] = merge(found.get(name, getattr(base, name)), table[key], f"{where}: `{key}`")
    return found


def _place(key: str, where: str) -> int:
    if key in KEYS:
        return list(KEYS).index(key)
    raise ConfigError(f"{where}: unknown key `{key}`{suggestion(key, KEYS)}")


# A merge takes the value so far, the value in the file, and the place to name in an error.
Merge = Callable[[Any, object, str], Any]


def mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table")
    return dict(value)


def string(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where} must be a string")
    return value


def strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigError(f"{where} must be a list of strings")
    return tuple(value)


def _codes(value: object, where: str) -> tuple[str, ...]:
    return tuple(ALL if code == "ALL" else code for code in strings(value, where))


def _set(read: Callable[[object, str], Any]) -> Merge:
    return lambda _, value, where: read(value, where)


def _extend(read: Callable[[object, str], tuple[Any, ...]]) -> Merge:
    return lambda before, value, where: (*before, *read(value, where))


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where} must be true or false")
    return value


def _path(value: object, where: str) -> Path:
    return Path(string(value, where))


def _choice(*choices: str) -> Callable[[object, str], str]:
    def read(value: object, where: str) -> str:
        if value in choices:
            return str(value)
        raise ConfigError(f"{where} must be one of {', '.join(choices)}{suggestion(str(value), choices)}")

    return read


def _entry_points(value: object, where: str) -> str | tuple[str, ...]:
    return strings(value, where) if isinstance(value, list) else _choice("modules", "explicit")(value, where)


def _version(value: object, where: str) -> str:
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d+(\.\d+)?", value):
        return value
    raise ConfigError(f'{where} must be a version such as "2.13"')


def _per_file(value: object, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((pattern, _codes(codes, f"{where}.{pattern}")) for pattern, codes in mapping(value, where).items())


def _options(before: Options, value: object, where: str) -> Options:
    """The options of single rules; one that is said again counts, the others stay."""
    found = {(rule, option): content for rule, option, content in before}
    for rule, table in mapping(value, where).items():
        place = f"{where.removesuffix('`')}.{rule}"
        for option, content in mapping(table, f"{place}`").items():
            found[rule, option] = _word_or_words(content, f"{place}.{option}`")
    return tuple((rule, option, content) for (rule, option), content in found.items())


def _word_or_words(value: object, where: str) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ConfigError(f"{where} must be a string or a list of strings")
    return tuple(value)


def _verify(value: object, where: str) -> tuple[dict[str, Any], ...]:
    from graphmend_lint.verify.table import UnfitError, read

    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ConfigError(f"{where} must be a list of tables: [[tool.graphmend-lint.verify]]")
    try:
        return tuple(read(table) for table in value)
    except UnfitError as error:
        raise ConfigError(f"{where}: {error}") from None


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
    "exclude": ("exclude", _set(strings)),
    "extend-exclude": ("exclude", _extend(strings)),
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
    "verify": ("verify", _set(_verify)),
    "extend": ("origin", _set(string)),
    "rules": ("rules", _options),
}
