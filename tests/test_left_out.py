"""With a mask, code that reads a number only where one is given does what it did; compiled, too."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

CASE = Path(__file__).with_name("rules") / "scalar_read" / "left_out"
MARK = re.compile(r"  # GM\d{3}$", re.M)


@pytest.mark.torch
def test_with_masks_the_fixed_code_computes_the_same(tmp_path: Path) -> None:
    import live
    import torch

    texts = [MARK.sub("", CASE.with_suffix(f".{name}.py").read_text("utf-8")) for name in ("before", "after")]
    before, after = (live.load(tmp_path / f"{name}.py", text) for name, text in zip("ab", texts, strict=True))
    after["model"].load_state_dict(before["model"].state_dict())
    torch.manual_seed(0)
    for length in (3, 4):
        x = torch.randn(2, length, 4)
        masks = [None, torch.ones(2, length), torch.randint(0, 2, (2, length)).float()]
        for mask, chosen in itertools.product(masks, repeat=2):
            torch._dynamo.reset()
            expected = before["model"](x, mask, chosen)
            assert torch.equal(after["model"](x, mask, global_mask=chosen), expected)
            compiled = torch.compile(after["model"], backend="eager")
            assert torch.equal(compiled(x, mask, chosen), expected)
    x = torch.randn(3, 4)
    for kept in ([1, 0, 1], [1, 1, 1], [0, 0, 0]):
        mask = torch.tensor(kept).bool()
        assert torch.equal(after["local"](x, mask), before["local"](x, mask))
        wide = mask[:, None].expand(3, 4).float()
        assert torch.equal(after["every"](x, wide, scale=2.0), before["every"](x, wide, scale=2.0))
