"""How deep code may be nested. Python counts the calls of its functions, and gives up before the stack is full; it does
not count calls among compiled functions, so that this module is not compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import TypeVar

K = TypeVar("K")
N = TypeVar("N")
A = TypeVar("A")
T = TypeVar("T")


def counted(table: dict[K, Callable[[N, A], T]]) -> dict[K, Callable[[N, A], T]]:
    """The same functions, each call of which counts for the limit of recursion."""
    return {key: each if isinstance(each, MethodType) else _counted(each) for key, each in table.items()}


def _counted(function: Callable[[N, A], T]) -> Callable[[N, A], T]:
    def call(node: N, activation: A) -> T:
        return function(node, activation)

    return call
