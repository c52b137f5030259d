"""What branches store and change in place: what becomes of it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

HEAD = """\
import torch


@torch.compile
def forward(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor, n: int = 1):
    out, found = [], {}
    own = x * 2
"""
RULE = next(rule for rule in load_rules().values() if rule.name == "tensor-branch")


def source(body: str) -> Source:
    return Source(Path("a.py"), HEAD + "".join(f"    {line}\n" for line in body.splitlines()))


@pytest.mark.parametrize(
    ("branch", "after"),
    [
        ("own *= 2", "own = torch.where(x.any(), own * 2, own)"),
        ("own.clamp_(max=1)", "own = torch.where(x.any(), own.clamp(max=1), own)"),
        ("own += y", "own.copy_(torch.where(x.any(), own + y, own))"),
        ("y *= 2", "y.copy_(torch.where(x.any(), y * 2, y))"),
        ("y.zero_()", "y.copy_(torch.where(x.any(), 0, y))"),
        ("y.div_(own)", "factor = torch.where(x.any(), own, 1)\ny.div_(factor)"),
        ("y.copy_(own)", "y.copy_(torch.where(x.any(), own, y))"),
        ("y[...] = 1", "y[...] = torch.where(x.any(), 1, y)"),
        ("y[:n, 1:] += own[:n, 1:]", "y[:n, 1:] = torch.where(x.any(), y[:n, 1:] + own[:n, 1:], y[:n, 1:])"),
    ],
)
def test_what_one_branch_changes_is_selected(branch: str, after: str) -> None:
    text = (
        fix([source(f"if x.any():\n    {branch}\nreturn own, y")], [RULE], allow=Applicability.UNSAFE).sources[0].text
    )
    assert text == source(f"{after}\nreturn own, y").text


@pytest.mark.parametrize(
    "use", ["alias = own\n", "out.append(own)\n", "row = own[0]\n", "own = x\n", "f = lambda: own\n"]
)
def test_a_tensor_that_others_may_have_stays_the_same_object(use: str) -> None:
    text = (
        fix([source(f"{use}if x.any():\n    own *= 2\nreturn own")], [RULE], allow=Applicability.UNSAFE).sources[0].text
    )
    assert "own.copy_(torch.where(" in text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if x.any():\n    out.append(x)", "arm-not-simple"),
        ("if x.any():\n    out.append(1)\nelse:\n    out.append(2)", "value-escapes"),
        ('if x.any():\n    found["k"] = x', "arm-not-simple"),
        ("if x.any():\n    out.append(x)\n    y.add_(1)\nelse:\n    y.add_(2)\n    out.append(y)", "arm-not-simple"),
        ("if x.any():\n    y.mul_(2)\n    half = y.sum()\n    own = own * half", "arm-not-simple"),
        ("if x.any():\n    y.uniform_()", "in-place"),
        ("if x.any():\n    y[m] = own", "arm-not-simple"),
        ("if x.any():\n    out[0] = x[n]\nelse:\n    out[0] = y", "index-may-fail"),
        ('if x.any():\n    found["k"] = x\nelse:\n    found["k"] = x * 2\nx[0] = 1', "in-place-later"),
        ("if x.any():\n    y.div_(y)", "in-place"),
        ("if x.any():\n    y.clamp_(max=1)", "in-place"),
    ],
)
def test_stores_that_cannot_be_selected_are_refused(body: str, reason: str) -> None:
    found = lint([source(f"{body}\nreturn out, found, y, own")], [RULE])
    assert [each.refusal.reason if each.refusal else each.fix for each in found] == [reason]


def test_a_condition_that_the_branch_changes_is_copied() -> None:
    body = "flag = m\nif flag:\n    flag.fill_(False)\n    y.add_(1)\nreturn y"
    text = fix([source(body)], [RULE], allow=Applicability.UNSAFE).sources[0].text
    assert "condition = flag.reshape(()) != 0" in text
    body = "with torch.no_grad():\n  flag = x.any()\n  if flag:\n    flag.fill_(False)\n    y.add_(1)\nreturn y"
    text = fix([source(body)], [RULE], allow=Applicability.UNSAFE).sources[0].text
    assert "condition = flag.clone()" in text
    given = source(body.replace("no_grad", "enable_grad"))
    assert fix([given], [RULE], allow=Applicability.UNSAFE).sources[0].text == given.text


INDEXED = [rule for rule in load_rules().values() if rule.name == "scalar-read"]


@pytest.mark.parametrize(("value", "safe"), [("own[0]", True), ("1.0", True), ("y", False), ("own.double()", False)])
def test_what_an_index_stores_is_not_converted(value: str, safe: bool) -> None:
    found = lint([source(f"own[x.argmax()] = {value}\nreturn own")], INDEXED)
    (fix,) = [each.fix for each in found if each.fix is not None]
    assert (fix.applicability is Applicability.SAFE) == safe
