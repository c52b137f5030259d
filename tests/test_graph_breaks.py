"""Every graph-break id of torch is claimed by a rule, or listed with a reason; and the figures of the page are true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from graphmend_lint.rule import load_rules

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "graph-breaks.md").read_text("utf-8")
BAR = 0.9
DECIDED_BY_SOURCE = "missed"


class Listed(NamedTuple):
    """One id that no rule claims."""

    id: str
    reason: str
    met: bool
    name: str


def listed() -> list[Listed]:
    lines = (DOCS / "graph-breaks.txt").read_text("utf-8").splitlines()
    rows = [line.split(maxsplit=3) for line in lines if not line.startswith("#")]
    return [Listed(id, reason, met == "met", name) for id, reason, met, name in rows]


def claimed() -> set[str]:
    return {id for rule in load_rules().values() for id in rule.graph_breaks}


def met_and_claimed() -> set[str]:
    block = re.search(r"```text\n(.*?)```", PAGE, re.S)
    assert block is not None
    return set(block[1].split())


def test_no_id_is_both_claimed_and_listed() -> None:
    ids = [each.id for each in listed()]
    assert len(ids) == len(set(ids))
    assert not claimed() & set(ids)


def test_every_reason_is_explained_and_counted() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", PAGE, re.M))
    reasons = [each.reason for each in listed()]
    assert {reason: int(count) for reason, count in rows.items()} == {each: reasons.count(each) for each in reasons}


def test_what_was_met_and_missed_is_said_to_be_so() -> None:
    assert all(each.met for each in listed() if each.reason == DECIDED_BY_SOURCE)
    assert not any(each.met for each in listed() if each.reason in ("corner", "inner", "operators", "setting"))


def test_the_share_on_the_page_is_the_share() -> None:
    ours = met_and_claimed()
    assert ours <= claimed()
    all_of_them = len(ours) + sum(each.reason == DECIDED_BY_SOURCE for each in listed())
    assert f"{len(ours)} of {all_of_them} ({100 * len(ours) / all_of_them:.1f} %)" in PAGE
    assert len(ours) / all_of_them >= BAR


def test_the_number_of_claimed_ids_is_on_the_page() -> None:
    assert f"{len(claimed())} are claimed" in PAGE


@pytest.mark.torch
def test_every_id_of_torch_is_claimed_or_listed() -> None:
    import torch._dynamo

    file = Path(torch._dynamo.__file__ or "").with_name("graph_break_registry.json")
    registry = {id: entries[0]["Gb_type"] for id, entries in json.loads(file.read_text("utf-8")).items()}
    names = {each.id: each.name for each in listed()}
    assert claimed() | set(names) == set(registry)
    assert {id: " ".join(registry[id].split()) for id in names} == names
    assert f"{len(registry)} ids" in PAGE
