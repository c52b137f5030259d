"""What torch compiles without an error, and wrongly: the rules GM901 and GM903 say so where it happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.torch
CASES = Path(__file__).with_name("rules")


def load(name: str, tmp_path: Path) -> dict[str, Any]:
    import live

    return live.load(tmp_path / "case.py", (CASES / f"{name}.py").read_text("utf-8"))


def run(model: Any, backend: str) -> Any:
    import torch

    torch._dynamo.reset()
    compiled = torch.compile(model, backend=backend, fullgraph=True)
    compiled(torch.ones(2))
    compiled(torch.ones(2))
    return model


@pytest.mark.parametrize(("case", "raises"), [("bare.before", False), ("bare.after", True)])
def test_an_assertion_without_a_message_is_removed(case: str, raises: bool, tmp_path: Path) -> None:
    import torch

    forward = load(f"assert_without_message/{case}", tmp_path)["forward"]
    torch._dynamo.reset()
    compiled = torch.compile(forward, backend="aot_eager")
    if raises:
        with pytest.raises(RuntimeError, match=r"x\.sum\(\) > 0"):
            compiled(-torch.ones(2))
    else:
        compiled(-torch.ones(2))


def test_a_store_after_another_and_an_operator_is_lost(tmp_path: Path) -> None:
    model = run(load("store_after_control_flow/lost", tmp_path)["forward"](), "eager")
    assert (model.first.item(), model.second.item()) == (2, 0)


def test_a_buffer_that_an_arm_reads_is_not_stored(tmp_path: Path) -> None:
    assert run(load("store_after_control_flow/lost", tmp_path)["Buffers"](), "eager").count.item() == 0


def test_other_stores_are_kept(tmp_path: Path) -> None:
    case = load("store_after_control_flow/kept", tmp_path)
    model = run(case["forward"](), "eager")
    assert (model.first.item(), model.count.item()) == (2, 2)
    later = run(case["Later"](), "eager")
    assert (later.first.item(), later.second.item()) == (2, 2)
