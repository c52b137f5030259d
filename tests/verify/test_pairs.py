"""No false alarm over fixes by experts: `GRAPHMEND_PAIRS=FOLDER pytest -m heavy tests/verify/test_pairs.py`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("torch")

from verify.pairs import verdicts

from graphmend_lint.verify.verdict import Outcome

FOLDER = os.environ.get("GRAPHMEND_PAIRS")


@pytest.mark.torch
@pytest.mark.heavy
@pytest.mark.skipif(FOLDER is None, reason="GRAPHMEND_PAIRS names no folder")
@pytest.mark.parametrize("backend", ["aot_eager"])
def test_a_fix_that_keeps_everything_is_proven(backend: str) -> None:
    wrong, count = [], 0
    for folder, wanted, verdict in verdicts(Path(str(FOLDER)), "", backend):
        count += 1
        if wanted != (verdict.outcome is Outcome.PROVEN):
            wrong.append(f"{folder.name}: {verdict.outcome.value}: {verdict.reason}")
    assert count
    assert not wrong, "\n".join(wrong)


@pytest.mark.torch
@pytest.mark.heavy
@pytest.mark.parametrize("name", ["changed_dtype", "lost_after_cond", "text_lost_when_compiled"])
def test_inductor_shows_the_same_differences(name: str) -> None:
    root = Path(__file__).parent / "planted"
    (told,) = [verdict for _, _, verdict in verdicts(root, f"^{name}$", "inductor")]
    expected = (root / name / "fixed.py").read_text("utf-8").splitlines()[0].removeprefix("# expect: ")
    assert told.outcome is Outcome.NOT_PROVEN
    assert any(item.text.startswith(expected) for item in told.differences)
