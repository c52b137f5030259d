"""Bounds of elements: whatever torch computes lies within them, in every dtype."""

from __future__ import annotations

import ast
import itertools
import random
from typing import Any

import pytest

from graphmend_lint.rewrite import bounds
from graphmend_lint.rewrite.bounds import ANY, BOOLS, FALSE, NONE, TRUE, Bounds, Known

OPERATORS: list[tuple[ast.operator, str]] = [
    (ast.Add(), "add"), (ast.Sub(), "sub"), (ast.Mult(), "mul"), (ast.BitAnd(), "bitwise_and"),
    (ast.BitOr(), "bitwise_or"),
]  # fmt: skip
COMPARISONS: list[tuple[ast.cmpop, str]] = [
    (ast.Lt(), "lt"), (ast.LtE(), "le"), (ast.Gt(), "gt"), (ast.GtE(), "ge"), (ast.Eq(), "eq"), (ast.NotEq(), "ne"),
]  # fmt: skip
DTYPES = ("bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32")


def drawn(rng: random.Random, dtype: str) -> tuple[Any, Bounds]:
    """A tensor, or a number, and bounds that hold for it."""
    import torch

    if dtype == "number":
        value = rng.choice([0, 1, 2, -1, 0.5, 1.0, True, False])
        known = bounds.number(value)
        assert isinstance(known, Bounds)
        return value, known
    numbers = [rng.choice([0, 0, 1, 1, 2, 3, 100, -1, -2]) for _ in range(4)]
    tensor = torch.tensor(numbers).to(getattr(torch, dtype))
    low, high = float(tensor.min()), float(tensor.max())
    known = Bounds(low, high, dtype == "bool", False, dtype not in ("bool", "uint8") and rng.random() < 0.7)
    return tensor, known


def holds(value: Any, known: Known) -> bool:
    """True if every element is within bounds, and no NaN."""
    import torch

    if not isinstance(known, Bounds):
        return True
    found = torch.as_tensor(value).double()
    return bool(((found >= known.low) & (found <= known.high)).all())


@pytest.mark.torch
def test_arithmetic_stays_within_its_bounds() -> None:
    import torch

    rng, told = random.Random(0), 0
    for _ in range(4000):
        (a, of_a), (b, of_b) = (drawn(rng, rng.choice([*DTYPES, "number"])) for _ in range(2))
        op, name = rng.choice(OPERATORS)
        if not isinstance(a, torch.Tensor) and not isinstance(b, torch.Tensor):
            continue
        first, second = (a, b) if isinstance(a, torch.Tensor) else (torch.as_tensor(a), b)
        if first is not a and name == "sub":
            continue
        try:
            value = getattr(torch, name)(first, second)
        except RuntimeError:
            continue
        known = bounds.computed(op, of_a, of_b)
        assert holds(value, known), (a, name, b, known)
        told += known != ANY
    assert told > 500


@pytest.mark.torch
def test_comparisons_and_conversions_stay_within_their_bounds() -> None:
    import torch

    rng, told = random.Random(1), 0
    for _ in range(4000):
        (a, of_a), (b, of_b) = (drawn(rng, rng.choice(DTYPES)) for _ in range(2))
        op, name = rng.choice(COMPARISONS)
        known = bounds.compared(op, of_a, of_b)
        assert holds(getattr(torch, name)(a, b), known)
        told += known in (TRUE, FALSE)
        cast = rng.choice(["bool", "float", "half", "long", "int"])
        assert holds(getattr(a, cast)(), bounds.cast(cast, of_a))
        target = rng.choice(DTYPES)
        assert holds(a.to(getattr(torch, target)), bounds.cast("to", of_a)), (a, target)
        assert holds(a.any(), bounds.reduced("any", of_a))
        assert holds(a.all(), bounds.reduced("all", of_a))
    assert told > 200


def test_either_of_two_values_stays_within_their_union() -> None:
    values = [ANY, NONE, TRUE, BOOLS, Bounds(-1, 2), bounds.Several((TRUE, NONE))]
    for a, b in itertools.product(values, repeat=2):
        both = bounds.union(a, b)
        if isinstance(both, Bounds):
            assert isinstance(a, Bounds)
            assert isinstance(b, Bounds)
            assert both.low <= min(a.low, b.low)
            assert both.high >= max(a.high, b.high)
        assert bounds.union(a, a) == a


def test_what_could_become_nan_is_not_known() -> None:
    infinite = bounds.computed(ast.Mult(), Bounds(0, 1), Bounds(float("-inf"), float("-inf")))
    assert infinite == ANY
    assert bounds.computed(ast.Mult(), Bounds(0, 2), Bounds(-bounds.HUGE, -1, signed=True)) == ANY
    assert bounds.computed(ast.Add(), Bounds(0, bounds.HUGE), Bounds(0, 1)) == ANY


def test_none_is_only_compared_with_none() -> None:
    assert bounds.compared(ast.Is(), NONE, NONE) == TRUE
    assert bounds.compared(ast.IsNot(), NONE, NONE) == FALSE
    assert bounds.compared(ast.Is(), Bounds(0, 1), NONE) == FALSE
    assert bounds.compared(ast.Is(), ANY, NONE) == ANY
    assert bounds.compared(ast.Is(), BOOLS, TRUE) == ANY
