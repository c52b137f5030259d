"""Compile sites: what is handed to torch.compile, where, and what Dynamo reaches from there."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from graphmend_lint.facts.values import Value
from graphmend_lint.model import Diagnostic
from graphmend_lint.project import FunctionNode, Imported, Module

TAKEN: Final = frozenset({"GB0124", "GB0033", "GB0036"})  #: ids of breaks that `fullgraph=True` may take
Edges = set[tuple[FunctionNode, FunctionNode]]  #: who calls whom


class Compiled(NamedTuple):
    """One thing that is handed to torch.compile or its like."""

    value: Value
    module: Module
    node: ast.expr  #: the call, or the decorator
    whole: bool | None  #: compiled with `fullgraph=True`; None: not known


@dataclass(eq=False, repr=False, slots=True)
class CompileSite:
    """A call of torch.compile, or a decorator."""

    node: ast.expr
    spelled: bool  #: a keyword can be added to it
    whole: bool | None  #: compiled with `fullgraph=True`; None: not known
    functions: frozenset[FunctionNode]  #: all that Dynamo reaches from here
    breaks: list[Diagnostic] = field(default_factory=list)  #: all that it meets there


def asks_whole(node: ast.expr) -> bool | None:
    """Whether a call of torch.compile, or a decorator, says `fullgraph=True`; None if that is not known."""
    if not isinstance(node, ast.Call):
        return False
    for keyword in node.keywords:
        if keyword.arg is None:
            return None
        if keyword.arg == "fullgraph":
            value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
            return value if isinstance(value, bool) else None
    return False


def is_spelled_out(node: ast.expr, module: Module) -> bool:
    """True for `torch.compile`, called or not, and for `model.compile()`: places where a keyword can be added."""
    match node:
        case ast.Call(func=func, args=[first, *_]) if getattr(func, "attr", getattr(func, "id", "")) == "partial":
            return is_spelled_out(first, module)
        case ast.Call(func=func):
            return is_spelled_out(func, module)
        case ast.Attribute(attr="compile"):
            return True
        case ast.Name(id=name):
            return any(isinstance(each, Imported) and each.name == "compile" for each in module.names.get(name, ()))
    return False


def reach(entries: Iterable[FunctionNode], edges: Edges) -> frozenset[FunctionNode]:
    """The entries, and every function that is called from one of them, by whatever steps."""
    calls: dict[FunctionNode, list[FunctionNode]] = {}
    for caller, callee in edges:
        calls.setdefault(caller, []).append(callee)
    found, left = set(entries), list(entries)
    while left:
        for callee in calls.get(left.pop(), ()):
            if callee not in found:
                found.add(callee)
                left.append(callee)
    return frozenset(found)
