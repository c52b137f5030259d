"""Constant messages, given once per trace: moved into a function that Dynamo calls once, while it traces."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import CONSTANT, FUNCTION, NONE
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.defer import text_only_test
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.shapes import bound_in, call_statement
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

WORDS: Final = 4  #: of the message, for the function's name
STATIC: Final = CONSTANT | FUNCTION | NONE


def once(call: ast.Call, facts: Facts) -> Fix | None:
    """The call in a function of its own, if everything that it names is known at the top level of the module."""
    torch, statement = torch_name(facts, call), statement_of(call, facts)
    if torch is None or statement is None or call_statement(statement) is not call or facts.function(call) is None:
        return None
    code = _moved(call, facts)
    if text_only_test(statement, facts) is not None or not _is_constant(call, facts) or code is None:
        return None
    name = _name(call, facts)
    text = f"@{torch}.compiler.assume_constant_result\ndef {name}() -> None:\n    {code}\n"
    return Fix(
        title="Say it once per trace",
        applicability=Applicability.SAFE,
        edits=lambda site: (site.replace(statement, f"{name}()"),),
        imports=("torch",),
        definitions=(text,),
    )


def _moved(call: ast.Call, facts: Facts) -> str | None:
    """The text of the call, indented by four; None if a string or a line continuation spans its lines."""
    first, *rest = facts.text(call).splitlines()
    spans = any(mark in line for line in (first, *rest) for mark in ('"""', "'''")) or first.endswith("\\")
    margin = facts.source.lines[call.lineno - 1][: call.col_offset]
    if rest and (spans or not margin.isspace() or not all(line.startswith(margin) or not line for line in rest)):
        return None
    return "\n".join([first, *(f"    {line.removeprefix(margin)}" if line else "" for line in rest)])


def _is_constant(call: ast.Call, facts: Facts) -> bool:
    """True if the call means the same at the top level of the module, and does not depend on its frame."""
    if any(word.arg in (None, "stacklevel", "stack_info", "exc_info", "file") for word in call.keywords):
        return False
    arguments = [*call.args, *(word.value for word in call.keywords)]
    return all(is_static(each, facts) for each in arguments) and not _is_local(call, facts)


def is_static(node: ast.expr, facts: Facts) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.Name() | ast.Attribute():
            kinds = facts.kinds(node)
            return bool(kinds) and not kinds & ~STATIC
        case ast.JoinedStr(values=parts):
            return all(is_static(part, facts) for part in parts)
        case ast.FormattedValue(value=value, format_spec=spec):
            return is_static(value, facts) and (spec is None or is_static(spec, facts))
    return False


def _is_local(call: ast.Call, facts: Facts) -> bool:
    """True if a name in the call belongs to a function or class around it."""
    return any(is_local(each.id, call, facts) for each in walk(call) if isinstance(each, ast.Name))


def is_local(name: str, node: ast.AST, facts: Facts) -> bool:
    """True if a function around `node` binds the name."""
    function = facts.function(node)
    while function is not None:
        if bound_in(function, name):
            return True
        function = facts.function(function)
    return False


def _name(call: ast.Call, facts: Facts) -> str:
    """A name for the message that nothing else in the file has: its first words, and its row if they are not enough."""
    slug = _slug(call)
    same = [each for each in _calls(facts.source.tree) if _slug(each) == slug]
    return slug if len(same) == 1 and slug not in facts.source.text else f"{slug}_{call.lineno}"


def _slug(call: ast.Call) -> str:
    values = [each.value for each in walk(call) if isinstance(each, ast.Constant)]
    text = " ".join(value for value in values if isinstance(value, str))
    return "_".join(["_say", *re.findall(r"[a-z0-9]+", text.lower())[:WORDS]])


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in walk(tree) if isinstance(node, ast.Call))
