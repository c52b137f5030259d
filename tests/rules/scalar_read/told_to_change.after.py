"""A call may be told to change the tensor that the number came from."""

import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    first = y[0].detach().reshape(()).clone()
    F.relu(y, inplace=True)
    last = y[-1].detach().reshape(()).clone()
    z = F.relu(y)
    return x * first + last * z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.tensor([-1.0, 2.0])), (torch.ones(2), torch.tensor([1.0, -2.0]))]
