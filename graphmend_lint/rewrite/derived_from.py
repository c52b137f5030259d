"""Which tensors a gradient may flow back to from a value, as far as a straight line leads to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition, definition_at, statement_of
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LEVELS: Final = 8  #: definitions of definitions that are followed
#: functions and attributes that no gradient flows through
CUTS: Final = words("""
    detach zeros_like ones_like full_like empty_like rand_like randn_like argmax argmin shape size dtype device ndim
    dim numel isnan isinf isfinite new_zeros new_ones new_full new_empty item tolist
""")


def derived_from(node: ast.expr, facts: Facts, levels: int = LEVELS) -> frozenset[str]:
    """Names and paths of the tensors, and places of calls of the program, that a value is computed from."""
    return frozenset(_sources(node, facts, levels))


def name_derived_from(path: str, node: ast.AST, facts: Facts) -> frozenset[str]:
    """The same for what a name holds before the statement of `node`."""
    given = definition_at(path, statement_of(node, facts), facts).value
    return derived_from(given, facts, LEVELS - 1) if given is not None else frozenset({path})


def _sources(node: ast.expr, facts: Facts, levels: int) -> Iterator[str]:
    """What `derived_from` gives, one by one; a name without a definition in reach stands for itself."""
    value = facts.value(node)
    if value.traits & (BOOL | INTEGRAL):
        return
    match node:
        case ast.Name(id=name):
            given = definition(node, facts).value if levels else None
            if given is not None:
                yield from _sources(given, facts, levels - 1)
            elif value.kinds & TENSOR or not value.kinds:
                yield name
        case ast.Attribute(attr=attr) | ast.Call(func=ast.Attribute(attr=attr)) if attr in CUTS:
            return
        case ast.Attribute() if value.kinds & TENSOR and (path := dotted(node)) is not None:
            yield path
        case ast.Compare():
            return
        case ast.Call() if facts.resolve(node.func) is None:  # it may detach, and a module has weights of its own
            yield f"call@{node.lineno}:{node.col_offset}"
        case _:
            for child in ast.iter_child_nodes(node):
                inner = child.value if isinstance(child, ast.keyword) else child
                if isinstance(inner, ast.expr):
                    yield from _sources(inner, facts, levels)
