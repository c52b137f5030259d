"""In which order files are followed, and when each has had its last turn, so that its tree need not be kept.

A file comes behind all that import from it, so that what they pass to it is known, and soon behind the last of them.
That is a guess about who calls whom. What a file is called with after its last turn does not count, as if the caller
were not linted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from graphmend_lint.headers import Bound
from graphmend_lint.project import Imported, Module, Project

Key = TypeVar("Key")
Turn = tuple[Module, tuple[Module, ...]]  #: whose it is, and the files that nobody who is still to come imports from


def turns(modules: Sequence[Module], project: Project) -> Iterator[Turn]:
    """The modules, each behind those that import from it; where they import each other, in their given order."""
    imported = _packages_first({module: _imported(module, project) for module in modules})
    order = _importers_first(imported)
    last = {module: position for position, module in enumerate(order)}
    for position, module in enumerate(order):
        for each in imported[module]:
            last[each] = max(last.get(each, 0), position)
    done: dict[int, list[Module]] = {}
    for module, position in last.items():
        done.setdefault(position, []).append(module)
    for position, module in enumerate(order):
        yield module, tuple(done.get(position, ()))


def _packages_first(imported: dict[Module, list[Module]]) -> dict[Module, list[Module]]:
    """The files of a package behind those of packages that import from it, maybe through files without a turn."""
    packages: dict[str, dict[str, None]] = {}
    for module, names in imported.items():
        own = _package(module)
        packages.setdefault(own, {}).update((other, None) for other in map(_package, names) if other != own)
    place = {name: position for position, name in enumerate(_importers_first(packages))}
    return {module: imported[module] for module in sorted(imported, key=lambda each: place[_package(each)])}


def _package(module: Module) -> str:
    return module.name.partition(".")[0]


def _imported(module: Module, project: Project) -> list[Module]:
    """The files of the project that a file imports from, wherever in it."""
    found: dict[Module, None] = {}
    for bound in (each for names in module.source.imports.values() for each in names):
        found |= dict.fromkeys(_origins(bound, module, project))
    found.pop(module, None)
    return list(found)


def _origins(bound: Bound, module: Module, project: Project) -> Iterator[Module]:
    """The module that an import names, and the submodule of it that the name may be."""
    path = bound.module.lstrip(".")
    origin = project.find(module, Imported(path, len(bound.module) - len(path), bound.name))
    if origin is not None:
        yield origin
        inner = project.submodule(origin, bound.name) if bound.name and origin.is_package else None
        if inner is not None:
            yield inner


def _importers_first(imported: Mapping[Key, Iterable[Key]]) -> list[Key]:
    """The keys in an order in which each comes after all keys that import it, as far as that is possible."""
    waiting = dict.fromkeys(imported, 0)
    for each in (each for names in imported.values() for each in names if each in waiting):
        waiting[each] += 1
    ready = [each for each in reversed(waiting) if not waiting[each]]
    others = iter(imported)
    order: dict[Key, None] = {}
    while (module := ready.pop() if ready else next(others, None)) is not None:
        for each in imported[module] if module not in order else ():
            if each in waiting:
                waiting[each] -= 1
                ready += [each] if not waiting[each] else []
        order.setdefault(module)
    return list(order)
