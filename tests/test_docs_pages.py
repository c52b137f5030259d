"""Pages that are generated are current, and those written by hand leave nothing out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmend_lint.config import Settings
from graphmend_lint.docs import ASKED, TORCH, pages
from graphmend_lint.keys import KEYS
from graphmend_lint.report import MODULES
from graphmend_lint.rule import Rule, load_rules

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SPEAKING = [*(ROOT / "rules").glob("*.py"), *(ROOT / "graphmend_lint").glob("[rf]*/*.py")]  # rules, rewrite, facts


def test_pages_are_current() -> None:
    written = dict(pages(load_rules().values()))
    there = {file.name: file.read_text("utf-8") for file in (DOCS / "rules").glob("*.md")}
    assert there == written, "run: python -m graphmend_lint.docs"


@pytest.mark.parametrize("rule", load_rules().values(), ids=lambda rule: rule.name)
def test_what_is_measured_can_be_measured_again(rule: Rule) -> None:
    if rule.code in ASKED:
        tests = ASKED[rule.code]
        assert tests is None or rule.name.replace("-", "_") in (ROOT / tests).read_text("utf-8")
    else:
        assert list((ROOT / "tests" / "rules" / rule.name.replace("-", "_")).glob("*.py"))


@pytest.mark.torch
def test_the_torch_that_pages_name_is_the_one_that_is_asked() -> None:
    import torch

    assert torch.__version__.partition("+")[0] == TORCH


def functions_with_a_reason(trees: list[ast.Module]) -> Iterator[str]:
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef) and any(each.arg == "reason" for each in node.args.args):
            yield node.name


def reasons() -> set[str]:
    """Every reason that is written in a call of `Refusal`, or of a function that takes a `reason`."""
    trees = [ast.parse(file.read_text("utf-8")) for file in SPEAKING]
    makers = {"Refusal", *functions_with_a_reason(trees)}
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers and node.args:
            words = (each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))
            found |= {each.value for each in words if isinstance(each.value, str)}
    return found


def test_every_reason_is_listed() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", (DOCS / "refusals.md").read_text("utf-8"), re.M)
    assert len(reasons()) > 10
    assert sorted(listed) == sorted(reasons())


def test_every_key_and_format_is_in_the_configuration_page() -> None:
    text = (DOCS / "configuration.md").read_text("utf-8")
    for name in [*KEYS, *MODULES]:
        assert f"`{name}`" in text, name


def test_the_configuration_page_states_the_defaults() -> None:
    text = (DOCS / "configuration.md").read_text("utf-8")
    for name, default in Settings().as_table().items():
        if isinstance(default, bool) and (row := re.search(rf"^\| `{name}` .*", text, re.M)):
            assert f"`{str(default).lower()}`" in row[0], name


def links(file: Path) -> Iterator[str]:
    for target in re.findall(r"\]\(([^)#]+)", file.read_text("utf-8")):
        if "://" not in target:
            yield target


@pytest.mark.parametrize("file", [ROOT / "README.md", *DOCS.glob("*.md")], ids=lambda file: file.name)
def test_links_lead_somewhere(file: Path) -> None:
    for target in links(file):
        assert (file.parent / target).exists(), f"{file.name} points to {target}"


def test_every_feature_names_tests_that_exist() -> None:
    rows = re.findall(r"^\| .* \|$", (DOCS / "features.md").read_text("utf-8"), re.M)[2:]
    for row in rows:
        last = row.split("|")[-2]
        assert "test_" in last or last.strip().startswith(("no:", "not yet", "[")), row
        there(re.findall(r"`(test_\w+\.py)?(?:::)?(test_\w+)?`", last))


def there(named: list[tuple[str, str]]) -> None:
    """See that each (file, test) exists; a test without a file is in the file before it."""
    current = ""
    for file, test in named:
        current = file or current
        if current:
            (found,) = (ROOT / "tests").rglob(current)
            text = found.read_text("utf-8")
            assert not test or f"def {test}(" in text, f"{current}::{test}"


def test_every_invariant_names_tests_that_exist() -> None:
    text = (DOCS / "architecture.md").read_text("utf-8")
    blocks = re.findall(r"\*\*Architecture invariant:\*\*.*?(?=\n\n)", text, re.S)
    assert len(blocks) >= 8
    for block in blocks:
        named = re.findall(r"`(test_\w+\.py)?(?:::)?(test_\w+)?`", block)
        assert any(file or test for file, test in named), block
        there(named)
