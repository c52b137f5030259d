"""Text, warnings and files that the function itself reads again: they cannot be left out of compiled code."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.text_calls import is_warning
from graphmend_lint.model import Refusal
from graphmend_lint.shapes import dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

READ_AGAIN: Final = Refusal("read-again", "what is written or warned of is read again in this function")
#: where functions that write take what they write into: position and name
INTO: Final = {"torch.save": (1, "f"), "pickle.dump": (1, "file"), "json.dump": (1, "fp")}
WRITING: Final = frozenset({"write", "writelines", "flush", "close"})
CATEGORIES: Final = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Warning)
)


def is_read_again(node: ast.AST, facts: Facts) -> bool:
    """True if something below `node` writes, or warns of, what the function asks for elsewhere."""
    calls = [each for each in walk(node) if isinstance(each, ast.Call)]
    return any(_is_asked_for(each, facts) or _is_caught(each, facts) for each in calls)


def _is_asked_for(call: ast.Call, facts: Facts) -> bool:
    """True for a call that writes into an object with which the function does more than write."""
    stream, function = _written_into(call, facts), facts.function(call)
    path = dotted(stream) if stream is not None else None
    if path is None or function is None or path.startswith("sys."):
        return False
    return any(
        dotted(each) == path and isinstance(each.ctx, ast.Load) and not _only_writes(each, facts)
        for each in walk(function)
        if isinstance(each, ast.Name | ast.Attribute)
    )


def _written_into(call: ast.Call, facts: Facts) -> ast.expr | None:
    position, name = INTO.get(facts.resolve(call.func) or "", (None, "file"))
    given = next((each.value for each in call.keywords if each.arg == name), None)
    if given is None and position is not None and position < len(call.args):
        return call.args[position]
    return given


def _only_writes(stream: ast.expr, facts: Facts) -> bool:
    """True where an object is only written into: a call is given it for that, or a method of it is called."""
    parent = facts.parent(stream)
    if isinstance(parent, ast.Attribute):
        return parent.attr in WRITING
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and _written_into(call, facts) is stream


def _is_caught(call: ast.Call, facts: Facts) -> bool:
    """True for a warning that a `with` around it records, or an `except` around it waits for."""
    if not is_warning(facts.resolve(call.func), facts):
        return False
    return any(_records(above, facts) or _waits(above) for above in _around(call, facts))


def _around(node: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    above = facts.parent(node)
    while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        yield above
        above = facts.parent(above)


def _records(node: ast.AST, facts: Facts) -> bool:
    return isinstance(node, ast.With | ast.AsyncWith) and any(
        item.optional_vars is not None
        and isinstance(item.context_expr, ast.Call)
        and facts.resolve(item.context_expr.func) == "warnings.catch_warnings"
        for item in node.items
    )


def _waits(node: ast.AST) -> bool:
    handled = node.handlers if isinstance(node, ast.Try) else []
    names = [each for handler in handled if handler.type is not None for each in walk(handler.type)]
    return any(each.id in CATEGORIES for each in names if isinstance(each, ast.Name))
