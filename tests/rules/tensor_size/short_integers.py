import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    longest = x.sum().int()
    zeros = torch.zeros(2, longest)  # GM202
    places = torch.arange(longest)  # GM202
    more = x.sum().long()
    ones = torch.ones(2, more)  # GM202
    return zeros + places + ones + torch.arange(more)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(3),)]
