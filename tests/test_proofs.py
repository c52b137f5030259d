"""Effects, shapes and dtypes: what is proven of an expression, and what is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphmend_lint.facts import Facts
from graphmend_lint.facts.effects import Effects, effects
from graphmend_lint.facts.grad_mode import maybe_no_grad, no_grad
from graphmend_lint.facts.meta import Meta, may_agree, meta, same_meta
from graphmend_lint.facts.reaching import definition
from graphmend_lint.region import analyse
from graphmend_lint.source import Source

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor, y: torch.Tensor, other: torch.Tensor | None = None, n: int = 2):
"""


def facts_of(body: str) -> Facts:
    text = HEAD + "".join(f"        {line}\n" for line in body.splitlines())
    (facts,) = analyse([Source(Path("a.py"), text)]).values()
    return facts


def values(facts: Facts) -> list[ast.expr]:
    """What is assigned to `a` and `b`, in order."""
    return [
        node.value
        for node in ast.walk(facts.source.tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in "ab"
    ]


def pair(a: str, b: str, before: str = "pass") -> tuple[Meta, Meta]:
    facts = facts_of(f"{before}\na = {a}\nb = {b}\nreturn a, b")
    first, second = values(facts)
    return meta(first, facts), meta(second, facts)


def effects_of(code: str, before: str = "pass") -> Effects:
    facts = facts_of(f"{before}\na = {code}\nreturn a")
    return effects(values(facts)[-1], facts)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("x * 2.0", "x * 0.5"),
        ("x + 1", "x * 3"),
        ("x / 2", "x * 0.5"),
        ("torch.relu(x * 1.0)", "-(x * 2.0)"),
        ("x.exp() + 1", "x.tanh()"),
        ("torch.zeros_like(x)", "x"),
        ("x > 0", "x < 1"),
        ("x.sum() > 1", "y.mean() < 2"),
        ("torch.where(x > 0, x, x)", "x"),
        ("x.float()", "(x * 2).float()"),
    ],
)
def test_equal_shape_and_dtype_are_proven(a: str, b: str) -> None:
    assert same_meta(*pair(a, b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("x", "y"),
        ("x * 2", "x"),  # bools become ints
        ("x * 2", "x * 2.0"),  # ints become floats
        ("x / 2", "x * 2"),
        ("x.double()", "x"),
        ("x.sum()", "x"),
        ("x[0]", "x"),
        ("x.sum(-1)", "x"),
        ("x * y", "x"),
        ("x @ y", "x @ y"),
    ],
)
def test_shapes_or_dtypes_that_may_differ_are_not_proven_equal(a: str, b: str) -> None:
    assert not same_meta(*pair(a, b))


@pytest.mark.parametrize(("a", "b"), [("x", "y"), ("x * 2", "x"), ("x * y", "x")])
def test_shapes_and_dtypes_that_may_agree(a: str, b: str) -> None:
    assert may_agree(*pair(a, b))


@pytest.mark.parametrize(
    ("a", "b"), [("x.sum()", "x"), ("x.double()", "x"), ("x > 0", "x"), ("x.view(-1)", "x"), ("x @ y", "x")]
)
def test_shapes_or_dtypes_that_cannot_agree(a: str, b: str) -> None:
    assert not may_agree(*pair(a, b))


def test_a_name_has_the_meta_of_its_definition() -> None:
    assert same_meta(*pair("z * 0.5", "x * 1.0", before="z = x * 2.0"))


def test_a_name_set_in_a_branch_is_its_own() -> None:
    before = "z = x * 2.0\nif n > 1:\n    z = y\n"
    assert not same_meta(*pair("z", "x * 1.0", before))
    assert same_meta(*pair("z", "z", before))


def test_a_name_set_in_a_loop_has_no_single_definition() -> None:
    facts = facts_of("a = x\nfor i in range(n):\n    b = a\n    a = y\nreturn a")
    uses = [node for node in ast.walk(facts.source.tree) if isinstance(node, ast.Name) and node.id == "a"]
    inside = next(node for node in uses if isinstance(node.ctx, ast.Load))
    assert definition(inside, facts).value is None


@pytest.mark.parametrize(
    "code", ["x * 2.0", "(x * 2.0) - 1", "torch.zeros_like(x)", "(x + 1).relu()", "x > 0", "x.sum()", "x + x * 2"]
)
def test_what_is_proven_not_to_raise(code: str) -> None:
    found = effects_of(code)
    assert found.refusal is None
    assert found.total


@pytest.mark.parametrize("code", ["x - 1", "-x", "x + y", "x @ y", "torch.relu(x)", "x[..., :1]", "x.view(-1)"])
def test_what_may_raise_for_shapes_and_dtypes_only(code: str) -> None:
    found = effects_of(code)
    assert found.refusal is None
    assert not found.total


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("torch.rand_like(x)", "draws-random"),
        ("F.dropout(x)", "draws-random"),
        ("x.add_(1)", "in-place"),
        ("torch.add(x, 1, out=x)", "call-not-seen"),
        ("x[0]", "index-may-fail"),
        ("x[y]", "index-may-fail"),
        ("self.linear(x)", "module-call"),
        ("other * 2", "may-be-none"),
        ("unknown(x)", "call-not-seen"),
        ("n // (n - 2)", "branch-may-raise"),
        ("torch.linalg.inv(x)", "branch-may-raise"),
        ("x.item()", "reads-value"),
        ("x.detach()", "gradient-differs"),
        ("[r for r in x]", "arm-not-simple"),
        ("x if n else (yield)", "arm-not-simple"),
    ],
)
def test_what_may_not_be_run_early_has_its_reason(code: str, reason: str) -> None:
    found = effects_of(code)
    assert found.refusal is not None
    assert found.refusal.reason == reason


@pytest.mark.parametrize("code", ["x.sqrt()", "x / y", "x.log()", "x ** 0.5 / x", "x.norm()"])
def test_a_gradient_that_may_be_nan_is_told(code: str) -> None:
    assert effects_of(code).nan_gradient


@pytest.mark.parametrize("code", ["x * 2", "x / 2", "x.tanh()", "x.exp()"])
def test_a_gradient_that_cannot_be_nan(code: str) -> None:
    assert not effects_of(code).nan_gradient


def test_gradients_are_off_inside_no_grad_and_on_behind_it() -> None:
    off = facts_of("with torch.no_grad():\n    a = x\nb = x\nreturn a, b")
    inside = next(node for node in ast.walk(off.source.tree) if isinstance(node, ast.With)).body[0]
    assert no_grad(inside, off)
    assert not no_grad(values(off)[0], off)


@pytest.mark.parametrize(
    ("guards", "off", "maybe"),
    [
        (["torch.no_grad()"], True, True),
        (["torch.inference_mode()"], True, True),
        (["torch.inference_mode(False)"], False, False),
        (["torch.no_grad()", "torch.enable_grad()"], False, False),
        (["torch.enable_grad()", "torch.no_grad()"], True, True),
        (["torch.set_grad_enabled(False)"], True, True),
        (["torch.set_grad_enabled(mode=True)"], False, False),
        (["torch.no_grad()", "torch.set_grad_enabled(n > 1)"], False, True),
        (["torch.device('cpu')"], False, False),
    ],
)
def test_the_innermost_switch_decides_whether_gradients_are_off(guards: list[str], off: bool, maybe: bool) -> None:
    lines = [f"{'    ' * depth}with {guard}:" for depth, guard in enumerate(guards)]
    facts = facts_of("\n".join([*lines, f"{'    ' * len(guards)}a = x", "return a"]))
    inside = values(facts)[0]
    assert (no_grad(inside, facts), maybe_no_grad(inside, facts)) == (off, maybe)


def test_a_statement_may_switch_gradients_off() -> None:
    facts = facts_of("torch.set_grad_enabled(n > 1)\na = x\nreturn a")
    assert (no_grad(values(facts)[0], facts), maybe_no_grad(values(facts)[0], facts)) == (False, True)


def test_a_comprehension_has_names_of_its_own() -> None:
    facts = facts_of("g = x.sum()\nys = [x, y]\na = [g * 2 for g in ys]\nb = [ys for ys in ys]\nreturn a, b")
    inside, outside = values(facts)
    loads = [each for each in ast.walk(inside) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    names = {each.id: each for each in loads}
    assert definition(names["g"], facts).value is None
    assert definition(names["g"], facts).row < 0
    assert isinstance(definition(names["ys"], facts).value, ast.List)
    assert isinstance(outside, ast.ListComp)
    assert isinstance(outside.elt, ast.Name)
    assert isinstance(outside.generators[0].iter, ast.Name)
    assert isinstance(definition(outside.generators[0].iter, facts).value, ast.List)
    assert definition(outside.elt, facts).row < 0


@pytest.mark.parametrize(
    ("call", "whole"),
    [
        ("x.norm()", True),
        ("x.norm(2)", True),
        ("torch.norm(x, 2.0)", True),
        ("torch.norm(x, p=2.0)", True),
        ("torch.linalg.vector_norm(x, n)", True),
        ("x.norm(2, -1)", False),
        ("torch.norm(x, 2.0, dim=-1)", False),
        ("x.sum(1)", False),
    ],
)
def test_which_norm_is_no_dimension(call: str, whole: bool) -> None:
    facts = facts_of(f"a = {call}\nreturn a")
    assert meta(values(facts)[0], facts).is_0d is whole
