"""Names and functions that stand for a tensor while compiling, and for a Python value in eager mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import NONE, TENSOR
from graphmend_lint.project import FunctionDef
from graphmend_lint.shapes import assignment, dotted, walk_function
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 5  #: definitions that are followed
WORD: Final = "is_compiling"
NUMBERS: Final = words("bool int float len round item any all isinstance hasattr")


def in_two_forms(test: ast.expr, facts: Facts) -> bool:
    """True if a part of the test may be a tensor when compiled, and a Python value in eager mode."""
    stored = _stored(facts.source.tree) if WORD in facts.source.text else frozenset[str]()
    for each in walk(test):
        match each:
            case ast.Call():
                target = facts.value(each.func).target
                if isinstance(target, FunctionDef) and _answers(target.node):
                    return True
            case ast.Name() | ast.Attribute() if stored and dotted(each) in stored:
                return True
            case ast.IfExp() if _asks(each.test):
                return True
    return False


def may_be_number(node: ast.expr, facts: Facts, depth: int = DEPTH) -> bool:
    """True if the result may be a number after all, since no operand is certain to be a tensor."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return not any(_is_tensor(each, facts, depth) for each in (left, *others))
        case ast.BinOp(left=left, right=right):
            return not (_is_tensor(left, facts, depth) or _is_tensor(right, facts, depth))
        case ast.UnaryOp(operand=operand):
            return not _is_tensor(operand, facts, depth)
        case ast.IfExp(body=body, orelse=orelse):
            return not (_is_tensor(body, facts, depth) and _is_tensor(orelse, facts, depth))
        case ast.Call(func=ast.Name(), args=given) if facts.resolve(node.func) == "builtins.abs":
            return not any(_is_tensor(each, facts, depth) for each in given)
        case ast.Call(func=ast.Name(), args=[given]) if facts.resolve(node.func) == "builtins.sum":
            return facts.kinds(given) == TENSOR  # of a tensor without elements, it is 0
        case ast.Name() if depth:
            value = definition(node, facts).value
            return value is not None and may_be_number(value, facts, depth - 1)
    return False


def _is_tensor(node: ast.expr, facts: Facts, depth: int) -> bool:
    kinds = facts.kinds(node)
    return bool(kinds & TENSOR) and not kinds & ~(TENSOR | NONE) and not may_be_number(node, facts, depth)


@kept(256)
def _answers(function: ast.AST) -> bool:
    """True for a function that asks whether it is compiled, and has several `return` statements."""
    nodes = [*walk_function(function)]
    return sum(isinstance(each, ast.Return) for each in nodes) > 1 and any(map(_is_question, nodes))


def _asks(node: ast.AST) -> bool:
    return any(map(_is_question, walk(node)))


def _is_question(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == WORD) or (isinstance(node, ast.Name) and node.id == WORD)


@kept(8)
def _stored(tree: ast.Module) -> frozenset[str]:
    """Names and paths to which one of the two modes gives a number."""
    found = set[str]()
    for each in walk(tree):
        match each:
            case ast.If() if _asks(each.test):
                found |= set(_given_numbers([*each.body, *each.orelse]))
            case ast.Assign(targets=[target], value=ast.IfExp() as value) if _asks(value.test):
                if (path := dotted(target)) and (_is_number(value.body) or _is_number(value.orelse)):
                    found.add(path)
    return frozenset(found)


def _given_numbers(block: list[ast.stmt]) -> Iterator[str]:
    for statement in block:
        parts = assignment(statement)
        path = dotted(parts.target) if parts is not None else None
        if parts is not None and path is not None and _is_number(parts.value):
            yield path


def _is_number(node: ast.expr) -> bool:
    """True for an expression that gives a Python value, as its text shows."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in NUMBERS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name == "item"
        case ast.Compare(left=left, ops=ops, comparators=others):
            plain = all(isinstance(each, ast.Is | ast.IsNot | ast.In | ast.NotIn) for each in ops)
            return plain or all(map(_is_number, (left, *others)))
        case ast.UnaryOp(op=op, operand=operand):
            return isinstance(op, ast.Not) or _is_number(operand)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_number(body) or _is_number(orelse)
    return isinstance(node, ast.Constant | ast.BoolOp)
