"""Setups, timing, the page and the demo: what people see of a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.verify.html import page
from graphmend_lint.verify.hunks import hunks
from graphmend_lint.verify.report import Seen, duration
from graphmend_lint.verify.report import as_json as told_json
from graphmend_lint.verify.source_map import source_map
from graphmend_lint.verify.speed import Speed, Timed, as_json
from graphmend_lint.verify.target import Target
from graphmend_lint.verify.verdict import Measurement, Options, Outcome, Pair, Told, Verdict, _conclude, overall

BEFORE = "def f(x):\n    if x.sum() > 0:\n        return '<b>'\n    return x\n"
AFTER = "def f(x):\n    return x\n"
BROKEN = {
    "gb_id": "GB0170",
    "gb_type": "Data-dependent branching",
    "reason": "why",
    "url": "https://example.org/gb0170.html",
    "path": "/m.py",
    "line": 2,
    "function": "f",
    "code": "if x.sum() > 0:",
}
PATH = Path("/m.py")
GRAPHS = ({"operations": 3, "ended_by": BROKEN}, {"operations": 1, "ended_by": None})
PAIR = Pair(Target(PATH, "m", PATH.parent, "build", False), {PATH: BEFORE}, {PATH: AFTER}, Options())


def verdict(outcome: Outcome = Outcome.PROVEN) -> Verdict:
    return Verdict(
        outcome,
        "1 break before; 0 after",
        Measurement(2, "", (BROKEN,), 1, False, {"type": "E", "message": "m"}, (), GRAPHS),
        Measurement(1, "", (), 0, True, None, (), GRAPHS[1:]),
        differences=(Told("fixed eager", "values", "<script>alert(1)</script>"),),
        edits=len(hunks(PAIR.before, PAIR.after)),
        environment={"torch": "2.13"},
    )


TIMED = Speed(
    {
        "original eager": Timed((1.0,), (0.0,), (0.5, 0.5, 0.5), 1),
        "original compiled": Timed((4.0, 6.0), (3.0, 5.0), (0.2, 0.3, 0.4), 1),
        "fixed compiled": Timed((2.0, 3.0), (1.0, 2.0), (0.1, 0.2, 0.1), 1),
    },
    surroundings={"device": "cpu", "rounds": 2},
)


def row(verdicts: list[Verdict], timed: Speed | None = None) -> dict[str, Any]:
    told = told_json(verdicts, timed, str(PAIR.target), Seen())
    fix = {"code": "GM101", "title": "Select", "path": str(PATH), "row": 2, "safe": False, "caveat": "Rounding."}
    fixes = [{**fix, "verdict": "dropped", "reason": "values differ"}]
    return {"name": "m.py:build", **told, "fixes": fixes, "map": source_map(PAIR, verdicts[0], Seen())}


def test_an_original_that_fails_when_compiled_is_not_counted_as_without_breaks() -> None:
    failed = Measurement(None, "crashed: exit code 1", (), 0, False, None, ())
    left = Measurement(2, "", (BROKEN,), 1, False, None, ())
    assert _conclude(failed, left, (), 1, 0)[0] is Outcome.PROVEN
    assert _conclude(replace(failed, error=""), left, (), 1, 0)[0] is Outcome.NOT_PROVEN


class Checker(HTMLParser):
    """Collects text, and sees that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_well_formed_and_needs_nothing_else() -> None:
    text = page([row([verdict()], TIMED)])
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert checker.links == []
    assert "<script" not in text
    assert "<script>alert(1)</script>" in checker.text


def test_the_page_maps_breaks_and_edits_onto_the_source() -> None:
    checker = Checker()
    checker.feed(page([row([verdict()], TIMED)]))
    assert "- " + "    if x.sum() > 0:" in checker.text
    assert "breaks before: GB0170 Data-dependent branching (not found; GM101" in checker.text
    for told in (
        "values differ",
        "unsafe: Rounding.",
        "GB0170line 2",
        "original compiled",
        "5 s",
        "300 ms",
        "2.5 s",
        "100 ms",
    ):
        assert told in checker.text, told


def test_the_page_of_several_setups_tells_each() -> None:
    text = page([row([verdict(), verdict(Outcome.NOT_PROVEN)])])
    assert "<h3>Setups</h3>" in text
    assert "<title>not proven: " in text
    assert "Later calls" not in text


def test_the_page_of_several_targets_begins_with_a_table() -> None:
    rows = [row([verdict()], TIMED), {**row([verdict(Outcome.NOT_PROVEN)]), "name": "second"}]
    rows.append({"name": "third", "target": "hf:x", "verdict": "could not run", "exit_code": 2, "reason": "no <x>"})
    checker = Checker()
    text = page(rows, "graphmend-lint verify a b c")
    checker.feed(text)
    assert checker.open == []
    assert checker.links == ["#row-1", "#row-2", "#row-3"]
    assert all(f'id="row-{number}"' in text for number in (1, 2, 3))
    assert "3 targets: 1 proven, 1 not proven, 1 could not run; 2 break sites before, 0 after" in checker.text
    assert "2.00x" in checker.text
    assert "no <x>" in checker.text


def test_ratios_say_how_many_times_faster_the_fixed_version_is() -> None:
    told = as_json(TIMED)
    assert told["ratios"] == {"cold": 2.0, "steady": pytest.approx(3.0)}
    assert TIMED.arms["fixed compiled"].first_without_compiling == 1.0
    assert as_json(Speed({}, "original eager: hangs")) == {"error": "original eager: hangs"}


@pytest.mark.parametrize(("seconds", "text"), [(1.5, "1.5 s"), (0.0123, "12.3 ms"), (4.56e-6, "4.56 µs")])
def test_a_duration_is_told_in_the_unit_that_suits_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("outcomes", "together"),
    [
        ((Outcome.PROVEN, Outcome.NOT_PROVEN), Outcome.NOT_PROVEN),
        ((Outcome.PROVEN, Outcome.COULD_NOT_RUN), Outcome.COULD_NOT_RUN),
        ((Outcome.PROVEN, Outcome.NOTHING_MEASURED), Outcome.PROVEN),
        ((Outcome.NOTHING_MEASURED, Outcome.NOTHING_MEASURED), Outcome.NOTHING_MEASURED),
    ],
)
def test_several_setups_have_one_outcome(outcomes: tuple[Outcome, ...], together: Outcome) -> None:
    assert overall(outcomes) is together


def tool(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmend_lint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=240)


@pytest.mark.torch
def test_the_demo_tells_the_whole_story(tmp_path: Path) -> None:
    done = tool("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for told in ("GM101", "GM105", "GM301", "GM302", "+        x = torch.where(", "proven: 4 breaks"):
        assert told in done.stdout, told
    assert "0 breaks, fullgraph passes after" in done.stdout
    assert list(tmp_path.iterdir()) == []


WITHOUT_TORCH = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "torch" else find(name, *more)
from graphmend_lint.cli import main
sys.exit(main(["demo"]))
"""


def test_the_demo_without_torch_says_how_to_get_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert done.stderr == 'verify needs torch: pip install "graphmend-lint[verify]"\n'
    assert "GM101" in done.stdout
    assert "+        x = torch.where(" in done.stdout


def test_the_demo_model_can_be_kept(tmp_path: Path) -> None:
    assert tool("demo", "--save", "model.py", cwd=tmp_path).returncode == 0
    text = (tmp_path / "model.py").read_text()
    again = tool("demo", "--save", "model.py", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (2, "model.py: File exists\n")
    assert (tmp_path / "model.py").read_text() == text


BRANCH = """\
import torch


def scale(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


def build():
    return scale, (torch.ones(3),), {}
"""
SELECT = BRANCH[: BRANCH.index("    if x")] + "    return torch.where(x.sum() > 0, x * 2, x * 3)\n\n\n"
SELECT += BRANCH[BRANCH.index("def build") :]


@pytest.mark.torch
def test_setup_timing_and_page_of_a_real_pair(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BRANCH)
    (tmp_path / "after.py").write_text(SELECT)
    arguments = ["--against", "after.py", "--backend", "eager", "--dtype", "bf16", "--dynamic", "--time"]
    done = tool("verify", "model.py:build", *arguments, "--html", "page.html", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["setup"] == "bfloat16, dynamic shapes"
    assert len(told["speed"]["arms"]["fixed compiled"]["steady"]) >= 30
    assert (
        0 < told["speed"]["arms"]["fixed compiled"]["compiling"][0] < told["speed"]["arms"]["fixed compiled"]["cold"][0]
    )
    assert "Later calls: median" in (tmp_path / "page.html").read_text()


@pytest.mark.torch
def test_each_setup_has_a_verdict_of_its_own(tmp_path: Path) -> None:
    text = BRANCH.replace("x.sum() > 0", "x.dtype == torch.bfloat16 and x.sum() > 0")
    (tmp_path / "model.py").write_text(text)
    (tmp_path / "after.py").write_text(SELECT)
    arguments = ["--against", "after.py", "--backend", "eager", "--dtype", "fp32,bf16"]
    done = tool("verify", "model.py:build", *arguments, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "not proven: fixed eager: values: output" in done.stdout
    assert "\nbfloat16: proven: 1 break, fullgraph fails before; 0 breaks" in done.stdout
    assert "2 setups together: not proven" in done.stdout


def test_a_dtype_that_does_not_exist_is_one_clear_line(tmp_path: Path) -> None:
    done = tool("verify", "model.py:build", "--dtype", "fp8", cwd=tmp_path)
    assert done.returncode == 2
    assert "'fp8' is not one of fp64, fp32, fp16, bf16" in done.stderr
