"""What a second test for None says of other names.

After `n = 0 if x is None else x[0]`, written as a statement, `n` may be either. Where `x` is tested for None again, it
is the one that goes with the answer.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from graphmend_lint.facts.values import UNKNOWN, UNKNOWN_VALUE, Value

if TYPE_CHECKING:
    from graphmend_lint.facts.state import State


class Given(NamedTuple):
    """The names that two branches leave different, by whether `subject` was None.

    Values are compared by identity: each join makes an object of its own, so a name that still holds that object has
    not been bound again.
    """

    subject: Value
    names: tuple[tuple[str, Value, Value, Value], ...]  #: name, joined, where the subject is None, where it is not


def none_test(test: ast.expr) -> tuple[str, bool] | None:
    """The name that `x is None` or `x is not None` asks for, and True for the first."""
    match test:
        case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as operator], [ast.Constant(None)]):
            return name, isinstance(operator, ast.Is)
    return None


def note(given: dict[str, Given], test: ast.expr, joined: State, ends: list[State]) -> None:
    """Remember what the two branches of a test for None leave different. `ends` are the true one, the false one."""
    tested = none_test(test)
    if tested is None or len(ends) != 2 or not (ends[0].live and ends[1].live):
        return
    name, is_none = tested
    if name not in joined.names:
        return
    absent, present = (end.names for end in (ends if is_none else ends[::-1]))
    differ = [each for each in joined.names if each != name and _differ(absent.get(each), present.get(each))]
    if differ:
        names = tuple((each, _own(joined, each), absent[each], present[each]) for each in differ)
        given[name] = Given(_own(joined, name), names)


def _differ(a: Value | None, b: Value | None) -> bool:
    return a is not b and a is not None and b is not None and a != b


def _own(state: State, name: str) -> Value:
    """What a name holds, as an object that no other name has: all that is unknown is one object until then."""
    value = state.names[name]
    if value is UNKNOWN_VALUE:
        value = state.names[name] = Value(UNKNOWN)
    return value


def recall(given: dict[str, Given], name: str, state: State, *, is_none: bool) -> None:
    """Sharpen the other names where `name` is tested for None once more."""
    known = given.get(name)
    if known is None or state.names.get(name) is not known.subject:
        return
    for each, joined, absent, present in known.names:
        if state.names.get(each) is joined:
            state.names[each] = absent if is_none else present


__all__ = ["Given", "note", "recall"]
