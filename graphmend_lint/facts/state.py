"""What holds at one point of a function: its names, the attributes it has stored, whether control gets there."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from graphmend_lint.facts.values import CHOICE, NONE_VALUE, TENSOR, UNKNOWN, UNKNOWN_VALUE, Value, join, united

if TYPE_CHECKING:
    from graphmend_lint.facts.objects import Instance

#: how code is run. LIVE, DORMANT: written down. PROBE: in full, nothing written down, to see what uses of parameters
#: prove. SILENT: only for values and stored attributes, so that calls whose value is not used are skipped.
SILENT, PROBE, DORMANT, LIVE = 0, 1, 2, 3

Path = tuple["Instance", str]


class State:
    """Names and attribute paths with their values. Copied at a branch, merged after it."""

    __slots__ = ("attributes", "dormant", "live", "names")

    def __init__(
        self,
        names: dict[str, Value],
        attributes: dict[Path, Value],
        *,
        live: bool = True,
        dormant: bool = False,
    ) -> None:
        self.names = names
        self.attributes = attributes
        self.live = live
        self.dormant = dormant

    def copy(self) -> State:
        return State(self.names.copy(), self.attributes.copy(), live=self.live, dormant=self.dormant)

    def agrees(self, other: State) -> bool:
        """True if the kinds in `other` hold here too, so that another round of a loop would find nothing new."""
        return all(_alike(self.names.get(name), value) for name, value in other.names.items()) and all(
            _alike(self.attributes.get(path), value) for path, value in other.attributes.items()
        )

    def become(self, *others: State) -> None:
        """Replace this state by what holds if control comes from any of `others`."""
        live = [other for other in others if other.live]
        self.live = bool(live)
        if not live:
            return
        names, attributes = live[0].names, live[0].attributes
        for other in live[1:]:
            names = _merge_names(names, other.names)
            attributes = _merge_attributes(attributes, other.attributes)
        self.names, self.attributes = names, attributes


def _alike(a: Value | None, b: Value) -> bool:
    if a is b:
        return True
    if a is None or a.kinds != b.kinds or a.target is not b.target or a.traits != b.traits:
        return False
    if b.name == CHOICE and a.items != b.items:
        return False
    return a.const == b.const or type(b.const) in {int, float}


def _merge_names(a: dict[str, Value], b: dict[str, Value]) -> dict[str, Value]:
    """The names after two paths. One that is bound on one path only keeps its value: the other would raise anyway."""
    merged = a.copy()
    for name, value in b.items():
        mine = merged.get(name)
        if mine is None:
            merged[name] = value
        elif mine is not value:
            merged[name] = join(mine, value)
    return merged


def _merge_attributes(a: dict[Path, Value], b: dict[Path, Value]) -> dict[Path, Value]:
    """The stored attributes after two paths. What only one path stores is forgotten, so that the class answers again.

    In a constructor it is kept, unless the class defines it as well. It may be None then, since reading it after the
    other path is an error: no fix may read it where the original did not.
    """
    merged = {path: join(value, b[path]) for path, value in a.items() if path in b}
    if len(merged) < len(a) or len(merged) < len(b):
        for path, value in (*a.items(), *b.items()):
            if path not in merged and path[0].state == "building":
                merged[path] = UNKNOWN_VALUE if path[1] in path[0].cls.members else join(value, NONE_VALUE)
    return merged


def unknown_from(*values: Value | None) -> Value:
    """An unknown value that is made of these, and inherits the parameters that they come from.

    It inherits none if one of them is a tensor, or is unknown and comes from no parameter. What uses of the result
    prove may then be due to that one, and not to a parameter.
    """
    origins = []
    for value in values:
        if value is not None and value.origin:
            origins.append(value.origin)
        elif value is not None and value.kinds & (UNKNOWN | TENSOR):
            return UNKNOWN_VALUE
    return Value(UNKNOWN, origin=reduce(united, origins)) if origins else UNKNOWN_VALUE
