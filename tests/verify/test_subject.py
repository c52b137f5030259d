"""Input sets come from the functions that a target names, or from those with the usual names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from graphmend_lint.verify.failures import FactoryError
from graphmend_lint.verify.overlay import OverlayFinder
from graphmend_lint.verify.request import Request
from graphmend_lint.verify.subject import Subject
from graphmend_lint.verify.verdict import Options, Pair

TEXT = """\
import torch


def double(x):
    return x * 2


def build():
    return double, (torch.ones(1),), {}


def short():
    return [((torch.ones(2),), {}), ((torch.ones(3),), {})]


def more_inputs():
    return [((torch.ones(4),), {})]


def wrong():
    return [(("text",), {})]
"""


def sets(folder: Path, **tables: Any) -> list[tuple[str, Any]]:
    path = folder / "model.py"
    path.write_text(TEXT)
    target = Request(target=f"{path}:build", **tables).found_target()
    subject = Subject(Pair(target, {}, {}, Options()).job("original eager"), OverlayFinder({}))
    return [(name, len(inputs[0][0])) for name, _, inputs in subject.sets()]


@pytest.mark.torch
def test_the_usual_names_are_found_where_they_are(tmp_path: Path) -> None:
    assert sets(tmp_path) == [("inputs", 1), ("more_inputs()[0]", 4)]


@pytest.mark.torch
def test_named_functions_take_their_place(tmp_path: Path) -> None:
    found = sets(tmp_path, inputs=("short",), bad_inputs=("wrong",))
    assert found == [("inputs", 1), ("short()[0]", 2), ("short()[1]", 3), ("bad_inputs: wrong()[0]", 4)]


@pytest.mark.torch
def test_a_named_function_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(FactoryError, match=r"model\.py has no function long"):
        sets(tmp_path, inputs=("long",))
