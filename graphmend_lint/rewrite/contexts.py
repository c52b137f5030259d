"""Contexts that Dynamo does not enter: left out when compiled, or taken out of an `ExitStack`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import DATA
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import name_of, torch_name
from graphmend_lint.rewrite.template import indented
from graphmend_lint.shapes import call_statement, names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: what nothing but warnings and errors depend on, and what is not done when it is left out
LEFT_OUT: Final = {
    "warnings.catch_warnings": "Warnings are not filtered when compiled.",
    "torch.autograd.set_detect_anomaly": "Anomalies are not looked for when compiled.",
    "torch.autograd.detect_anomaly": "Anomalies are not looked for when compiled.",
}
STACK: Final = "contextlib.ExitStack"


def context(node: ast.Call, facts: Facts) -> Fix | None:
    """A rewrite of the `with` whose context the call makes; None if there is none."""
    item = facts.parent(node)
    if not isinstance(item, ast.withitem) or item.context_expr is not node:
        return None
    name = facts.resolve(node.func) or ""
    return _unstacked(node, item, facts) if name == STACK else _left_out(node, item, LEFT_OUT.get(name, ""), facts)


def _left_out(node: ast.Call, item: ast.withitem, caveat: str, facts: Facts) -> Fix | None:
    torch, contextlib = torch_name(facts, node), name_of("contextlib", facts.source.tree) or "contextlib"
    if torch is None or not caveat or item.optional_vars is not None:
        return None
    empty = f"{contextlib}.nullcontext() if {torch}.compiler.is_compiling() else"
    return Fix(
        title="Do not enter the context while compiling",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(node, f"{empty} {site.code(node)}"),),
        caveat=caveat,
        imports=("torch", "contextlib"),
    )


def _unstacked(node: ast.Call, item: ast.withitem, facts: Facts) -> Fix | None:
    """`with ExitStack() as stack: stack.enter_context(a)` as `with a`."""
    block, stack = facts.parent(item), item.optional_vars
    if not isinstance(block, ast.With) or len(block.items) != 1 or not isinstance(stack, ast.Name) or node.args:
        return None
    entered: list[tuple[ast.expr, ast.expr | None, ast.expr | None]] = []
    for statement in block.body:
        found = _entered(statement, stack.id, facts)
        if found is None:
            break
        entered.append(found)
    rest = block.body[len(entered) :]
    if not entered or not rest or _is_used(stack.id, rest, block, facts):
        return None
    contextlib = name_of("contextlib", facts.source.tree) or "contextlib"

    def edits(site: Site) -> tuple[Edit, ...]:
        items = [_item(each, contextlib, site) for each in entered]
        return (site.replace(block, f"{_header(items, site.room(block, 0))}\n    REST", REST=rest),)

    optional = any(test is not None and other is None for _, test, other in entered)
    return Fix("Enter the contexts themselves", Applicability.SAFE, edits, "", ("contextlib",) if optional else ())


def _is_used(stack: str, rest: list[ast.stmt], block: ast.With, facts: Facts) -> bool:
    """True if the rest of the block reads the stack, or the function names it outside of the block."""
    function, inside = facts.function(block), {id(each) for each in walk(block)}
    outside = [each for each in walk(function) if id(each) not in inside] if function is not None else []
    named = any(isinstance(each, ast.Name) and each.id == stack for each in outside)
    return named or any(stack in names_read(each) for each in rest)


def _header(items: list[str], room: int) -> str:
    """`with` and the contexts: on one line if they fit, else each on one of its own."""
    flat = f"with {', '.join(items)}:"
    if len(flat) <= room and "\n" not in flat:
        return flat
    lines = "".join(f"    {indented(each)},\n" for each in items)
    return f"with (\n{lines}):"


Entered = tuple[ast.expr, ast.expr | None, ast.expr | None]


def _item(entered: Entered, contextlib: str, site: Site) -> str:
    made, test, other = entered
    if test is None:
        return site.argument(made)
    instead = f"{contextlib}.nullcontext()" if other is None else site.argument(other)
    return f"{site.argument(made)} if {site.code(test)} else {instead}"


def _entered(statement: ast.stmt, stack: str, facts: Facts) -> Entered | None:
    """The context that a statement enters, the condition for it, and what is entered otherwise."""
    match statement:
        case ast.If(test=test, body=[then], orelse=others) if len(others) < 2 and not facts.kinds(test) & DATA:
            made = _argument(then, stack)
            other = _argument(others[0], stack) if others else None
            missing = made is None or (others and other is None) or stack in names_read(test)
            return None if missing or made is None else (made, test, other)
    made = _argument(statement, stack)
    return None if made is None else (made, None, None)


def _argument(statement: ast.stmt, stack: str) -> ast.expr | None:
    match call_statement(statement):
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="enter_context"), args=[made], keywords=[]) if (
            name == stack and stack not in names_read(made)
        ):
            return made
    return None
