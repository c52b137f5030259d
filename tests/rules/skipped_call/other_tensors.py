import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    nested = torch.nested.nested_tensor([x, x[:1]])  # GM401
    return nested.to_padded_tensor(0.0)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
