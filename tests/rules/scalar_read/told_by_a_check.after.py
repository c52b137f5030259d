import torch


def merged(ids: torch.Tensor, features: torch.Tensor, strict: bool = True) -> torch.Tensor:
    rows = features.shape[0]
    if torch.compiler.is_compiling():
        if strict:
            torch._assert_async((ids == 7).sum() == rows, "... tokens, but ... features")
    else:
        tokens = (ids == 7).sum().item()
        if strict and tokens != rows:
            raise ValueError(f"{tokens} tokens, but {rows} features")
    return features * 2


def in_bounds(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(~((x.max() > 100) | (x.max() < -100)), "out of bounds")
    else:
        highest = x.max().item()
        if highest > 100 or highest < -100:
            raise RuntimeError("out of bounds")
    x = x + 1
    return x


def forward(ids: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
    assert (features > 0).sum() <= (ids > 0).sum(), "more features than marks"
    if torch.compiler.is_compiling():
        torch._assert_async(ids.sum() < 50, "... is too many")
    else:
        count = ids.sum().item()
        assert count < 50, f"{count} is too many"
    return in_bounds(merged(ids, features))


compiled = torch.compile(forward)


def inputs() -> list[object]:
    ids = torch.tensor([7, 7, 3])
    return [
        (ids, torch.tensor([1.0, -2.0])),
        (ids, torch.tensor([1.0])),
        (ids, torch.tensor([1.0, 60.0])),
        (ids, torch.ones(4)),
        (ids * 7, torch.ones(2)),
        (ids, torch.tensor([float("nan"), 1.0])),
    ]
