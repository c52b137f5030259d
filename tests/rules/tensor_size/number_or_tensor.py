import torch


def mask(lengths: torch.Tensor, longest=None) -> torch.Tensor:
    if longest is None:
        longest = lengths.max()
    return torch.arange(0, longest) < lengths[:, None]  # GM202


def other(lengths: torch.Tensor, longest=None) -> torch.Tensor:
    longest = longest or lengths.max()
    return torch.arange(0, longest) >= lengths[:, None]  # GM202


def forward(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    seen = mask(lengths, x.shape[1]) & mask(lengths)
    seen = seen | other(lengths, x.shape[1]) | other(lengths)
    return x * seen


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2, 3), torch.tensor([3, 2]))]
