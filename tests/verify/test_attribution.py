"""Breaks that torch met, beside what the linter says of the same lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphmend_lint import engine
from graphmend_lint.config import Settings
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source
from graphmend_lint.verify.attribution import Attribution, claimed_by

TEXT = """\
import torch


@torch.compile
def f(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        x = x + torch.rand(3)
    return x
"""
PATH = Path("/somewhere/model.py")


def broken(line: int, gb_id: str | None = "GB0170") -> dict[str, Any]:
    return {"path": str(PATH), "line": line, "gb_id": gb_id, "gb_type": "Data-dependent branching"}


def attribution() -> Attribution:
    rules = list(load_rules().values())
    return Attribution(engine.lint([Source(PATH, TEXT)], rules, Settings()))


def test_a_break_at_a_diagnostic_is_found() -> None:
    told = attribution().row(broken(6))
    assert told["found_by"] == "GM101"
    assert "GM101" in told["claimed_by"]
    assert attribution().words(broken(6)).startswith("found by GM101, no fix: ")


def test_a_break_elsewhere_is_not_found_but_could_be_claimed() -> None:
    assert attribution().row(broken(8))["found_by"] is None
    assert attribution().words(broken(8)).startswith("not found; GM101")


def test_a_break_that_no_rule_claims_says_so() -> None:
    assert claimed_by("GB9999") == []
    assert attribution().words(broken(8, "GB9999")) == "no rule claims GB9999"
    assert attribution().words(broken(8, None)) == "no rule claims Data-dependent branching"
