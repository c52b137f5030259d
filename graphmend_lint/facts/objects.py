"""Objects of the project's classes: one per class and kinds of constructor arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from graphmend_lint.facts.values import Value
from graphmend_lint.project import ClassDef


class Arguments(NamedTuple):
    """What a call passes. `open` says that a `*` or `**` of unknown content may pass more."""

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    open: bool = False
    spread: Value | None = None  #: what `*` passes one by one, if its length is unknown


@dataclass(eq=False, repr=False)
class Instance:
    """An object of a class: all objects built from arguments of the same kinds are one.

    `arguments` is None for an object that comes from outside: an entry point's receiver, or an annotation.
    """

    cls: ClassDef
    arguments: Arguments | None
    order: tuple[ClassDef, ...]  #: the class and its bases in the program, nearest first
    attributes: dict[str, Value] = field(default_factory=dict)  #: after the constructor
    state: str = "new"  #: "new", "building", "built"
    stored: dict[str, Value] = field(default_factory=dict)  #: by any method, join over all
    known: dict[str, tuple[int, Value]] = field(default_factory=dict)  #: answers, with the version they hold for
    examined: set[str] = field(default_factory=set)  #: methods run only to see what they store

    def __repr__(self) -> str:
        return f"<{self.cls.name}>"


@dataclass(eq=False, repr=False)
class Super:
    """`super()` inside a method: attribute lookup continues after `cls` in the receiver's order."""

    cls: ClassDef
    receiver: Value
