"""What is a tensor in one way to get there and not known in another: no safe fix rests on its being one."""

from __future__ import annotations

from pathlib import Path

from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rewrite.predicate import OTHER
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

RULES = list(load_rules().values())
TEXT = """\
import torch
from torch import nn


def scaled(x: torch.Tensor, by) -> torch.Tensor:
    if by > 0:
        return x * 2
    return x + 1


def kept(x: torch.Tensor, value):
    out = x.sum()
    if x.sum() > 0:
        out = value
    return out


class Layer(nn.Module):
    def __init__(self, least: int) -> None:
        super().__init__()
        self.least = least

    def is_large(self, x: torch.Tensor):
        return x.sum() > self.least

    def forward(self, x):
        if self.is_large(x):
            return x * 2
        return x + 1


class Long(Layer):
    def is_large(self, x: torch.Tensor):
        return x.numel() > self.least


class Model(nn.Module):
    def __init__(self, config: object = None) -> None:
        super().__init__()
        self.scale = getattr(config, "scale", 3)
        self.layers = nn.ModuleList([Layer(0), Long(1), Long(50)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        x = scaled(x, x.sum()) + scaled(x, self.scale)
        return x + kept(x, x.max()) + kept(x, self.scale)
"""


def test_no_safe_fix_rests_on_what_another_caller_may_pass() -> None:
    source = Source(Path("model.py"), TEXT)
    assert fix([source], RULES).sources[0].text == TEXT
    condition, value, method = (each for each in lint([source], RULES) if each.code == "GM101")
    assert condition.fix is not None
    assert (condition.fix.applicability, condition.fix.caveat) == (Applicability.UNSAFE, OTHER)
    assert value.fix is not None
    assert value.fix.applicability is Applicability.UNSAFE
    assert method.refusal is not None
