import torch


def forward(x: torch.Tensor, rest) -> torch.Tensor:
    if torch.jit.isinstance(rest, list[torch.Tensor]):  # GM401
        return x + rest[0]
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(3), [torch.ones(3)])]
