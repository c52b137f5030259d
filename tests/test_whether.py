"""Indices of which only is asked whether there are any: with all rules, no break is left, and results are equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.engine import fix
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

HEAD = "import torch\n\n\ndef forward(x: torch.Tensor) -> torch.Tensor:\n"
FOOT = "\n\ncompiled = torch.compile(forward)\n"
NAMED = "    found = {indices}\n    if {test}:\n        return x * 0\n    return x * 2\n"
DIRECT = "    if {test}:\n        x = x + 1\n    return x\n"
ASKED = "    found = (x > 2).any()\n    return torch.where({test}, x * 0, x * 2)\n"
CASES = {
    "elements": (
        NAMED.format(indices="(x > 2).nonzero()", test="found.numel() == 0"),
        ASKED.format(test="~found"),
    ),
    "length": (
        NAMED.format(indices="torch.nonzero(x > 2)", test="len(found) > 0"),
        ASKED.format(test="found"),
    ),
    "size": (
        NAMED.format(indices="torch.argwhere(x > 2)", test="not found.shape[0]"),
        ASKED.format(test="~found"),
    ),
    "numbers": (
        DIRECT.format(test="x.nonzero().size(0) < 1"),
        "    x = torch.where(~x.any(), x + 1, x)\n    return x\n",
    ),
}
KEPT = [
    NAMED.format(indices="(x > 2).nonzero()", test="len(found) > 1"),
    NAMED.format(indices="(x > 2).nonzero()", test="found.shape[1] == 0"),
    NAMED.format(indices="x.sum().nonzero()", test="found.numel() == 0"),
    NAMED.format(indices="(x > 2).nonzero()", test="found.numel() == 0").replace("x * 2", "x * found.sum()"),
    DIRECT.format(test="(n := len((x > 2).nonzero())) == 0"),
]


def mended(body: str) -> str:
    source = Source(Path("example.py"), HEAD + body + FOOT)
    rules = [rule for rule in load_rules().values() if rule.name != "compile-site"]
    return fix([source], rules, allow=Applicability.UNSAFE).sources[0].text


@pytest.mark.parametrize("name", CASES)
def test_the_mask_is_asked(name: str) -> None:
    before, after = CASES[name]
    assert mended(before) == HEAD + after + FOOT


@pytest.mark.parametrize("body", KEPT)
def test_other_questions_about_indices_are_kept(body: str) -> None:
    assert mended(body) == HEAD + body + FOOT


@pytest.mark.torch
@pytest.mark.parametrize("name", CASES)
def test_torch_finds_no_break_and_equal_results(name: str, tmp_path: Path) -> None:
    import live
    import torch

    x = torch.tensor([[1.0, -2.0], [0.0, 3.0]], requires_grad=True)
    before, after = (live.load(tmp_path / f"{n}.py", HEAD + each + FOOT) for n, each in enumerate(CASES[name]))
    for case in (before, after):
        case["inputs"] = lambda: [x, -x, x * 0, x * float("nan"), x.detach().half(), x[:0], x]
    assert "GB0036" in live.breaks(before)
    assert live.breaks(after) == set()
    expected = live.outcomes(before, compiled=False)
    assert live.outcomes(after, compiled=False) == expected
    assert live.results(live.outcomes(after, compiled=True)) == live.results(expected)
