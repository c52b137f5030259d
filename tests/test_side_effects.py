"""What each policy for side effects keeps when compiled: the table of docs/configuration.md, measured."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint import vendor
from graphmend_lint.config import Settings
from graphmend_lint.engine import fix
from graphmend_lint.keys import SIDE_EFFECTS
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
PROGRAM = """\
import logging
import warnings

import torch

logger = logging.getLogger("side_effects")


def forward(x: torch.Tensor) -> torch.Tensor:
    logger.info("rows %d", x.shape[0])
    warnings.warn("always the same")
    print("rows", x.shape[0])
    if (x < 0).any():
        raise ValueError("negative")
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(2),), (torch.ones(2),), (-torch.ones(2),)]
"""


@pytest.fixture
def mended(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The program after the fixes of a policy."""
    vendor.write(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = Settings(side_effects=request.param)
    source = Source(tmp_path / "after.py", PROGRAM)
    text = fix([source], list(load_rules().values()), settings, Applicability.UNSAFE).sources[0].text
    source.path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("after", source.path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "after", module)  # where the operators look functions up
    spec.loader.exec_module(module)
    return vars(module)


def stated(policy: str) -> list[str]:
    """Whether it breaks, log records, warnings, printed lines and exception that the page states."""
    row = re.search(rf'^\| `"{policy}"` \| ((?:yes|no) .*) \|$', PAGE.read_text("utf-8"), re.M)
    assert row is not None, policy
    return [each.strip(" `") for each in row[1].split("|")]


@pytest.mark.torch
@pytest.mark.parametrize("mended", SIDE_EFFECTS, indirect=True)
def test_the_page_states_what_each_policy_keeps(mended: dict[str, Any], request: pytest.FixtureRequest) -> None:
    import live

    policy = request.node.callspec.params["mended"]
    eager, compiled = (live.outcomes(mended, compiled=each) for each in (False, True))
    assert seen(eager) == ["4", "4", "4", "ValueError"]
    assert ["yes" if live.breaks(mended) else "no", *seen(compiled)] == stated(policy)


def seen(found: list[Any]) -> list[str]:
    """How often each kind of text was seen, and the exception."""
    text = [line for each in found for line in each.text]
    logs = sum(line == "rows 2" for line in text)
    warned = sum(line == "always the same" for line in text)
    printed = sum(line == "rows 2\n" for line in text)
    return [str(logs), str(warned), str(printed), found[-1].error]
