"""Random programs do after all their fixes what they did before, in eager mode and compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from programs import Call, fixed, outcomes, programs

MANY = 2000
FEW = 20
SETTINGS = {
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.generate, Phase.shrink),
}


def agrees(text: str, folder: Path) -> None:
    """Compare before and after; what torch itself compiles otherwise than it runs it is left out."""
    mended = fixed(text)
    if mended == text:
        return
    before = outcomes(folder / "before.py", text, compiled=False)
    assert pairs(before, outcomes(folder / "after.py", mended, compiled=False)), mended
    expected = [loose(each, mended) for each in before]
    compiled = [loose(each, mended) for each in outcomes(folder / "after.py", mended, compiled=True)]
    if not pairs(expected, compiled):
        original = [loose(each, mended) for each in outcomes(folder / "before.py", text, compiled=True)]
        assert not pairs(expected, original), mended


def pairs(before: list[Call], after: list[Call]) -> bool:
    """True if all calls did the same. Where no gradient could be taken before, it does not matter."""
    known = [
        b._replace(gradients="raises") if a.gradients == "raises" else b for a, b in zip(before, after, strict=False)
    ]
    return len(before) == len(after) and before == known


def loose(call: Call, mended: str) -> Call:
    """What must be equal when compiled: text that is kept out, and classes of exceptions, need not."""
    result = "raises" if call.result.startswith("raises") else call.result
    return call._replace(result=result, printed="" if "is_compiling" in mended else call.printed, logged=())


@pytest.mark.torch
@settings(max_examples=FEW, derandomize=True, **SETTINGS)  # type: ignore[arg-type]
@given(text=programs())
def test_programs(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    agrees(text, tmp_path_factory.mktemp("program"))


@pytest.mark.heavy
@settings(max_examples=MANY, **SETTINGS)  # type: ignore[arg-type]
@given(text=programs())
def test_many_programs(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    agrees(text, tmp_path_factory.mktemp("program"))
