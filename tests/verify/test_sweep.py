"""Many targets: rows kept as they come, resumed where they stopped, spread over processes; and on Ray."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from graphmend_lint.verify.overview import markdown, sums
from graphmend_lint.verify.request import Request, failed_row
from graphmend_lint.verify.sweep import Event, Local, Store, SweepError, key_of, run, shard

THREE = [Request(target=f"hf:{name}") for name in ("a", "b", "c")]


def runner(requests: Sequence[Request]) -> Iterator[Event]:
    for i, request in enumerate(requests):
        yield Event(0, "working")
        yield Event(0, "", i, failed_row(request, "made up"))


def stopped(requests: Sequence[Request]) -> Iterator[Event]:
    yield from list(runner(requests))[:2]
    raise KeyboardInterrupt


def silent(event: Event, request: Request | None) -> None: ...


def test_a_sweep_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    assert run(THREE, stopped, Store(out, False), silent) is False
    assert [json.loads(line)["target"] for line in out.read_text().splitlines()] == ["hf:a"]
    heard: list[str] = []
    store = Store(out, True)
    assert run(THREE, runner, store, lambda event, request: heard.append(request.target) if request else None) is True
    assert heard == ["hf:b", "hf:c"]
    assert [row["target"] for row in store.of(THREE) if row] == ["hf:a", "hf:b", "hf:c"]
    assert len(out.read_text().splitlines()) == 3


def test_a_line_that_was_cut_short_is_done_again(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    run(THREE, runner, Store(out, False), silent)
    whole = out.read_text()
    out.write_text(whole[:-20])
    store = Store(out, True)
    assert [row is None for row in store.of(THREE)] == [False, False, True]
    run(THREE, runner, store, silent)
    assert out.read_text() == whole


def test_results_are_never_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    out.write_text("")
    with pytest.raises(SweepError, match="is there already: --resume goes on with it"):
        Store(out, False)
    with pytest.raises(SweepError, match="cannot be used for results"):
        Store(tmp_path / "no" / "rows.jsonl", False)


def test_another_request_has_another_key() -> None:
    assert len({key_of(each) for each in [*THREE, Request(target="hf:a", dtype=("float16",))]}) == 4


def test_shards_are_all_of_it_once() -> None:
    parts = [shard(THREE, number, 2) for number in (1, 2)]
    assert [each.target for part in parts for each in part] == ["hf:a", "hf:c", "hf:b"]


def test_the_table_has_a_row_per_target_and_the_sums() -> None:
    rows = [failed_row(each, "why") for each in THREE]
    assert markdown(rows).splitlines()[2] == "| hf:a | - | - | - | - | could not run | - | - |"
    assert sums(rows) == "3 targets: 3 could not run; 0 break sites before, 0 after"


def test_each_process_is_given_one_gpu() -> None:
    local = Local(3, ("4", "7"))
    assert [local._environment(i)["CUDA_VISIBLE_DEVICES"] for i in range(3)] == ["4", "7", "4"]
    assert Local(2)._environment(1) == {}


MODEL = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return x


def build():
    return Model(), (torch.ones(2),), {}


def endless():
    with open("started", "w"):
        while True:
            pass
"""


def tool(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmend_lint", "verify", "--backend", "eager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=500)


@pytest.mark.torch
def test_two_targets_in_two_processes(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "model.py").write_text(MODEL)
    arguments = ["model.py:build", "model.py:missing", "--jobs", "2", "--html", "page.html", "--out", "rows.jsonl"]
    done = tool(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "[2/2] " in done.stderr
    assert "model.py:missing: could not run: " in done.stdout
    assert "2 targets: 1 proven, 1 could not run; 1 break site before, 0 after" in done.stdout
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert {row["verdict"] for row in rows} == {"proven", "could not run"}
    assert "has no function missing" in (tmp_path / "page.html").read_text()
    again = tool(*arguments, "--resume", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (2, "")
    assert again.stdout == done.stdout


@pytest.mark.torch
def test_an_interrupt_leaves_whole_lines_and_no_process(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "model.py").write_text(MODEL)
    command = [sys.executable, "-m", "graphmend_lint", "verify", "--backend", "eager", "--out", "rows.jsonl"]
    running = subprocess.Popen(
        [*command, "model.py:build", "model.py:endless"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=heeds_interrupts,
    )
    end = time.monotonic() + 240
    while not (tmp_path / "started").exists() and running.poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert told.endswith("interrupted: 1 of 2 done; --resume goes on\n"), told
    assert [json.loads(line)["verdict"] for line in (tmp_path / "rows.jsonl").read_text().splitlines()] == ["proven"]
    time.sleep(1)
    left = [pid for pid in os.listdir("/proc") if pid.isdigit() and _cwd(pid) == str(tmp_path)]
    assert left == []


def heeds_interrupts() -> None:
    """As a terminal starts it: a shell's background job would ignore the signal."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _cwd(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


@pytest.mark.torch
def test_the_same_targets_on_a_local_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("ray")
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    done = tool("model.py:build", "model.py:missing", "--ray", "--jobs", "2", "--json", cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    rows = json.loads(done.stdout)
    assert [row["verdict"] for row in rows] == ["proven", "could not run"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--resume", "hf:t5"), "--resume needs --out, which holds what is known\n"),
        (("--gpus", "a", "hf:t5"), "--gpus a: write numbers, such as 0,1\n"),
        (("--shard", "3/2", "hf:t5"), "'3/2' is not a part such as 1/4 or 4/4"),
        (("--fix", "hf:t5", "hf:bert"), "--fix takes one target\n"),
        ((), "name a target, such as model.py:build or hf:t5, or write [[tool.graphmend-lint.verify]] tables\n"),
    ],
)
def test_what_cannot_be_meant_is_one_clear_line(tmp_path: Path, arguments: tuple[str, ...], reason: str) -> None:
    pytest.importorskip("torch")
    done = tool(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
