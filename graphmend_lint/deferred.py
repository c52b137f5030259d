"""Functions that are loaded when they are first called. A rule imports what its fixes are built from, and most files
have nothing to fix: those imports would take a quarter of the time of a run over one file."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final

LATE: Final = "graphmend_lint.rewrite."  #: packages whose functions can wait


class Deferred:
    """Stands for a function until the first call, which puts the function itself in its place."""

    def __init__(self, module: str, name: str, importer: dict[str, Any]) -> None:
        self.module, self.name, self._importer = module, name, importer

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        function = getattr(importlib.import_module(self.module), self.name)
        for name in [name for name, value in self._importer.items() if value is self]:
            self._importer[name] = function
        return function(*arguments, **keywords)


def _import(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    """`__import__`, but functions of `rewrite` are deferred; classes and constants are needed at once."""
    if isinstance(globals, dict) and fromlist and name.startswith(LATE) and all(each.islower() for each in fromlist):
        return SimpleNamespace(**{each: Deferred(name, each, globals) for each in fromlist})
    return builtins.__import__(name, globals, locals, fromlist or (), level)


#: for a module whose imports can wait
BUILTINS: Final = {**vars(builtins), "__import__": _import}
