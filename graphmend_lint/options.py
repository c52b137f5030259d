"""Options of single rules: `[tool.graphmend-lint.rules.log-call]`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from graphmend_lint.keys import ConfigError, Options, suggestion
from graphmend_lint.rule import COMMON, LEAST_SEVERITY

if TYPE_CHECKING:
    from graphmend_lint.rule import Option, Rule


def check(chosen: Options, rules: Iterable[Rule]) -> None:
    """See that there are such rules and options, and that they are set to what they may be set to.

    Raises:
        ConfigError: if not; it does not say in which file.
    """
    by_name = {rule.name: rule for rule in rules}
    for name, option, value in chosen:
        if name not in by_name:
            raise ConfigError(f"unknown rule `{name}` in `rules`{_named(name, by_name)}")
        options = {each.name: each for each in (*by_name[name].options, *COMMON)}
        if option not in options:
            raise ConfigError(f"unknown option `{option}` of rule `{name}`{suggestion(option, options)}")
        _check_value(options[option], value, f"`rules.{name}.{option}`")


def _named(name: str, by_name: Mapping[str, Rule]) -> str:
    """A hint at what may have been meant, say where a rule is called by its code."""
    by_code = next((rule.name for rule in by_name.values() if rule.code == name), None)
    return f"; did you mean `{by_code}`?" if by_code else suggestion(name, by_name)


def _check_value(option: Option, value: str | tuple[str, ...], where: str) -> None:
    if option.choices and value not in option.choices:
        known = ", ".join(option.choices)
        raise ConfigError(f"{where} must be one of {known}{suggestion(str(value), option.choices)}")
    if not option.choices and isinstance(value, str):
        raise ConfigError(f"{where} must be a list of strings")


def shown(chosen: Options, rules: Iterable[Rule]) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """What counts: every option that a rule has of its own, and the common ones that are set."""
    known = {f"{rule.name}.{option.name}": option.default for rule in rules for option in rule.options}
    yield from (known | {f"{rule}.{option}": value for rule, option, value in chosen}).items()


def names(chosen: Options) -> dict[str, tuple[str, ...]]:
    """The qualified names that each option lists, or the word it is set to, by "log-call.functions"."""
    return {f"{rule}.{option}": value if isinstance(value, tuple) else (value,) for rule, option, value in chosen}


def strict(chosen: Options) -> frozenset[str]:
    """The names of the rules that report errors only."""
    return frozenset(rule for rule, option, value in chosen if (option, value) == (LEAST_SEVERITY.name, "error"))
