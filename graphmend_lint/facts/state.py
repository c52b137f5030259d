"""What holds at one point of a function: its names, the attributes it has stored, whether control gets there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphmend_lint.facts.values import UNKNOWN, UNKNOWN_VALUE, Value, join

if TYPE_CHECKING:
    from graphmend_lint.facts.objects import Instance

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

    def become(self, *others: State) -> None:
        """Replace this state by what holds if control comes from any of `others`."""
        live = [other for other in others if other.live]
        self.live = bool(live)
        if not live:
            return
        self.names = _merge([other.names for other in live])
        self.attributes = _merge([other.attributes for other in live])


def _merge(tables: list[dict[Any, Value]]) -> dict[Any, Value]:
    first, *rest = tables
    if not rest:
        return first
    merged = first.copy()
    for other in rest:
        for key, value in other.items():
            mine = merged.get(key)
            if mine is None:
                merged[key] = value
            elif mine is not value:
                merged[key] = join(mine, value)
    return merged


def unknown_from(*values: Value | None) -> Value:
    """An unknown value that comes from these, and inherits the parameters they come from."""
    origins = [value.origin for value in values if value is not None and value.origin]
    return Value(UNKNOWN, origin=frozenset().union(*origins)) if origins else UNKNOWN_VALUE
