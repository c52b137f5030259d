"""The abstract values of `rowwise`: what an expression has to do with the rows that are selected."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class NotRowWise(Exception):  # noqa: N818  # an answer, no error
    """Raised where it cannot be proven that the code goes row by row."""


@dataclass(frozen=True)
class _Word:
    name: str


PLAIN: Final = _Word("does not depend on which rows are selected")
NUMBER: Final = _Word("a Python number that does not")
FOREIGN: Final = _Word("a tensor from outside, which may have a row for each selected one")
INDEX: Final = _Word("the indices of the rows")


class Rows(NamedTuple):
    """A tensor with one row for each selected row, in order."""

    rank: int | None = None
    exact: bool = True  #: else several rows for each, next to each other
    shared: bool = False  #: may be part of a tensor that others see, once all rows are taken
    placed: bool = True  #: the rows are surely the first dimension: nothing with more dimensions was added


class Count(NamedTuple):
    """How many rows there are; a multiple, unless `exact`."""

    exact: bool


class Sizes(NamedTuple):
    """The shape of rows."""

    rank: int | None
    exact: bool
    of: str | None = None  #: the name of the rows


class Many(NamedTuple):
    """A tuple or list."""

    items: tuple[Seen, ...]


Seen = Rows | Count | Sizes | Many | _Word
Env = dict[str, Seen]


@dataclass
class Frame:
    """One run of one function."""

    names: Env
    cls: ast.ClassDef | None  #: the class of `self`
    returns: list[Seen] = field(default_factory=list)
    live: bool = True

    def copy(self) -> Frame:
        return Frame(dict(self.names), self.cls, self.returns, self.live)

    def become(self, arms: list[Frame]) -> None:
        """What holds if control comes from any of these."""
        live = [each for each in arms if each.live]
        self.live = bool(live)
        if not live:
            return
        first, *others = live
        for other in others:
            for name in first.names.keys() | other.names.keys():
                first.names[name] = joined(first.names.get(name, PLAIN), other.names.get(name, PLAIN))
        self.names = first.names

    def knows(self, name: str | None, rank: int) -> None:
        """Note the rank of a name, which the unpacking of its shape has shown."""
        if name is not None and isinstance(rows := self.names.get(name), Rows):
            self.names[name] = rows._replace(rank=rank)


def is_plain(value: Seen) -> bool:
    """True for what does not depend on the rows."""
    return value is PLAIN or value is NUMBER or value is FOREIGN


def plain_of(values: Iterable[Seen]) -> Seen:
    """The value of something computed from values that do not depend on the rows."""
    return FOREIGN if FOREIGN in values else PLAIN


def joined(a: Seen, b: Seen) -> Seen:
    """The value of something that may be either of two.

    Raises:
        NotRowWise: if they are of different kinds.
    """
    if a == b:
        return a
    if is_plain(a) and is_plain(b):
        return plain_of([a, b])
    if isinstance(a, Rows) and isinstance(b, Rows) and a.exact == b.exact:
        return Rows(a.rank if a.rank == b.rank else None, a.exact, a.shared or b.shared, a.placed and b.placed)
    raise NotRowWise("one of two kinds of values")
