import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    torch._check_tensor_all(x > 0)  # GM201
    return x * torch.equal(x, x + 1)  # GM201


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
