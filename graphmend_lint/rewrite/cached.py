"""Functions that run once per argument: Dynamo traces what is inside a cache, and so runs it at each call."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def runs_once(node: ast.AST, facts: Facts) -> bool:
    """True if `node` is in a function with a cache, or is reached through one: in a graph it would run each time."""
    here = cached_names(facts.source.tree)
    function = facts.function(node)
    while function is not None:
        if getattr(function, "name", None) in here:
            return True
        function = facts.function(function)
    return any(
        frame.name.rpartition(".")[2] in (here if frame.path == facts.source.path else _in_file(frame.path))
        for frame in facts.chain(node)
    )


@kept(64)
def cached_names(tree: ast.Module) -> frozenset[str]:
    """Names of the functions of a file that are given a cache, as a decorator or by `f = lru_cache(f)`."""
    found: set[str] = set()
    for node in walk(tree):
        match node:
            case ast.FunctionDef(name=name, decorator_list=marks) if any(
                "cache" in ast.unparse(mark) for mark in marks
            ):
                found.add(name)
            case ast.Call(func=function, args=[ast.Name(id=name)]) if "cache" in ast.unparse(function):
                found.add(name)
    return frozenset(found)


@lru_cache(maxsize=64)
def _in_file(path: Path) -> frozenset[str]:
    """The same for another file; nothing if it cannot be read any more."""
    try:
        return cached_names(ast.parse(path.read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return frozenset()
