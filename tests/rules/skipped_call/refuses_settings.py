import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with torch.backends.cudnn.flags(enabled=True, benchmark=False):  # GM401
        x = x * 2
    with torch.backends.mkldnn.flags(enabled=False):  # GM401
        x = x * 3
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(2),)]
