"""Which files may hold an entry point, as their text shows. No tree is made of the others unless one imports them.

Every answer errs towards "may": a class whose bases are not understood may be a module.
"""

from __future__ import annotations

import builtins
from functools import cache, cached_property
from typing import Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.classes import MODULE_BASE_NAMES, MODULE_BASES, is_foreign, is_module_name
from graphmend_lint.headers import Bound, Header
from graphmend_lint.project import Imported, Module, Project

STEPS: Final = 8  #: imports from file to file that are followed


class Beginnings:
    """Answers for the files of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._linted = frozenset(project.linted)
        self._verdicts: dict[str, bool] = {}

    def hold_modules(self, module: Module) -> bool:
        """True if the file may define a class that derives from nn.Module."""
        if not module.source.may_hold_modules:
            return False
        return any(self._derives(header, module) for header in module.source.headers)

    @cached_property
    def _classes(self) -> dict[str, list[tuple[Header, Module]]]:
        found: dict[str, list[tuple[Header, Module]]] = {}
        for module in self._project.linted:
            for header in module.source.headers:
                found.setdefault(header.name, []).append((header, module))
        return found

    def _derives(self, header: Header, module: Module) -> bool:
        return header.bases is None or any(self._is_module(base, module) for base in header.bases)

    def _is_module(self, base: str, module: Module) -> bool:
        last = base.rpartition(".")[2]
        if last in _module_names() or last not in self._classes:
            return self._is_module_elsewhere(base, module, STEPS)
        return self._is_derived(last)

    def _is_derived(self, name: str) -> bool:
        """True if a linted class of this name may be a module."""
        if name not in self._verdicts:
            self._verdicts[name] = False
            self._verdicts[name] = any(self._derives(header, module) for header, module in self._classes[name])
        return self._verdicts[name]

    def _is_module_elsewhere(self, name: str, module: Module, steps: int) -> bool:
        """The same for what no linted file defines as a class: imported, assigned, or a builtin."""
        first, _, rest = name.partition(".")
        bound = module.source.imports.get(first)
        if bound is None:
            return not (rest == "" and hasattr(builtins, name))
        return any(self._leads_to_module(each, rest, module, steps) for each in bound)

    def _leads_to_module(self, bound: Bound, rest: str, module: Module, steps: int) -> bool:
        path = bound.module.lstrip(".")
        level = len(bound.module) - len(path)
        origin = self._project.find(module, Imported(path, level, bound.name))
        if origin is not None:
            known = bound.name is not None and origin in self._linted and steps > 0
            name = ".".join(filter(None, (bound.name, rest)))
            return not known or self._is_module_elsewhere(name, origin, steps - 1)
        qualified = ".".join(filter(None, (path, bound.name, rest)))
        if level == 0 and is_module_name(qualified):
            return True
        source = module.source
        return source.has_forward and source.imports_torch and (level > 0 or is_foreign(qualified))


@cache
def _module_names() -> frozenset[str]:
    """Last parts of the names of classes that are modules."""
    known = MODULE_BASES | torch_api.modules()
    return MODULE_BASE_NAMES | {name.rpartition(".")[2] for name in known}
