"""The paper's table: every row can be made; one goes all the way to the page."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from graphmend_lint.verify import family, paper
from graphmend_lint.verify.jobs import Limits, NoTimeError, Workers
from graphmend_lint.verify.request import Request


@pytest.mark.torch
@pytest.mark.parametrize(
    "name", ["t5-small", "layoutlmv3-base", "Phi-4-mini-instruct", "grounding-dino", "clap-htsat-fused"]
)
def test_a_row_can_be_made(name: str) -> None:
    (request,) = paper.requests([name], "cpu", "eager", 0, 2)
    recipe = request.found_target().recipe
    finished, model = family._plan(recipe, family.wanted(recipe["family"], recipe["options"]), 0)
    assert finished["level"] == "all"
    assert sum(each.numel() for each in model.parameters()) < 3_000_000
    assert finished["longer"] is (paper.TABLE[name].sets > 1)


def test_on_a_gpu_cuda_graphs_are_timed() -> None:
    cpu, gpu = (paper.requests(paper.FEW, device, "aot_eager", 1, 30) for device in ("cpu", "cuda"))
    assert {each.compile_mode for each in gpu} == {"reduce-overhead"}
    assert {(each.backend, each.time_backend, each.device) for each in gpu} == {("aot_eager", "inductor", "cuda")}
    assert {(each.compile_mode, each.time_backend) for each in cpu} == {("", "")}
    assert all(Request.of(json.loads(json.dumps(each.as_dict()))) == each for each in gpu)
    assert [each.found_target().recipe["options"].get("hidden") for each in gpu] == [512, None, 768, 768]


def test_a_row_that_does_not_exist_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert paper.main(["--rows", "t6"]) == 2
    assert capsys.readouterr().err.startswith("no such row: t6; there are t5-small, ")


@pytest.mark.torch
@pytest.mark.heavy
def test_from_the_command_to_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--rows", "biogpt", "--backend", "eager", "--calls", "2", "--minutes", "5", "--out", str(tmp_path)]
    assert paper.main(arguments) == 0
    assert "| biogpt | 2 -> 0 | 2 | 0 | passes | proven |" in capsys.readouterr().out
    (row,) = json.loads((tmp_path / "paper.json").read_text())
    assert row["speed"]["surroundings"]["device"] == "cpu, no GPU"
    assert "BioGptForCausalLM" in (tmp_path / "paper.html").read_text()


@pytest.mark.torch
def test_a_run_that_the_deadline_ends_refutes_nothing(tmp_path: Path) -> None:
    job = {"kind": "plan", "target": {"recipe": {"family": "t5", "options": {}}}, "seed": 0}
    with Workers(time.monotonic() + 0.2) as workers, pytest.raises(NoTimeError):
        workers.run(job, tmp_path / "job", Limits())


@pytest.mark.torch
def test_without_time_nothing_is_begun(tmp_path: Path) -> None:
    assert paper.main(["--rows", "biogpt", "--minutes", "0", "--out", str(tmp_path)]) == 0
    (row,) = json.loads((tmp_path / "paper.json").read_text())
    assert (row["verdict"], row["reason"]) == ("could not run", "no time is left")
