import torch


def merged(ids: torch.Tensor, features: torch.Tensor, strict: bool = True) -> torch.Tensor:
    tokens = (ids == 7).sum().item()  # GM201
    rows = features.shape[0]
    if strict and tokens != rows:
        raise ValueError(f"{tokens} tokens, but {rows} features")
    return features * 2


def in_bounds(x: torch.Tensor) -> torch.Tensor:
    highest = x.max().item()  # GM201
    if highest > 100 or highest < -100:
        raise RuntimeError("out of bounds")
    else:
        x = x + 1
    return x


def forward(ids: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
    positive = int((features > 0).sum())  # GM201
    marked = int((ids > 0).sum())  # GM201
    assert positive <= marked, "more features than marks"
    count = ids.sum().item()  # GM201
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
