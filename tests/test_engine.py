"""The engine: what a fix does to a text, and when fixing stops."""

from __future__ import annotations

import ast
import cProfile
import gc
import weakref
from pathlib import Path

import pytest

from graphmend_lint import engine
from graphmend_lint.model import Applicability, Diagnostic, Fix, TextEdit
from graphmend_lint.region import analyse
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source

RULES = list(load_rules().values())
BRANCH = """\
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        y = x * 2.0
    else:
        y = x * 0.5
    return y  # the end


compiled = torch.compile(forward)
"""
SELECTED = """\
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() > 0, x * 2.0, x * 0.5)
    return y  # the end


compiled = torch.compile(forward)
"""
DECORATED = """\


def checked(function):
    def inside(*args):
        return function(*args)
    return inside


class Net(torch.nn.Module):
    @checked
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.clone()
        if x.sum() > 0:
            y += 1.0
        if (y < 0).any():
            raise ValueError("negative")
        print("done")
        return forward(y)
"""
LOGS = '''\
"""A module."""

from __future__ import annotations

import logging

from torch import compile, nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x):
        logger.info("x")
        return x + 1
'''


ANSWERED = """\
import torch
from torch import nn


def alike(last: torch.Tensor, current: torch.Tensor) -> bool:
    if last.shape != current.shape:
        return False
    return bool((last == current).all().item())


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = torch.zeros(2)
        self.seen: list[torch.Tensor] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not alike(self.last, x):
            self.seen.append(x.nonzero())
        return x
"""


def fixed(text: str, allow: Applicability = Applicability.UNSAFE) -> str:
    return engine.fix([Source(Path("a.py"), text)], RULES, allow=allow).sources[0].text


def diagnostics(text: str) -> list[Diagnostic]:
    return engine.lint([Source(Path("a.py"), text)], RULES)


def apply_edits(text: str, edits: tuple[TextEdit, ...]) -> str:
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        first = starts[edit.span.start.row - 1] + edit.span.start.column - 1
        last = starts[edit.span.end.row - 1] + edit.span.end.column - 1
        text = text[:first] + edit.content + text[last:]
    return text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", ["    ", "\t", "  "])
def test_newlines_and_indentation_are_kept(newline: str, indent: str) -> None:
    def spelled(text: str) -> str:
        return text.replace("    ", indent).replace("\n", newline)

    assert fixed(spelled(BRANCH)) == spelled(SELECTED)


def test_a_file_without_a_newline_at_its_end_stays_so() -> None:
    assert fixed(BRANCH.rstrip("\n")) == SELECTED.rstrip("\n")


def test_characters_beyond_ascii_before_the_place() -> None:
    text = BRANCH.replace("    if x.sum() > 0:", '    "größer"; z = "é"\n    if x.sum() > 0:')
    assert 'z = "é"\n    y = torch.where(' in fixed(text)


def test_bytes_around_the_text_are_kept() -> None:
    data = b"\xef\xbb\xbf" + BRANCH.replace("\n", "\r\n").encode()
    source = Source.decode(Path("a.py"), data)
    after = engine.fix([source], RULES).sources[0]
    assert after.encode(after.text) == b"\xef\xbb\xbf" + SELECTED.replace("\n", "\r\n").encode()


@pytest.mark.parametrize("before", ["\f", "\f\n", "\n\f", "x = 1\f\n", "    \f\n", "    # y\n\f"])
def test_form_feeds_are_kept(before: str) -> None:
    head, tail = BRANCH.partition("def ")[::2]
    after = SELECTED.partition("def ")[2]
    assert fixed(f"{head}{before}def {tail}") == f"{head}{before}def {after}"


def test_safe_fixes_only_unless_asked() -> None:
    assert fixed(LOGS, Applicability.SAFE) == LOGS
    assert fixed(LOGS) != LOGS


def test_an_import_goes_among_the_imports() -> None:
    text = fixed(LOGS)
    assert "import logging\n\nimport torch\nfrom torch import compile, nn\n\nlogger" in text
    assert "        if not torch.compiler.is_compiling():\n            logger.info" in text
    ast.parse(text)


def test_an_import_follows_the_docstring_if_there_are_no_others() -> None:
    text = '"""A module."""\nclass Net(nn.Module):\n    def forward(self, x):\n        print(1)\n        return x\n'
    source = Source(Path("a.py"), text)
    (path, facts), *_ = analyse([source]).items()
    assert path == source.path
    assert facts is not None
    from graphmend_lint.rewrite.apply import add_import
    from graphmend_lint.rewrite.site import Site

    start = '"""A module."""\n\nimport torch\n\nclass Net'
    assert add_import(Site(source).module, "torch").code.startswith(start)


def test_two_statements_on_one_line_are_left_alone() -> None:
    text = BRANCH.replace("    return y  # the end", "    print(1); return y")
    assert "print(1); return y" in fixed(text)


def test_a_suite_on_the_line_of_its_test() -> None:
    text = BRANCH.replace("    return y  # the end", "    if x.dim() == 1: print(1)\n    return y")
    assert "if x.dim() == 1: print(1)\n" in fixed(text)


def test_several_files_keep_their_order() -> None:
    sources = [Source(Path("b.py"), BRANCH), Source(Path("a.py"), BRANCH)]
    after = engine.fix(sources, RULES)
    assert [each.path.name for each in after.sources] == ["b.py", "a.py"]
    assert [each.text for each in after.sources] == [SELECTED, SELECTED]
    assert after.applied == 2
    assert after.diagnostics == []


def test_diagnostics_are_sorted() -> None:
    sources = [Source(Path("b.py"), LOGS), Source(Path("a.py"), BRANCH)]
    found = engine.lint(sources, RULES)
    assert [(each.path.name, each.code) for each in found] == [("a.py", "GM101"), ("b.py", "GM302")]


@pytest.mark.parametrize("text", [BRANCH, LOGS, BRANCH.replace("\n", "\r\n"), BRANCH.rstrip("\n")])
def test_text_edits_make_the_same_change_as_the_fix(text: str) -> None:
    (found,) = diagnostics(text)
    edits = engine.text_edits(Source(Path("a.py"), text), found)
    assert edits
    assert apply_edits(text, edits) == fixed(text)


def test_text_edits_are_small() -> None:
    (found,) = diagnostics(BRANCH)
    edits = engine.text_edits(Source(Path("a.py"), BRANCH), found)
    rows = [(each.span.start.row, each.span.end.row) for each in edits]
    assert min(first for first, _ in rows) >= 5
    assert max(last for _, last in rows) <= 9


def test_no_fix_no_edits() -> None:
    text = BRANCH.replace("x * 0.5", "torch.rand(3)")
    (found,) = diagnostics(text)
    assert found.refusal is not None
    assert engine.text_edits(Source(Path("a.py"), text), found) == ()


def test_a_step_that_makes_room_for_nothing_is_taken_back() -> None:
    assert fixed(ANSWERED) == ANSWERED


def broken(rule: Rule, replacement: str) -> Rule:
    """The rule with a fixer that puts something wrong in place."""

    def fixer(node: ast.If, facts: object) -> object:
        good = rule.fix(node, facts) if rule.fix else None
        assert good is not None
        edits = lambda site: (site.replace(node, replacement),)  # noqa: E731
        return Fix("", Applicability.SAFE, edits)

    return Rule(rule.code, rule.name, rule.graph_breaks, rule.node_types, rule.check, rule.doc, fixer)


def test_a_fix_that_mends_nothing_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = broken(load_rules()["GM101"], "if x.sum() > 1:\n    y = x * 2.0\nelse:\n    y = x")
    monkeypatch.setattr(Diagnostic, "fix", property(lambda each: each.outcome))
    done = engine.fix([Source(Path("a.py"), BRANCH)], [rule])
    assert done.sources[0].text == BRANCH
    assert done.applied == 0
    assert len(done.diagnostics) == 1


def test_a_fix_that_is_not_python_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = broken(load_rules()["GM101"], "y = x\nfrom __future__ import annotations")
    monkeypatch.setattr(Diagnostic, "fix", property(lambda each: each.outcome))
    done = engine.fix([Source(Path("a.py"), BRANCH)], [rule])
    assert done.sources[0].text == BRANCH
    assert done.applied == 0


def test_fixing_twice_is_fixing_once() -> None:
    once = fixed(BRANCH + LOGS.partition("logger = ")[2].partition("\n")[2])
    assert fixed(once) == once


def test_equal_places_are_fixed_in_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, lint = [], engine.lint
    monkeypatch.setattr(engine, "lint", lambda *given, **named: rounds.append(1) or lint(*given, **named))
    text = LOGS.replace('        logger.info("x")\n', '        logger.info("x")\n' * 30)
    assert "        logger" not in fixed(text).replace("            logger", "")
    assert len(rounds) == 2  # before, and after


HALF = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, count: torch.Tensor):
        means = torch.zeros(len(x))
        means[count > 0] = x.sum(dim=1)[count > 0] / count[count > 0]
        print("done")
        return means
"""


def test_half_a_fix_is_not_kept_for_another_that_mends_something() -> None:
    assert fixed(HALF) == HALF.replace("print(", "torch._higher_order_ops.print(")


MANY = """\
import torch


def forward(x: torch.Tensor, y: torch.Tensor):
{}    return x + y


torch.compile(forward)
"""
PAIR = "    if x.sum() > {0}:\n        x = x + {0}\n    y = y * x.sum().item()\n"


def test_cost_grows_with_the_findings_of_a_function() -> None:
    """Counted in calls, so that a busy machine does not matter; looking at all of it for each finding is four times."""
    calls = []
    for count in (5, 100, 200):
        profile = cProfile.Profile()
        found = profile.runcall(diagnostics, MANY.format("".join(map(PAIR.format, range(count)))))
        assert len(found) == 2 * count
        calls.append(sum(each.callcount for each in profile.getstats() if not isinstance(each.code, str)))
    assert calls[2] < 2.5 * calls[1]


def test_a_run_lets_go_of_the_trees_of_the_last_one() -> None:
    source = Source(Path("net.py"), BRANCH.replace("torch.compile(", "checked(") + DECORATED)
    tree = weakref.ref(source.tree)
    engine.fix([source], RULES, allow=Applicability.UNSAFE)
    del source
    engine.lint([Source(Path("a.py"), "x = 1\n")], RULES)
    gc.collect()
    assert tree() is None
