"""Looking into calls of functions that stand in the same file: which one runs, with what, and what it returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.attributes import PROPERTIES
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import options
from graphmend_lint.project import ClassDef, FunctionDef
from graphmend_lint.shapes import dotted, names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

PLAIN: Final = frozenset({"len", "int", "float", "bool", "max", "min", "abs", "round", "sum"})
LEVELS: Final = 3  #: calls within calls that are looked into
ID: Final = re.compile(r"([\w.]+)@(\d*)(\??)")  #: in the ids of `meta`


def callee(node: ast.Call, facts: Facts, levels: int = LEVELS) -> ast.FunctionDef | None:
    """The function that a call runs; None unless it stands in this file, is plain, and does not call itself."""
    value = facts.value(node.func)
    target = value.target
    if not levels or value.name is not None or not isinstance(target, FunctionDef):
        return None
    function = target.node
    if target.module.path != facts.source.path.absolute() and target.module.path != facts.source.path:
        return None
    if not isinstance(function, ast.FunctionDef) or function.decorator_list or not _is_plain(function, node):
        return None
    if facts.function(function) is not None or target.is_generator:
        return None
    below = [child for child in walk(function) if isinstance(child, ast.Call) and _is_project(child, facts)]
    return function if all(callee(child, facts, levels - 1) for child in below) else None


def is_property(node: ast.Attribute, facts: Facts) -> bool:
    """True if reading the attribute runs a method of a class of the program."""
    return read_by(node, facts) is not None


def runs_nothing(node: ast.expr, facts: Facts) -> bool:
    """True for a name, or a dotted path without properties: reading it runs no code of the program."""
    while isinstance(node, ast.Attribute) and not is_property(node, facts):
        node = node.value
    return isinstance(node, ast.Name)


def is_quiet(node: ast.expr, facts: Facts) -> bool:
    """True if every property that the expression reads only looks something up."""
    if isinstance(node, ast.Name | ast.Constant):
        return True
    read = [each for each in walk(node) if isinstance(each, ast.Attribute) and is_property(each, facts)]
    return all((body := getter(each, facts)) is not None and _looks_up(body) for each in read)


def _looks_up(function: ast.FunctionDef) -> bool:
    """True if the function does nothing but return something, and calls at most a few harmless builtins."""
    for each in function.body:
        for part in walk(each):
            if isinstance(part, ast.stmt) and not isinstance(part, ast.Return | ast.If | ast.Expr):
                return False
            if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in PLAIN):
                return False
    return True


def read_by(node: ast.Attribute, facts: Facts) -> FunctionDef | None:
    """The method that reading the attribute runs, in whatever file it stands."""
    targets = [each.target for each in options(facts.value(node.value))]
    found = [member(each, node.attr) for each in targets if isinstance(each, Instance)]
    read = (each for each in found if isinstance(each, FunctionDef) and each.decorator_names & PROPERTIES)
    return next(read, None)


def member(instance: Instance, name: str) -> FunctionDef | ClassDef | ast.expr | None:
    """What the class of an object, or a base of it in the program, defines under a name."""
    return next((each.members[name] for each in instance.order if name in each.members), None)


def getter(node: ast.Attribute, facts: Facts, levels: int = LEVELS) -> ast.FunctionDef | None:
    """The method that reading a property runs; None unless it stands in this file and does not read itself."""
    found = read_by(node, facts)
    if not levels or found is None or found.module.path.absolute() != facts.source.path.absolute():
        return None
    function = found.node
    if not isinstance(function, ast.FunctionDef) or len(function.decorator_list) > 1 or found.is_generator:
        return None
    below = [child for child in walk(function) if isinstance(child, ast.Attribute) and is_property(child, facts)]
    return function if all(getter(child, facts, levels - 1) for child in below) else None


def _is_project(node: ast.Call, facts: Facts) -> bool:
    return isinstance(facts.value(node.func).target, FunctionDef)


def _is_plain(function: ast.FunctionDef, node: ast.Call) -> bool:
    """True if every argument goes to a parameter of its own: no `*` or `**` on either side."""
    stars = any(isinstance(each, ast.Starred) for each in node.args) or any(word.arg is None for word in node.keywords)
    return not stars and function.args.vararg is None and function.args.kwarg is None


def arguments(
    node: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, facts: Facts
) -> dict[str, ast.expr]:
    """What the call passes, by parameter; parameters that are left to their defaults are missing."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    bound = facts.value(node.func).receiver is not None
    receiver = {names[0]: node.func.value} if bound and names and isinstance(node.func, ast.Attribute) else {}
    given = receiver | dict(zip(names[bound:], node.args, strict=False))
    return given | {word.arg: word.value for word in node.keywords if word.arg is not None}


def result(function: ast.FunctionDef) -> ast.expr | None:
    """What the function returns, if that is one expression."""
    found = [child for child in walk(function) if isinstance(child, ast.Return)]
    return found[0].value if len(found) == 1 and found[0] is function.body[-1] else None


def reads(node: ast.expr, facts: Facts) -> set[str]:
    """Names and dotted attributes that evaluating `node` reads, in functions that it calls as well."""
    return names_read(node) | set(_hidden(node, facts))


def _hidden(node: ast.expr, facts: Facts) -> Iterator[str]:
    """What the properties and functions that `node` runs read, under the names that it has where `node` stands."""
    for child in walk(node):
        if isinstance(child, ast.Attribute):
            yield from _read_by_property(child, facts)
        elif isinstance(child, ast.Call):
            yield from _read_by_call(child, facts)


def _read_by_property(node: ast.Attribute, facts: Facts) -> Iterator[str]:
    read = getter(node, facts)
    owner = dotted(node.value) if read is not None else None
    if read is None or owner is None:
        return
    for statement in read.body:
        yield from (f"{owner}.{path.partition('.')[2]}" for path in names_read(statement) if "." in path)


def _read_by_call(call: ast.Call, facts: Facts) -> Iterator[str]:
    function = callee(call, facts)
    given = arguments(call, function, facts) if function is not None else {}
    for statement in function.body if function is not None else ():
        inner = {path for each in _calls(statement) for path in _hidden(each, facts)}
        for path in names_read(statement) | inner:
            first, _, rest = path.partition(".")
            owner = dotted(given[first]) if first in given else None
            if owner is not None and rest:
                yield f"{owner}.{rest}"


def _calls(statement: ast.stmt) -> list[ast.Call]:
    return [child for child in walk(statement) if isinstance(child, ast.Call)]


def outside(text: str, node: ast.Call, given: dict[str, ast.expr], of: Callable[[ast.expr], str | None]) -> str | None:
    """An id that `meta` made inside a called function, translated for the caller; None if that is not possible.

    `of` gives the id of an argument of the call.
    """
    known = True

    def replace(match: re.Match[str]) -> str:
        nonlocal known
        (first, _, rest), row = match[1].partition("."), match[2]
        if rest and first in given and (owner := dotted(given[first])):
            return f"{owner}.{rest}@{row}{match[3]}"
        if first in given and row == "0":
            found = of(given[first])
            known &= found is not None
            return found or ""
        return f"{match[1]}@{row}_{node.lineno}_{node.col_offset}{match[3]}"

    answer = ID.sub(replace, text)
    return answer if known else None


def runs_function(call: ast.Call, function: ast.AST, facts: Facts) -> bool:
    """True for a call of the function itself."""
    return getattr(facts.value(call.func).target, "node", None) is function
