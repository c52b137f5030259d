"""Code that only speaks to a person: kept out of the compiled function."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.text_calls import is_log, is_print, is_warning
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.lasting import changes, leaves_something
from graphmend_lint.rewrite.read_again import READ_AGAIN, is_read_again
from graphmend_lint.shapes import block_of, call_statement
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site


def is_text(statement: ast.stmt, facts: Facts) -> bool:
    """True for a statement that only logs, warns or prints."""
    call = call_statement(statement)
    name = facts.resolve(call.func) if call is not None else None
    return is_log(name, facts) or is_warning(name, facts) or is_print(name, facts)


def defer(call: ast.Call, facts: Facts, caveat: str) -> Fix | Refusal:
    """Keep the statement of `call` for eager mode: `if not torch.compiler.is_compiling():`."""
    torch = torch_name(facts, call)
    statement = statement_of(call, facts)
    if torch is None:
        return SHADOWED
    if statement is None or facts.function(call) is None:
        return Refusal("not-a-statement", "the call is not in a function")
    if (above := text_only_test(statement, facts)) is not None:
        return defer_if(above, facts, caveat)
    if call_statement(statement) is not call:
        return Refusal("value-used", "the value of the call is used, so it cannot be left out")
    if has_effect(call, facts):
        return Refusal("arguments-have-effects", "evaluating the arguments changes something")
    if is_read_again(call, facts):
        return READ_AGAIN
    run = _run(statement, facts)
    parent = facts.parent(statement)
    if isinstance(parent, ast.If) and parent.body == run and _may_join(parent):
        return defer_if(parent, facts, caveat)
    return _guarded(run, torch, facts, caveat)


def defer_if(node: ast.If, facts: Facts, caveat: str) -> Fix | Refusal:
    """Keep a whole `if` for eager mode by one more condition in its test."""
    torch = torch_name(facts, node)
    if torch is None:
        return SHADOWED
    if refusal := _test_refusal(node.test, facts):
        return refusal
    if any(has_effect(statement, facts) for statement in node.body):
        return Refusal("arguments-have-effects", "evaluating the arguments changes something")
    if is_read_again(node, facts):
        return READ_AGAIN
    return _skip(lambda site: (_with_condition(site, node, torch),), facts, caveat)


def _skip(edits: Callable[[Site], tuple[Edit, ...]], facts: Facts, caveat: str) -> Fix:
    """The fix that leaves text out when compiled: safe if the policy "guard" asks for that, else unsafe."""
    chosen = facts.side_effects == "guard"
    level = Applicability.SAFE if chosen else Applicability.UNSAFE
    return Fix("Skip while compiling", level, edits, "" if chosen else caveat, ("torch",))


def _test_refusal(test: ast.expr, facts: Facts) -> Refusal | None:
    """Why a condition cannot be left out when compiled: it has an effect. Whether it raises does not matter."""
    if any(isinstance(child, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for child in walk(test)):
        return Refusal("condition-has-effects", "evaluating the condition changes something")
    if has_effect(test, facts):
        return Refusal("condition-has-effects", "evaluating the condition may change something")
    return None


def text_only_test(statement: ast.stmt, facts: Facts) -> ast.If | None:
    """The `if` around a statement that only speaks, if its test breaks the graph as well."""
    node = statement if isinstance(statement, ast.If) else facts.parent(statement)
    while isinstance(node, ast.If):
        if speaks_only(node, facts) and (facts.is_data(node.test) or node is statement):
            return node
        node = facts.parent(node)
    return None


def speaks_only(node: ast.If, facts: Facts) -> bool:
    """True if the `if` only logs, warns or prints, in every branch, and is no `elif` before other code."""
    blocks = [node.body, *([node.orelse] if node.orelse else [])]
    return all(
        bool(block)
        and all(is_text(each, facts) or (isinstance(each, ast.If) and speaks_only(each, facts)) for each in block)
        for block in blocks
    )


def _may_join(node: ast.If) -> bool:
    """True if a condition may be put before the test: there is no `else`, and the test is one line without effects."""
    plain = not any(isinstance(child, ast.Call | ast.NamedExpr | ast.Await) for child in walk(node.test))
    return plain and not node.orelse and node.test.lineno == node.test.end_lineno == node.lineno


def _with_condition(site: Site, node: ast.If, torch: str) -> Edit:
    guard = f"not {torch}.compiler.is_compiling()"
    test = site.code(node.test)
    test = f"({test})" if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else test
    line = f"if {guard} and {test}:"
    fits = "\n" not in test and len(line) <= site.room(node) and not isinstance(node.test, ast.IfExp | ast.Lambda)
    if fits and not node.orelse:
        return site.replace(node, f"{line}\n    BODY", BODY=node.body)
    return site.replace(node, f"if {guard}:\n    WHOLE", WHOLE=[node])


def _run(statement: ast.stmt, facts: Facts) -> list[ast.stmt]:
    """The run of statements around `statement`, next to each other, that only speak."""
    parent = facts.parent(statement)
    block = block_of(statement, parent) if parent is not None else []
    if not block or facts.side_effects in ("once", "vendor"):  # those next to it may be kept in another way
        return [statement]
    first = last = block.index(statement)
    while first > 0 and _joins(block[first - 1], facts):
        first -= 1
    while last + 1 < len(block) and _joins(block[last + 1], facts):
        last += 1
    return block[first : last + 1]


def _joins(statement: ast.stmt, facts: Facts) -> bool:
    call = call_statement(statement)
    name = facts.resolve(call.func) if call is not None else None
    speaks = is_log(name, facts) or is_warning(name, facts)
    return speaks and not has_effect(statement, facts) and not is_read_again(statement, facts)


def _guarded(run: list[ast.stmt], torch: str, facts: Facts, caveat: str) -> Fix:
    def edits(site: Site) -> tuple[Edit, ...]:
        first = site.replace(run[0], f"if not {torch}.compiler.is_compiling():\n    RUN", RUN=run)
        return (first, *(site.remove(each) for each in run[1:]))

    return _skip(edits, facts, caveat)


def has_effect(node: ast.AST, facts: Facts) -> bool:
    """True if evaluating may change something that would be missed: bind a name, change a value, use up an iterator."""
    return any(changes(child, facts) or leaves_something(child, facts) for child in walk(node))
