"""Whether a tensor that a loop gives new values keeps its shape, its dtype, and its gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from graphmend_lint.facts.grad_mode import maybe_no_grad
from graphmend_lint.facts.meta import OPAQUE, Meta, may_agree, meta, meta_of
from graphmend_lint.facts.reaching import definition_at
from graphmend_lint.rewrite.copies import no_grad_needed

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Loop = ast.For | ast.While


def keeps_gradient(name: str, loop: Loop, facts: Facts) -> bool:
    """True if gradients are off around the loop, but the tensor that it may leave as it is can have one."""
    before = definition_at(name, loop, facts).value
    return maybe_no_grad(loop, facts) and (before is None or not no_grad_needed(before, facts))


def may_stay(name: str, value: ast.expr, loop: Loop, facts: Facts, kept: Collection[str] = ()) -> bool:
    """True if nothing speaks against the value having the shape and dtype that the name has before each turn.

    `kept` are names that keep theirs.
    """
    own, before = f"{name}@{loop.lineno}", definition_at(name, loop, facts)
    known = meta_of(name, before, facts) if before.value is not None else Meta()
    known, found = (as_kept(each, {*kept} - {name}, loop) for each in (known, meta(value, facts)))
    dtype = own if known.dtype is None or known.dtype.endswith(OPAQUE) else known.dtype
    found = as_one(name, found, own, dtype)
    shapes = [frozenset({own}), *([known.shape] if known.shape is not None else [])]
    return any(may_agree(found, Meta(shape, dtype)) for shape in shapes)


def as_kept(known: Meta, kept: Collection[str], loop: Loop) -> Meta:
    """The meta in which names that keep their shape and dtype have the same ones all the time."""
    for each in sorted(kept):
        own = f"{each}@{loop.lineno}"
        known = as_one(each, known, own, own)
    return known


def as_one(name: str, known: Meta, shape: str, dtype: str) -> Meta:
    """The meta with every value that the name has had taken for the one before each turn."""
    ids = re.compile(rf"(?<![\w.]){name}@\d+\??(?!\d)")
    shapes = known.shape if known.shape is None else frozenset(ids.sub(shape, each) for each in known.shape)
    return Meta(shapes, known.dtype if known.dtype is None else ids.sub(dtype, known.dtype))
