"""Wrong fixes, planted on purpose: each must be caught, and the difference named."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from verify.pairs import prove

from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.verdict import Outcome

PLANTED = sorted(path for path in (Path(__file__).parent / "planted").iterdir() if path.is_dir())


@pytest.mark.torch
@pytest.mark.parametrize("folder", PLANTED, ids=lambda folder: folder.name)
def test_a_wrong_fix_is_caught_and_named(folder: Path, workers: Workers) -> None:
    expected = (folder / "fixed.py").read_text("utf-8").splitlines()[0].removeprefix("# expect: ")
    verdict = prove(folder, "eager", workers)
    assert verdict.outcome is Outcome.NOT_PROVEN, verdict.reason
    found = [item.text for item in verdict.differences]
    assert any(text.startswith(expected) for text in found), found
