"""Letting go of trees and texts that a large run no longer needs. A tree takes thirty times the memory of its text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphmend_lint.facts.interpreter import Interpreter
from graphmend_lint.project import Module

EVERY: Final = 32  #: files between two times of tidying up


class Memory:
    """Lets go of the trees and texts of linted modules. What is asked for again is read again."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._linted = frozenset(interpreter.project.linted)
        self._closed: set[Module] = set()
        self._tidied: set[Module] = set()
        self._steps = 0  #: files that were gone through

    def close(self, module: Module) -> None:
        """Let go of a module about which nothing more is going to be said."""
        self._closed.add(module)
        self.pass_by([module])
        if len(self._closed) % EVERY == 0:
            self._interpreter.forget_receivers(self._closed)
        self.tidy()

    def tidy(self) -> None:
        """Now and then, let go of trees and texts that were only needed in passing."""
        self._steps += 1
        if self._steps % EVERY == 0:
            passing = [each for each in self._linted - self._tidied if each.source.is_held]
            self._tidied.update(passing)
            self.pass_by(passing)

    def pass_by(self, modules: Iterable[Module]) -> None:
        """Let go of these modules' trees and texts, unless something is known about them."""
        for module in modules:
            if module in self._linted and not self._interpreter.holds_facts(module):
                module.let_go()
