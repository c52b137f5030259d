"""Functions of SciPy as operators: what the fix writes, and, where SciPy is there, what torch makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

BEFORE = """\
import torch
from scipy import ndimage
from scipy.optimize import linear_sum_assignment
from scipy.special import expit


def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    i, j = linear_sum_assignment(x.numpy(), maximize=True)
    pairs = [linear_sum_assignment(each) for each in (x, x.T)]
    y = torch.from_numpy(ndimage.gaussian_filter(expit(x.T.numpy()), sigma=(1, 0.5)))
    far = torch.from_numpy(ndimage.distance_transform_edt((x > 0).numpy()))
    last = sum(torch.as_tensor(rows).sum() + torch.as_tensor(columns)[0] for rows, columns in pairs)
    return x[i, j].sum() + last, y @ far.to(y.dtype)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[0.5, 1.0, -2.0], [3.0, -1.0, 0.25]])
    return [(x,), (-x,), (x.double(),), (torch.eye(3),), (x.clone().requires_grad_(),)]
"""
RULES = list(load_rules().values())


def mended(text: str) -> str:
    done = fix([Source(Path("case.py"), text)], RULES, Settings(), Applicability.UNSAFE)
    return done.sources[0].text


def test_every_call_becomes_an_operator() -> None:
    text = mended(BEFORE)
    assert text.count("@torch.library.custom_op(") == text.count(".register_fake") == 5
    assert (
        "    i, j = tuple(each.numpy() for each in _linear_sum_assignment(torch.as_tensor(x.numpy()).detach()))" in text
    )
    assert "    first, second = linear_sum_assignment(x.numpy(), maximize=True)" in text
    assert not lint([Source(Path("case.py"), text)], RULES)
    assert mended(text) == text


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("ndimage.zoom(x.numpy(), 2)", "another shape"),
        ("ndimage.gaussian_filter(x.numpy(), sigma)", "the operator would have to be given a number, too"),
        ("ndimage.gaussian_filter(x.numpy(), 1, output=x.numpy())", "it fills what it is given"),
        ("other.expit(x.numpy())", "imported where the operator does not see it"),
    ],
)
def test_calls_of_unknown_shape_stay(call: str, why: str) -> None:
    text = (
        "import torch\nfrom scipy import ndimage\n\n\n"
        "@torch.compile\ndef f(x: torch.Tensor, sigma: float):\n"
        f"    from scipy import special as other\n    return torch.from_numpy({call})\n"
    )
    assert mended(text) == text, why


def test_an_import_that_may_fail_is_one() -> None:
    line = "from scipy.special import expit\n"
    text = BEFORE.replace(line, f"try:\n    {line}except ImportError:\n    pass\n")
    assert "\ndef _expit(x: torch.Tensor) -> torch.Tensor:\n" in mended(text)


def test_one_operator_does_for_all_calls_that_are_alike() -> None:
    text = mended(BEFORE.replace("ndimage.distance_transform_edt((x > 0).numpy())", "expit(x.numpy())"))
    assert text.count("::expit") == 1
    assert text.count("_expit(torch.as_tensor(x") == 2
    assert text.count("::linear_sum_assignment") == 2


@pytest.mark.torch
def test_torch_agrees(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    import live

    before, after = live.load(tmp_path / "before.py", BEFORE), live.load(tmp_path / "after.py", mended(BEFORE))
    assert live.breaks(before)
    assert live.breaks(after) == set()
    original = live.outcomes(before, compiled=False)
    assert live.outcomes(after, compiled=False) == original
    assert original[-1].error == "RuntimeError"  # a gradient is refused, as before
    assert live.outcomes(after, compiled=True)[:-1] == original[:-1]
