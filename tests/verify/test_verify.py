"""The command `verify`, end to end: proof, what could not run, what was left alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from graphmend_lint.verify.jobs import Limits, Workers
from graphmend_lint.verify.target import parse_target
from graphmend_lint.verify.verdict import Options, Outcome, Pair, Verdict, verify

pytestmark = pytest.mark.torch

BRANCH = """\
import torch


def scale(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


def build():
    return scale, (torch.ones(3),), {}


def more_inputs():
    return [((-torch.ones(3),), {})]
"""
SELECT = BRANCH.replace(
    """\
    if x.sum() > 0:
        return x * 2
    return x * 3
""",
    """\
    return torch.where(x.sum() > 0, x * 2, x * 3)
""",
)


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmend_lint", "verify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=240)


Prove = Callable[..., Verdict]


@pytest.fixture
def verdict(tmp_path: Path, workers: Workers) -> Prove:
    def prove(before: str, after: str, **options: Any) -> Verdict:
        path = tmp_path / "model.py"
        path.write_text(before)
        target = parse_target(f"{path}:build")
        return verify(Pair(target, {path: before}, {path: after}, Options("eager", **options)), workers=workers)

    return prove


def test_a_rewrite_by_hand_is_proven(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BRANCH)
    (tmp_path / "after.py").write_text(SELECT)
    done = run("model.py:build", "--against", "after.py", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert (told["verdict"], told["differences"], told["edits_not_run"]) == ("proven", [], [])
    assert [(item["gb_id"], item["line"]) for item in told["before"]["breaks"]] == [("GB0170", 5)]
    assert (told["before"]["graphs"], told["after"]["graphs"]) == (2, 1)
    assert (told["before"]["fullgraph"], told["after"]["fullgraph"]) == (False, True)
    assert told["before"]["fullgraph_error"]["line"] == 5
    assert (tmp_path / "model.py").read_text() == BRANCH


def test_our_own_fix_of_the_function_that_the_factory_gives_is_proven(tmp_path: Path) -> None:
    text = BRANCH.replace("def scale(x):", "def scale(x: torch.Tensor) -> torch.Tensor:").replace("x * ", "x * 1.")
    (tmp_path / "model.py").write_text(text)
    done = run("model.py:build", "--backend", "eager", "--fix", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[found by GM101]" in done.stdout
    assert "torch.where(x.sum() > 0, x * 1.2, x * 1.3)" in (tmp_path / "model.py").read_text()


def test_the_terminal_shows_breaks_and_names_the_difference(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BRANCH)
    (tmp_path / "after.py").write_text(SELECT.replace("x * 3)", "x * 4)"))
    done = run("model.py:build", "--against", "after.py", "--backend", "eager", "--fix", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "model.py:5: GB0170 Data-dependent branching" in done.stdout
    assert "not proven: fixed eager: values: output: 3 of 3 differ, most at [0]: -3 became -4" in done.stdout
    assert (tmp_path / "model.py").read_text() == BRANCH


def test_a_proven_fix_is_written_on_request(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BRANCH)
    (tmp_path / "after.py").write_text(SELECT)
    done = run("model.py:build", "--against", "after.py", "--backend", "eager", "--fix", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "model.py").read_text() == SELECT


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def build(): return 1\n", "must return (callable, args, kwargs)"),
        ("def other(): ...\n", "has no function build"),
        ("import torch\n\n\ndef build(): raise OSError('no weights here')\n", "no weights here"),
        ("def build(:\n", "not valid Python"),
    ],
)
def test_what_cannot_run_is_one_clear_line(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "model.py").write_text(text)
    (tmp_path / "after.py").write_text("# other\n")
    done = run("model.py:build", "--against", "after.py", cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_an_edit_that_changes_no_break_measures_nothing(verdict: Prove) -> None:
    told = verdict(SELECT, SELECT.replace("x * 2", "2 * x"))
    assert (told.outcome, told.reason) == (Outcome.NOTHING_MEASURED, "no graph break before and none after")
    told = verdict(BRANCH, BRANCH.replace("x * 2", "2 * x"))
    assert told.outcome is Outcome.NOTHING_MEASURED
    assert told.reason.startswith("the edit changes no graph break")
    assert verdict(BRANCH, BRANCH).reason.startswith("the fixed source is the same text")


def test_without_a_fix_the_linters_reasons_are_told(tmp_path: Path) -> None:
    drawn = BRANCH.replace("x * 3", "x * torch.rand(3)")
    (tmp_path / "model.py").write_text(drawn)
    done = run("model.py:build", "--no-unsafe-fixes", cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout.startswith("nothing measured: no fix to prove for 1 diagnostics: "), done.stdout
    (tmp_path / "model.py").write_text(SELECT)
    done = run("model.py:build", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("nothing measured: linting finds no graph break here; "), done.stdout


def test_an_edit_that_never_runs_measures_nothing(verdict: Prove) -> None:
    unused = BRANCH + "\n\ndef unused(x):\n    return x + 1\n"
    told = verdict(unused, unused.replace("+ 1", "+ 2"))
    assert (told.outcome, len(told.not_run)) == (Outcome.NOTHING_MEASURED, 1)
    assert told.reason.startswith("no edited line ran")


def test_a_factory_that_draws_by_itself_could_not_be_compared(verdict: Prove) -> None:
    loose = BRANCH.replace("torch.ones(3),)", "torch.ones(3) + time.time_ns() % 1000,)").replace(
        "import", "import time\nimport", 1
    )
    told = verdict(loose, loose.replace("x * 2", "2 * x"))
    assert told.outcome is Outcome.COULD_NOT_RUN
    assert told.reason.startswith("the original is not the same in two runs: setup: args[0]")


def test_a_crash_and_a_hang_are_verdicts_with_the_last_output(verdict: Prove) -> None:
    crash = SELECT.replace(
        "    return torch.where", "    print('almost', flush=True)\n    import os; os.abort()\n    return torch.where"
    )
    told = verdict(BRANCH, crash)
    assert told.outcome is Outcome.NOT_PROVEN
    assert told.reason.startswith("fixed eager: crashed: killed by SIGABRT")
    hang = SELECT.replace(
        "def build():", "def build():\n    print('loading forever', flush=True)\n    while True: pass"
    )
    told = verdict(BRANCH, hang, limits=Limits(seconds=4))
    assert told.outcome is Outcome.NOT_PROVEN
    assert "fixed eager: hangs: still running after 4 s" in told.reason
    assert "loading forever" in told.reason


def test_memory_can_be_limited(verdict: Prove) -> None:
    hungry = BRANCH.replace("    return scale,", "    torch.ones(2**31)\n    return scale,")
    told = verdict(hungry, SELECT, limits=Limits(memory=6 * 2**30))
    assert told.outcome is Outcome.COULD_NOT_RUN
    assert "memory" in told.reason


def test_several_calls_in_order_share_one_object(verdict: Prove) -> None:
    counted = """\
import torch


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        if self.seen > {limit}:
            x = x * 2
        return x


def build():
    return Counter(), [((torch.ones(2),), {{}}), ((torch.ones(2),), {{}})]
"""
    after = counted.replace(
        "        if self.seen > {limit}:\n            x = x * 2\n        return x",
        "        return torch.where(self.seen > {limit}, x * 2, x)",
    )
    assert verdict(counted.format(limit=1), after.format(limit=1)).outcome is Outcome.PROVEN
    told = verdict(counted.format(limit=1), after.format(limit=2))
    assert told.outcome is Outcome.NOT_PROVEN
    assert "call 2 of 3 in turn" in told.reason


def test_an_earlier_draw_counts_where_a_later_call_shows_it(verdict: Prove) -> None:
    before = BRANCH.replace("import torch", "import random\n\nimport torch", 1)
    before = before.replace("    return x * 3", "    return x * random.random()")
    after = before.replace(
        "    if x", "    random.random() if torch.compiler.is_compiling() else random.random()\n    if x"
    )
    told = verdict(before, after)
    assert told.outcome is Outcome.NOT_PROVEN
    assert told.reason.startswith("fixed eager: values: output")


def test_strict_counts_what_is_only_noted(verdict: Prove) -> None:
    before = BRANCH.replace("if x.sum() > 0:\n        return x * 2", "if x.sum() > 0:\n        return x")
    after = SELECT.replace("x * 2", "x")
    told = verdict(before, after)
    assert (told.outcome, [note.kind for note in told.notes]) == (Outcome.PROVEN, ["aliasing"])
    assert verdict(before, after, strict=True).outcome is Outcome.NOT_PROVEN


def test_text_lost_when_compiled_can_be_allowed(verdict: Prove) -> None:
    before = BRANCH.replace("    if x", "    print('hi')\n    if x", 1)
    after = SELECT.replace(
        "    return torch", "    if not torch.compiler.is_compiling():\n        print('hi')\n    return torch", 1
    )
    assert verdict(before, after).outcome is Outcome.NOT_PROVEN
    told = verdict(before, after, allow_lost_text=True)
    assert told.outcome is Outcome.PROVEN
    assert [note.kind for note in told.notes] == ["lost text"]


ENDLESS = """\
import os
import subprocess


def build():
    sleeper = subprocess.Popen(["sleep", "120"])
    with open("pids.tmp", "w") as file:
        file.write(f"{os.getpid()} {sleeper.pid}")
    os.rename("pids.tmp", "pids")
    while True:
        pass
"""


def test_no_process_outlives_the_tool(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(ENDLESS)
    (tmp_path / "after.py").write_text(SELECT)
    command = [sys.executable, "-m", "graphmend_lint", "verify", "model.py:build", "--against", "after.py"]
    tool = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    pids = tmp_path / "pids"
    assert wait_for(pids.exists)
    tool.send_signal(signal.SIGINT)
    assert tool.wait(20) == 130
    assert wait_for(lambda: not any(alive(int(pid)) for pid in pids.read_text().split()))


def wait_for(condition: Any, seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(condition())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
