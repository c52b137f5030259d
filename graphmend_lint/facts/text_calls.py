"""Which functions only speak to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

MODULE_LOGGERS: Final = frozenset(
    f"logging.{name}" for name in ("debug", "info", "warning", "warn", "error", "critical", "exception", "log")
)
WARNINGS: Final = frozenset({"warnings.warn", "warnings.warn_explicit", "warnings.showwarning"})
PRINTS: Final = frozenset(
    ("builtins.print", "pprint.pprint", "rich.print", "traceback.print_exc", "tqdm.tqdm.write", "tqdm.auto.tqdm.write")
) | {f"sys.{stream}.{method}" for stream in ("stdout", "stderr") for method in ("write", "writelines", "flush")}


def is_log(name: str | None, facts: Facts) -> bool:
    """True for a logger's methods, the module functions of `logging`, and what the settings add."""
    if name is None:
        return False
    known = name.startswith("logging.Logger.") or name in MODULE_LOGGERS
    return known or facts.lists("log-call.functions", name) or facts.lists("log-call.loggers", name.rpartition(".")[0])


def is_warning(name: str | None, facts: Facts) -> bool:
    """True for the functions of `warnings`, and what the settings add."""
    return name in WARNINGS or facts.lists("warn-call.functions", name)


def is_print(name: str | None, facts: Facts) -> bool:
    """True for `print` and its kin, and what the settings add."""
    return name in PRINTS or facts.lists("print-call.functions", name)
