import torch


def forward(x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor | None = None, limit: float = 9.0) -> torch.Tensor:
    assert not torch.isnan(x).any(), "not a number"  # GM106
    assert (x > -5).all() and (y > -5).all(), "both"  # GM106
    assert x.sum() > -9 or y.sum() > -9  # GM106
    assert -9 < x.sum() < limit, "between"  # GM106
    assert bool((x > -5).all()), "bool"  # GM106
    assert all(v > -5 for v in x), "each"  # GM106
    assert torch.allclose(x, x.clone(), atol=1e-3), "close"  # GM106
    assert mask is None or not mask.all(), "mask"  # GM106
    assert torch.equal(x, y), "equal"  # GM106
    assert mask is None or (x > mask).all(), f"limit {limit}"  # GM106
    return x.log()


def inputs() -> list[object]:
    good, bad, one = torch.ones(3), torch.full((3,), float("nan")), torch.tensor([True, False, False])
    low = torch.full((3,), -6.0)
    return [
        (good, good.clone()),
        (bad, good),
        (good, low),
        (low, good),
        (good, good + 1),
        (good, good, one),
        (good, good, one | True),
        (-good, -good, one),
    ]


compiled = torch.compile(forward)
