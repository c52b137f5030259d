import torch


def mask_of(lengths: torch.Tensor, max_len: int | None = None) -> torch.Tensor:
    if max_len is None:
        max_len = int(lengths.max())  # GM201
    return torch.arange(max_len)[None, :] < lengths[:, None]


def forward(x: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    lengths = torch.round(shares * x.shape[1])
    first = mask_of(lengths)
    counts = (x > 0).sum(1)
    places = (shares * x.shape[0]).long()
    last = int(places.max())  # GM201
    x = x[:, :last]
    return first.sum() + mask_of(counts).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2, 4), torch.tensor([1.0, 0.5]))]
