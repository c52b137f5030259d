"""Functions that give the keys by which Python's builtins put something in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.values import FUNCTION, join_all

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter


def ask_key(run: Interpreter, arguments: Arguments, activation: Activation) -> None:
    """Run the function that `max(xs, key=f)` and `sorted(xs, key=f)` ask for the key of each item."""
    key, given = dict(arguments.keywords).get("key"), arguments.positional
    if key is None or not key.kinds & FUNCTION or not given:
        return
    item = run.expressions.element(given[0]) if len(given) == 1 else join_all(given)
    run.calls.apply(key, Arguments((item,)), activation)
