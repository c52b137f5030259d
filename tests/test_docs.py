"""Documentation is the first test: each rule's example is flagged, and mended as its page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source

SECTIONS = ["What it does", "Why it breaks the graph", "Example", "Fix safety"]
RULES = list(load_rules().values())


def source(text: str) -> Source:
    return Source(Path("example.py"), text)


def blocks(rule: Rule) -> tuple[str, str]:
    example, instead = re.findall(r"```python\n(.*?)```", rule.doc, re.S)
    return example, instead


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_page_has_its_sections(rule: Rule) -> None:
    assert re.findall(r"^## (.+)$", rule.doc, re.M) == SECTIONS
    assert "Use instead:" in rule.doc


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_example_is_flagged(rule: Rule) -> None:
    example, instead = blocks(rule)
    assert [each.code for each in lint([source(example)], [rule])] == [rule.code]
    assert lint([source(instead)], [rule]) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_fix_is_what_the_page_says(rule: Rule) -> None:
    """A rule without a fix says so on its page, and gives a reason with the diagnostic."""
    example, instead = blocks(rule)
    fixed = fix([source(example)], [rule], allow=Applicability.UNSAFE)
    if "no automatic fix" in rule.doc:
        assert fixed.sources[0].text == example
        assert fixed.diagnostics[0].refusal
    else:
        assert fixed.sources[0].text == instead
        assert fix(list(fixed.sources), [rule], allow=Applicability.UNSAFE).applied == 0
