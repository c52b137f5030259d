"""The longest of lengths that are shares of a size, `(shares * x.shape[1]).max().item()`: the size itself."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import SYMINT, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.callers import calls_of, given_for, parameters
from graphmend_lint.shapes import dotted, names_read, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: leave the numbers as they are, or nearly
ROUNDS: Final = frozenset("round floor ceil long int to item float type".split())
CAVEAT: Final = (
    "The longest is taken to be as long as the size that its share is of: "
    "if all are shorter, the mask is wider than it was, by places that are beyond every length."
)


def longest_as_size(node: ast.Call, facts: Facts) -> Fix | None:
    """The size in place of the number; None unless the lengths are shares of one."""
    lengths, whole = _lengths(node, facts), _whole(node, facts)
    if lengths is None or not _makes_mask(lengths, whole, facts):
        return None
    size = _size_of(lengths, facts)
    if size is not None:
        return _fix(lambda site: (site.expression(whole, site.code(size)),))
    found = _passed(lengths, whole, facts)
    if not found:
        return None
    return _fix(lambda site: tuple(site.keyword(call, name, site.code(size)) for call, name, size in found))


def _fix(edits: Callable[[Site], tuple[Edit, ...]]) -> Fix:
    return Fix("Take the size that the lengths are shares of", Applicability.UNSAFE, edits, CAVEAT)


def _lengths(node: ast.expr, facts: Facts) -> ast.Name | None:
    """`lengths` of `lengths.max().long().item()`, `int(lengths.max())`."""
    while True:
        match node:
            case ast.Call(func=ast.Attribute(value=tensor, attr="max" | "amax"), args=[]):
                found: ast.expr = tensor
            case ast.Call(func=ast.Attribute(attr="max" | "amax"), args=[tensor]):
                found = tensor
            case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in ROUNDS:
                node = inner
                continue
            case ast.Call(func=ast.Name(id="int"), args=[inner]):
                node = inner
                continue
            case _:
                return None
        return found if isinstance(found, ast.Name) and facts.kinds(found) == TENSOR else None


def _whole(node: ast.Call, facts: Facts) -> ast.expr:
    """The reading with a conversion to an integer around it."""
    above = facts.parent(node)
    is_int = isinstance(above, ast.Call) and facts.resolve(above.func) == "builtins.int"
    return above if is_int and isinstance(above, ast.Call) else node


def _makes_mask(lengths: ast.Name, whole: ast.expr, facts: Facts) -> bool:
    """True if the number makes a mask: `torch.arange(longest)` is compared with the lengths."""
    function, statement = facts.function(whole), facts.parent(whole)
    nodes = [*walk_function(function)] if function is not None else []
    loads: list[ast.expr] = [whole]
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            loads = [
                each
                for each in nodes
                if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
            ]
    tests = [each for each in nodes if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Lt | ast.Gt)]
    compared = any(isinstance(each, ast.Name) and each.id == lengths.id for test in tests for each in walk(test))
    return compared and all(_counts(each, facts) for each in loads)


def _counts(load: ast.expr, facts: Facts) -> bool:
    match facts.parent(load):
        case ast.Call(func=function, args=[first, *_]) as call:
            name = (facts.resolve(function) or "").rpartition(".")[2]
            return (name == "arange" and first is load) or (name in ("expand", "view", "reshape") and load in call.args)
        case ast.Compare(ops=[ast.Is()]):
            return True
    return False


def _size_of(lengths: ast.Name, facts: Facts) -> ast.expr | None:
    """`x.shape[1]`, if the lengths are shares of it."""
    node = definition(lengths, facts).value
    while isinstance(node, ast.Call):
        name = (facts.resolve(node.func) or "").rpartition(".")[2]
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        given = [each for each in (owner, *node.args) if each is not None and facts.kinds(each) == TENSOR]
        node = given[0] if given and name in ROUNDS else None
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for size, share in ((left, right), (right, left)):
                if facts.kinds(size) == SYMINT and facts.kinds(share) == TENSOR and _is_steady(size, lengths, facts):
                    return size
    return None


def _is_steady(size: ast.expr, until: ast.Name, facts: Facts) -> bool:
    """True if the size is the same where the longest is asked for."""
    if not isinstance(size, ast.Subscript | ast.Call | ast.Name):
        return False
    read, function = {path.partition(".")[0] for path in names_read(size)}, facts.function(until)
    names = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function is not None else []
    return not any(
        each.id in read and not isinstance(each.ctx, ast.Load) and size.lineno <= each.lineno <= until.lineno
        for each in names
    )


def _passed(lengths: ast.Name, whole: ast.expr, facts: Facts) -> list[tuple[ast.Call, str, ast.expr]]:
    """What every call passes, if the longest is only asked for where a caller does not say it."""
    function, name = facts.function(whole), _default(whole, facts)
    if not isinstance(function, ast.FunctionDef) or name is None or lengths.id not in parameters(function):
        return []
    if _is_set(lengths, function):
        return []
    found: list[tuple[ast.Call, str, ast.expr]] = []
    for call in calls_of(function, facts):
        said, given = given_for(call, name, function, facts), given_for(call, lengths.id, function, facts)
        if said is not None and not (isinstance(said, ast.Constant) and said.value is None):
            continue
        size = _size_of(given, facts) if isinstance(given, ast.Name) else None
        if size is None or said is not None:
            return []
        found.append((call, name, size))
    return found


def _default(whole: ast.expr, facts: Facts) -> str | None:
    """`longest` of `if longest is None: longest = ...`, a parameter."""
    statement = facts.parent(whole)
    above = facts.parent(statement) if statement is not None else None
    match statement, above:
        case (
            ast.Assign(targets=[ast.Name(id=name)]),
            ast.If(test=ast.Compare(left=asked, ops=[ast.Is()], comparators=[ast.Constant(value=None)]), body=[only]),
        ) if only is statement and dotted(asked) == name:
            return name
    return None


def _is_set(name: ast.Name, function: ast.FunctionDef) -> bool:
    names = (each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name.id)
    return any(not isinstance(each.ctx, ast.Load) for each in names)
