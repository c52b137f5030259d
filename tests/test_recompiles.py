"""State that recompiles: what GM601 says of its cases is what torch does with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.torch
CASES = Path(__file__).with_name("rules") / "growing_state"
CALLS = 10
LIMIT = 8


def graphs(model: Any) -> int:
    """How often ten equal calls compile."""
    import torch
    from torch._dynamo.testing import CompileCounter

    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(model, backend=counter)
    for _ in range(CALLS):
        compiled(torch.ones(2))
    return counter.frame_count


def module(name: str, file: str, tmp_path: Path) -> Any:
    import live

    return live.load(tmp_path / "case.py", (CASES / file).read_text("utf-8"))[name]()


@pytest.mark.parametrize("name", ["forward", "Arithmetic", "Growing", "Global"])
def test_each_call_compiles_until_the_limit(name: str, tmp_path: Path) -> None:
    assert graphs(module(name, "counters.py", tmp_path)) == LIMIT


def test_the_ninth_call_fails_under_fullgraph(tmp_path: Path) -> None:
    import torch

    torch._dynamo.reset()
    compiled = torch.compile(module("forward", "counters.py", tmp_path), backend="eager", fullgraph=True)
    for _ in range(LIMIT):
        compiled(torch.ones(2))
    with pytest.raises(torch._dynamo.exc.FailOnRecompileLimitHit):
        compiled(torch.ones(2))


@pytest.mark.parametrize("name", ["forward", "Buffer", "Window", "Once"])
def test_what_is_not_flagged_settles(name: str, tmp_path: Path) -> None:
    assert graphs(module(name, "steady.py", tmp_path)) <= 3
