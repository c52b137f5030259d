"""Every file under tests/rules/ is a case; its folder is the rule.

`x.before.py` + `x.after.py`   flagged where `# GMnnn` says, and fixed to `after`
`x.py`                         flagged where `# GMnnn` says (or nowhere), left as it is
`# side-effects: once` as the first line chooses that policy, `# all rules` has it fixed by every rule.
The marks are no part of the code: they are taken away before a case is linted, fixed or run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source

LATER = ("GM6", "GM9")  #: one call does not break: test_recompiles.py, test_miscompiled.py
RULES = {rule.name.replace("-", "_"): rule for rule in load_rules().values()}
CASES = sorted(p for p in Path(__file__).with_name("rules").glob("*/*.py") if ".after" not in p.suffixes)
ALL = "# all rules\n"  #: the first line of a case that other rules finish
POLICY = re.compile(r"\A# side-effects: (\S+)\n")  #: the first line of a case may choose a policy
MARK = re.compile(r"  # (GM\d{3})$", re.M)


def case_id(path: Path) -> str:
    return f"{path.parent.name}/{path.name.removesuffix('.py')}"


@pytest.fixture(params=CASES, ids=case_id)
def case(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def rule(case: Path) -> Rule:
    return RULES[case.parent.name]


def code(path: Path) -> str:
    """The text of a case without its marks."""
    return MARK.sub("", path.read_text("utf-8"))


def source(path: Path) -> Source:
    return Source(path, code(path))


def marks(path: Path) -> list[tuple[int, str]]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return [(row, mark) for row, line in lines for mark in MARK.findall(line)]


def after(case: Path) -> Path:
    golden = case.with_name(case.name.replace(".before.", ".after."))
    return golden if golden.exists() else case


def settings(text: Source) -> Settings:
    policy = POLICY.match(text.text)
    return Settings(side_effects=policy[1]) if policy else Settings()


def fixed(text: Source, rule: Rule) -> str:
    rules = list(load_rules().values()) if text.text.startswith(ALL) else [rule]
    return fix([text], rules, settings(text), Applicability.UNSAFE).sources[0].text


def test_there_are_cases_for_every_rule() -> None:
    assert {case.parent.name for case in CASES} == set(RULES)


def test_flags_the_marked_lines(case: Path, rule: Rule) -> None:
    assert [(each.span.start.row, each.code) for each in lint([source(case)], [rule])] == marks(case)


def test_fix_gives_the_golden_file(case: Path, rule: Rule) -> None:
    assert fixed(source(case), rule) == code(after(case))


def test_fix_is_final(case: Path, rule: Rule) -> None:
    golden = source(after(case))
    assert fixed(golden, rule) == golden.text


def test_what_is_not_fixed_has_a_reason(case: Path, rule: Rule) -> None:
    golden = source(after(case))
    for each in lint([golden], [rule], settings(golden)):
        assert each.refusal is not None
        assert each.refusal.reason


@pytest.mark.torch
def test_torch_agrees(case: Path, rule: Rule, tmp_path: Path) -> None:
    """Dynamo breaks exactly where we say so, and no longer once mended; and the results are those of before."""
    import live

    before = live.load(tmp_path / "before.py", code(case))
    if not rule.code.startswith(LATER):
        assert bool(live.breaks(before) & {*rule.graph_breaks, live.SKIPPED}) == bool(marks(case))
    if after(case) == case:
        return
    mended, whole = live.load(tmp_path / "after.py", code(after(case))), "fullgraph=True" in code(after(case))
    assert live.breaks(mended, whole=whole) == set()
    original = live.outcomes(before, compiled=False)
    assert live.outcomes(mended, compiled=False) == original
    compiled = live.outcomes(mended, compiled=True, whole=whole)
    assert live.results(compiled) == live.results(original)
    if not {"is_compiling", "assume_constant_result"} & set(re.findall(r"\w+", code(after(case)))):
        assert compiled == original
