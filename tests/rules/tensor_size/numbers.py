import torch


def forward(x: torch.Tensor, n: int = 2) -> torch.Tensor:
    longest = x.max()
    filled = torch.full((n, x.shape[0]), n) * longest
    line = torch.linspace(0, longest, 4)
    return filled.sum() + line.clamp(max=longest) + torch.arange(x.shape[0]).view(-1)[:1] + len([0] * n)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0)]
