"""A selection is safe only if both sides are computed from the same tensors: else a gradient of None becomes zero."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.engine import lint
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

RULE = next(each for each in load_rules().values() if each.code == "GM101")
HELPER = "def halved(x):\n    return x.detach() / 2\n"
HEAD = f"import torch\n\n\n{HELPER}\n\n@torch.compile\ndef forward(x: torch.Tensor, y: torch.Tensor):\n    "
SPLIT = "if x.sum() > 0:\n    z = x * 2\nelse:\n    z = {}\nreturn z"
SAME = [
    "a = x + 1\n" + SPLIT.format("a * 3"),
    SPLIT.format("x + 1"),
    "with torch.no_grad():\n    b = x * 3\n    " + SPLIT.format("b + 1").replace("\n", "\n    "),
]
OTHERS = [
    "a = torch.zeros_like(x)\n" + SPLIT.format("a + 1"),
    "a = x.detach() * 2\n" + SPLIT.format("a + 1"),
    "a = halved(x)\n" + SPLIT.format("a + 1"),
    "a = torch.zeros_like(x)\nb = a * 2\n" + SPLIT.format("b * 3"),
]


ASKING = "a = x.detach() * 2\n" + SPLIT.format("a + 1").replace("return z", "return z + 1 if z.requires_grad else z")


def found(body: str) -> Fix:
    source = Source(Path("f.py"), HEAD + body.replace("\n", "\n    ") + "\n")
    (diagnostic,) = lint([source], [RULE])
    assert diagnostic.fix is not None
    return diagnostic.fix


@pytest.mark.parametrize("body", SAME)
def test_the_same_tensors_on_both_sides(body: str) -> None:
    assert found(body).applicability is Applicability.SAFE


@pytest.mark.parametrize("body", OTHERS)
def test_a_side_that_gives_no_gradient(body: str) -> None:
    fix = found(body)
    assert fix.applicability is Applicability.UNSAFE
    assert "Gradients that used to be None may be zero" in fix.caveat


def test_a_side_that_gives_no_gradient_where_that_is_asked_for() -> None:
    source = Source(Path("f.py"), HEAD + ASKING.replace("\n", "\n    ") + "\n")
    (diagnostic,) = lint([source], [RULE])
    assert diagnostic.fix is None
    assert diagnostic.refusal is not None
    assert diagnostic.refusal.reason == "gradient-differs"


def test_limits_of_a_dtype_that_may_have_none() -> None:
    text = "y = x\nif x.isinf().any():\n    y = x.clamp(max=torch.finfo(x.dtype).max)\nreturn y"
    assert "`torch.finfo` raises for integers" in found(text).caveat
    assert "finfo" not in found(text.replace("if ", "if x.dtype == torch.float16 and ")).caveat
