import torch


def forward(x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor | None = None, limit: float = 9.0) -> torch.Tensor:
    assert ~torch.isnan(x).any(), "not a number"
    assert (x > -5).all() & (y > -5).all(), "both"
    assert (x.sum() > -9) | (y.sum() > -9)
    total = x.sum()
    assert (-9 < total) & (total < limit), "between"
    assert (x > -5).all(), "bool"
    assert (x > -5).all(), "each"
    assert torch.isclose(x, x.clone(), atol=1e-3).all(), "close"
    assert mask is None or ~mask.all(), "mask"
    if torch.compiler.is_compiling() and x.shape == y.shape:
        torch._assert_async((x == y).all(), "equal")
    else:
        assert torch.equal(x, y), "equal"
    if torch.compiler.is_compiling() and mask is not None:
        torch._assert_async((x > mask).all(), "limit ...")
    else:
        assert mask is None or (x > mask).all(), f"limit {limit}"
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
