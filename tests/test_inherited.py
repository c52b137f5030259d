"""What a class has from a class of another file is looked into as well: what is counted or changed there counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.engine import lint
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

BASE = """\
import torch
from torch import nn


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x.mean()

    @property
    def count(self):
        self.calls += 1
        return self.calls

    def bump(self, x):
        x.add_(1)


class Changing(nn.Module):
    def forward(self, x):
        x.add_(1)
        return x
"""
HEAD = """\
import logging

import torch
from torch import nn

from .base import Changing, Counting

logger = logging.getLogger(__name__)


class Counter(Counting):
    pass


class Changer(Changing):
    pass


class Model(Counting):
    def __init__(self):
        super().__init__()
        self.counter = Counter()
        self.changer = Changer()
        self.chain = nn.Sequential(nn.Identity(), Changer())

    def forward(self, x: torch.Tensor):
        {}
        return x
"""
BRANCH = "y = x\n        if x.sum() > 0:\n            y = x * 2\n        {}"
REFUSED = {
    'logger.info("mean %s", self.counter(x))': "arguments-have-effects",
    'logger.info("count %s", self.count)': "arguments-have-effects",
    BRANCH.format("self.changer(y)"): "in-place-later",
    BRANCH.format("self.chain(y)"): "in-place-later",
    BRANCH.format("self.bump(y)"): "in-place-later",
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.items())
def test_what_is_inherited_from_another_file(tmp_path: Path, body: str, reason: str) -> None:
    texts = {"__init__": "", "base": BASE, "model": HEAD.format(body)}
    sources = [Source(tmp_path / "program" / f"{name}.py", text) for name, text in texts.items()]
    sources[0].path.parent.mkdir()
    for each in sources:
        each.path.write_text(each.text, "utf-8")
    refusals = [each.refusal for each in lint(sources, list(load_rules().values())) if each.path.stem == "model"]
    assert [each and each.reason for each in refusals] == [reason]
