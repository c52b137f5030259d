"""Answers that are passed on to other functions of the file, which do nothing with them but decide."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.rewrite.callers import called, calls_of, given_for, is_open, parameters
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.shapes import in_test, walk_function

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

FUNCTIONS: Final = 6  #: that an answer is followed through
CAVEAT: Final = "Callers elsewhere must pass a tensor as well, where a function is given the answer."


class Followed:
    """An answer, from the name that it is given to everything that it decides."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.loads: set[ast.expr] = set()
        self.given: dict[tuple[ast.FunctionDef, str], None] = {}  #: parameters that hold it

    def decides(self, name: str, statement: ast.stmt) -> bool:
        """True if the name that the statement sets only decides, here and wherever it is passed on."""
        loads = loads_of(name, statement, self.facts)
        if not loads or not all(map(self._goes, loads)):
            return False
        done = 0
        while done < len(self.given):
            if done == FUNCTIONS or not self._inside(*[*self.given][done]):
                return False
            done += 1
        return all(self._is_given_always(*each) for each in self.given)

    def _goes(self, load: ast.expr) -> bool:
        self.loads.add(load)
        if in_test(load, self.facts.parent):
            return True
        above = self.facts.parent(load)
        call = self.facts.parent(above) if isinstance(above, ast.keyword) else above
        function = called(call, self.facts) if isinstance(call, ast.Call) and call.func is not load else None
        if not isinstance(call, ast.Call) or not isinstance(function, ast.FunctionDef) or not is_open(function):
            return False
        names = [each for each in parameters(function) if given_for(call, each, function, self.facts) is load]
        self.given.update(((function, each), None) for each in names)
        return len(names) == 1 and not _is_annotated(function, names[0])

    def _inside(self, function: ast.FunctionDef, name: str) -> bool:
        """True if the function does nothing with the parameter but decide, or pass it on to decide."""
        names = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name]
        return all(isinstance(each.ctx, ast.Load) and self._goes(each) for each in names)

    def _is_given_always(self, function: ast.FunctionDef, name: str) -> bool:
        """True if every call of the function in this file passes the answer."""
        return all(given_for(each, name, function, self.facts) in self.loads for each in calls_of(function, self.facts))


def _is_annotated(function: ast.FunctionDef, name: str) -> bool:
    """True if the parameter has an annotation: that says it is a bool, and not a tensor."""
    places = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return any(each.arg == name and each.annotation is not None for each in places)
