"""Random programs do after all their fixes what they did before, in eager mode and compiled."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from program_outcomes import agrees
from programs import programs

MANY = 2000
FEW = 20
SETTINGS = {
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),
    "phases": (Phase.generate, Phase.shrink),
}


@pytest.mark.torch
@settings(max_examples=FEW, derandomize=True, **SETTINGS)  # type: ignore[arg-type]
@given(text=programs())
def test_a_few_programs_do_the_same_after_their_fixes(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    agrees(text, tmp_path_factory.mktemp("program"))


@pytest.mark.heavy
@settings(max_examples=MANY, **SETTINGS)  # type: ignore[arg-type]
@given(text=programs())
def test_many_programs_do_the_same_after_their_fixes(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    agrees(text, tmp_path_factory.mktemp("program"))
