import numpy as np
import torch
from torch import nn


def asked(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if y.grad_fn is not None:
        y = y + 1
    return y


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        array = (x * 2).detach().numpy()
        whole = np.ceil(array).astype(array.dtype)  # GM401
        array.base  # GM401
        if x.grad_fn is None:
            x = self.linear(x)
        if x.grad_fn is not None:  # GM401
            x = x + torch.from_numpy(whole)
        with torch.no_grad():
            y = x + 1
            if y.grad_fn is not None:
                x = x + 1
        return asked(x.to(x.dtype).detach())


forward = Model


def inputs():
    return [(torch.ones(2, requires_grad=True),)]
