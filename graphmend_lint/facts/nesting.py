"""Keeps deeply nested code within Python's limit of recursion.

Python counts the calls of its own functions, and raises before the stack is full. Calls among compiled functions are
not counted. So this module is never compiled, and every deep recursion passes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import TypeVar

K = TypeVar("K")
N = TypeVar("N")
A = TypeVar("A")
T = TypeVar("T")


def counted(table: dict[K, Callable[[N, A], T]]) -> dict[K, Callable[[N, A], T]]:
    """The same functions, each wrapped so that a call of it counts for the limit of recursion."""
    return {key: each if isinstance(each, MethodType) else _counted(each) for key, each in table.items()}


def _counted(function: Callable[[N, A], T]) -> Callable[[N, A], T]:
    def call(node: N, activation: A) -> T:
        return function(node, activation)

    return call
