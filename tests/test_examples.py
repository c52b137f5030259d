"""The examples of docs/examples.md: what breaks, how it is mended, and that torch agrees."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

PAGE = Path(__file__).parent.parent / "docs" / "examples.md"
RULES = list(load_rules().values())
#: what Dynamo breaks on, by section of the page: ids, codes of diagnostics
EXAMPLES = {
    "A number in a condition": ({"GB0124", "GB0170"}, {"GM101", "GM201"}),
    "A comparison of tensors": ({"GB0170"}, {"GM101"}),
    "A number of turns": ({"GB0124"}, {"GM103", "GM201"}),
    "A loop that ends early": ({"GB0170"}, {"GM101"}),
    "A list that grows": (set(), set()),
}


def blocks(title: str) -> tuple[str, str]:
    """The code of a section, before and after; the same if nothing is mended."""
    section = PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = re.findall(r"```python\n(.*?)```", section, re.S)
    return found[0], found[-1]


def source(text: str) -> Source:
    return Source(Path("example.py"), text)


@pytest.mark.parametrize("title", EXAMPLES)
def test_the_example_is_mended_as_the_page_says(title: str) -> None:
    before, after = blocks(title)
    assert {each.code for each in lint([source(before)], RULES)} == EXAMPLES[title][1]
    done = fix([source(before)], RULES, allow=Applicability.UNSAFE)
    assert done.sources[0].text == after
    assert done.diagnostics == []


@pytest.mark.torch
@pytest.mark.parametrize("title", EXAMPLES)
def test_torch_agrees(title: str, tmp_path: Path) -> None:
    import live

    before, after = (live.load(tmp_path / f"{n}.py", text) for n, text in enumerate(blocks(title)))
    for case in (before, after):
        case["inputs"] = lambda: inputs(title)
    ids = EXAMPLES[title][0]
    assert live.breaks(before) & {"GB0124", "GB0170"} <= ids
    assert bool(live.breaks(before)) == bool(ids)
    assert live.breaks(after) == set()
    expected = live.outcomes(before, compiled=False)
    assert live.outcomes(after, compiled=False) == expected
    for backend in ("eager", "aot_eager"):
        assert live.results(live.outcomes(after, compiled=True, backend=backend)) == live.results(expected)


def inputs(title: str) -> list[Any]:
    """Both ways, and back."""
    import torch

    x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    if title == "A number of turns":
        return [(x, torch.tensor(each)) for each in (3, 0, 5, 3)]
    return [(x,), (-x,), (x * 0,), (x * 100,), (x,)]
