"""Regions of compile sites: what is found behind each, and what `fullgraph=True` makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

CASES = Path(__file__).with_name("rules") / "compile_site"
MODEL = """\
import torch
from torch import nn


class Block(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x[x > 0]


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(x) * 2
"""
SITE = """\
import torch

from model import Model


def main():
    return torch.compile(Model())
"""


def found(site: str, settings: Settings | None = None, model: str = MODEL) -> list[tuple[str, int, str]]:
    sources = [Source(Path("model.py"), model), Source(Path("site.py"), site)]
    rules = [rule for code, rule in load_rules().items() if (settings or Settings()).selects(code)]
    return [(str(each.path), each.span.start.row, each.code) for each in lint(sources, rules, settings)]


def test_a_site_is_told_of_breaks_in_other_files() -> None:
    assert found(SITE) == [("model.py", 7, "GM501"), ("site.py", 7, "GM904")]


def test_what_is_compiled_whole_has_no_such_breaks() -> None:
    assert found(SITE.replace("Model())", "Model(), fullgraph=True)")) == []


def test_what_is_compiled_in_two_ways_has_them() -> None:
    both = SITE.replace("Model())", "Model(), fullgraph=True), torch.compile(Model(), mode=None)")
    assert found(both) == [("model.py", 7, "GM501"), ("site.py", 7, "GM904")]


def test_what_the_settings_name_has_them_too() -> None:
    whole = SITE.replace("Model())", "Model(), fullgraph=True)")
    assert found(whole, Settings(entry_points=("model:Block.forward",))) == [("model.py", 7, "GM501")]


def test_rules_that_are_not_wanted_still_count() -> None:
    hard = MODEL.replace("return self", "x = x if x.sum() > 0 else -x\n        return self")
    assert found(SITE, Settings(select=("GM5", "GM9")), hard) == [("model.py", 7, "GM501")]


def test_what_stands_in_the_way_is_named_on_request() -> None:
    hard = MODEL.replace("return self", "x = x if x.sum() > 0 else -x\n        return self")
    settings = Settings(rules=(("compile-site", "blocked", "name"),))
    sources = [Source(Path("model.py"), hard), Source(Path("site.py"), SITE)]
    *_, site = lint(sources, list(load_rules().values()), settings)
    assert site.message == "1 of 2 graph breaks stand in the way of one graph: GM102 in line 16 of model.py"
    assert site.refusal is not None
    assert found(SITE, model=hard) == [("model.py", 7, "GM501"), ("model.py", 16, "GM102")]


def test_a_comment_that_silences_a_break_does_not_mend_it() -> None:
    quiet = MODEL.replace("x[x > 0]", "x[x > 0]  # noqa: GM501")
    assert found(SITE, model=quiet) == [("site.py", 7, "GM904")]
    assert found(SITE.replace("Model())", "Model())  # noqa: GM904"), model=quiet) == []


def test_one_fix_takes_all_breaks() -> None:
    sources = [Source(Path("model.py"), MODEL), Source(Path("site.py"), SITE)]
    done = fix(sources, list(load_rules().values()), Settings(), Applicability.UNSAFE)
    assert done.diagnostics == []
    assert [each.text for each in done.sources] == [MODEL, SITE.replace("Model())", "Model(), fullgraph=True)")]


@pytest.mark.torch
@pytest.mark.parametrize("name", ["call", "module", "decorator"])
def test_the_site_breaks_before_and_not_after(name: str, tmp_path: Path) -> None:
    """By default, Dynamo breaks; what the fix asks for also passes the tracing of AOTAutograd."""
    import live

    before = live.load(tmp_path / "before.py", (CASES / f"{name}.before.py").read_text("utf-8"))
    after = live.load(tmp_path / "after.py", (CASES / f"{name}.after.py").read_text("utf-8"))
    assert live.breaks(before) & {"GB0124", "GB0033", "GB0036"}
    assert live.breaks(after, whole=True) == set()
    expected = live.results(live.outcomes(before, compiled=False))
    assert live.results(live.outcomes(after, compiled=True, whole=True, backend="aot_eager")) == expected


@pytest.mark.torch
@pytest.mark.parametrize("name", ["turns", "chosen", "indexed", "steps", "rate", "power", "middle"])
def test_fullgraph_rejects_what_has_to_be_known(name: str, tmp_path: Path) -> None:
    """No compile site is reported in this file; here is why."""
    import live
    import torch

    text = (CASES / "silent_numbers.py").read_text("utf-8").replace("@torch.compile\n", "")
    function = live.load(tmp_path / "case.py", text)[name]
    number = torch.tensor(1) if name in ("turns", "chosen", "indexed", "steps") else torch.tensor(0.5)

    def computed(x: torch.Tensor, n: torch.Tensor) -> object:
        return function(x, n + 0)

    torch._dynamo.reset()
    with pytest.raises(
        (torch._dynamo.exc.TorchDynamoException, torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode)
    ):
        torch.compile(computed, backend="aot_eager", fullgraph=True)(torch.rand(3, requires_grad=True), number)
