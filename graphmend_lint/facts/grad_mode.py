"""Whether gradients are recorded where a node runs, as far as the function around it says so."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

OFF: Final = ("no_grad", "inference_mode")
SWITCHES: Final = ("set_grad_enabled", "_set_grad_enabled")


def no_grad(node: ast.AST, facts: Facts) -> bool:
    """True if gradients are proven to be switched off around `node`, by a decorator or a `with`."""
    return _recorded(node, facts) is False


def maybe_no_grad(node: ast.AST, facts: Facts) -> bool:
    """True if gradients are switched off around `node`, or a flag decides: `torch.set_grad_enabled(flag)`."""
    return _recorded(node, facts) is not True


def _recorded(node: ast.AST, facts: Facts) -> bool | None:
    """True unless something around `node` switches gradients off; None if that depends."""
    current: ast.AST | None = node
    while current is not None:
        if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef) and _switches(current):
            return None
        for guard in reversed(_guards(current)):
            mode = _mode(guard, facts)
            if mode != NOTHING:
                return None if mode == DEPENDS else mode == ON
        current = facts.parent(current)
    return True


NOTHING, ON, SET_OFF, DEPENDS = range(4)


def _mode(guard: ast.expr, facts: Facts) -> int:
    """What a decorator or the context of a `with` does to gradients."""
    called = guard.func if isinstance(guard, ast.Call) else guard
    name = (facts.resolve(called) or "").rpartition(".")[2] or _spelled(called)
    flag = _flag(guard) if isinstance(guard, ast.Call) else True
    if name == "no_grad":
        return SET_OFF
    if name == "inference_mode":
        return SET_OFF if flag is True else NOTHING if flag is False else DEPENDS
    if name == "enable_grad":
        return ON
    if name not in SWITCHES:
        return NOTHING
    return DEPENDS if flag is None or not isinstance(guard, ast.Call) else ON if flag else SET_OFF


def _spelled(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _flag(guard: ast.Call) -> bool | None:
    """The flag that a call passes, True if it passes none; None if the flag is computed."""
    given = [*guard.args, *(each.value for each in guard.keywords)]
    match given:
        case []:
            return True
        case [ast.Constant(value=bool(flag))]:
            return flag
    return None


@kept(256)
def _switches(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """True if a statement of the function sets the mode from there on."""
    return any(
        isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Call)
        and isinstance(each.value.func, ast.Attribute)
        and each.value.func.attr in SWITCHES
        for each in walk(function)
    )


def _guards(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    return list(node.decorator_list) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
