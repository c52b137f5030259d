"""What is remembered of the runs of a module's functions."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import Value
from graphmend_lint.project import FunctionDef, Module

Who = tuple[FunctionDef, object, int]  #: a function, what it is bound to, and the mode
RunKey = tuple[Who, tuple[Value, ...]]  #: and its arguments


class Summary(NamedTuple):
    """What a call does, seen from outside."""

    value: Value
    stores: dict[tuple[Instance, str], Value]


class Runs:
    """All runs of one module's functions."""

    def __init__(self) -> None:
        self.summaries: dict[RunKey, Summary | None] = {}  #: None while the run goes on
        self.done: dict[Who, list[tuple[dict[str, Value], Summary]]] = {}
        self.counts: dict[Who, int] = {}
        self.closures: dict[object, FunctionDef] = {}

    def forget(self, closed: Container[Module]) -> None:
        """Forget what was done to objects whose classes are in closed modules."""
        gone = {who for who in self.counts if _is_in(who[1], closed)}
        self.counts = {who: count for who, count in self.counts.items() if who not in gone}
        self.done = {who: runs for who, runs in self.done.items() if who not in gone}
        self.summaries = {key: summary for key, summary in self.summaries.items() if key[0] not in gone}


def _is_in(target: object, modules: Container[Module]) -> bool:
    return isinstance(target, Instance) and target.cls.module in modules
