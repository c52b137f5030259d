"""The examples of docs/export.md: what is one graph is exported, and ONNX Runtime gives the same numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.engine import fix
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

PAGE = Path(__file__).parent.parent / "docs" / "export.md"
EXAMPLES = {"A branch becomes `If`": ("Gate", "If"), "A loop becomes `Loop`": ("forward", "Loop")}


def blocks(title: str) -> tuple[str, str]:
    """The code of a section, before and after."""
    section = PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    before, after = re.findall(r"```python\n(.*?)```", section, re.S)
    return before, after


@pytest.mark.parametrize("title", EXAMPLES)
def test_the_example_is_mended_as_the_page_says(title: str) -> None:
    before, after = blocks(title)
    done = fix([Source(Path("example.py"), before)], list(load_rules().values()), allow=Applicability.UNSAFE)
    assert done.sources[0].text == after


@pytest.mark.torch
@pytest.mark.parametrize("title", EXAMPLES)
def test_the_example_is_exported_once_it_is_mended(title: str, tmp_path: Path) -> None:
    import torch

    before, after = (model(text, title, tmp_path) for text in blocks(title))
    first, *others = inputs(title)
    with pytest.raises(Exception, match="data-dependent"):
        torch.export.export(before, first)
    exported = torch.export.export(after, first).module()
    for given in (first, *others):
        torch.testing.assert_close(exported(*given), before(*given), rtol=0, atol=0)


@pytest.mark.torch
@pytest.mark.parametrize("title", EXAMPLES)
def test_onnx_runtime_gives_the_same_numbers(title: str, tmp_path: Path) -> None:
    """Runs with the extra `onnx`."""
    import torch

    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    before, after = (model(text, title, tmp_path) for text in blocks(title))
    program = torch.onnx.export(after, inputs(title)[0], dynamo=True, verbose=False).model_proto
    assert EXAMPLES[title][1] in {node.op_type for node in program.graph.node}
    session = runtime.InferenceSession(program.SerializeToString())
    for given in inputs(title):
        named = {each.name: value.numpy() for each, value in zip(session.get_inputs(), given, strict=True)}
        torch.testing.assert_close(torch.from_numpy(session.run(None, named)[0]), before(*given).detach())


def model(text: str, title: str, folder: Path) -> Any:
    """The module of an example, always with the same weights; a function is wrapped in one."""
    import live
    import torch

    made = live.load(folder / "example.py", text)[EXAMPLES[title][0]]
    torch.manual_seed(0)
    if isinstance(made, type):
        return made()

    class Wrapped(torch.nn.Module):
        def forward(self, *given: torch.Tensor) -> torch.Tensor:
            return made(*given)

    return Wrapped()


def inputs(title: str) -> list[tuple[Any, ...]]:
    """Both ways, and back."""
    import torch

    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]])
    if "Loop" in title:
        return [(x, torch.tensor(each)) for each in (3, 0, 5, 3)]
    return [(x,), (x * 0.01,), (x,)]
