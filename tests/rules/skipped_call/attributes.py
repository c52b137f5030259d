import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    array = (x * 2).detach().numpy()
    whole = np.ceil(array).astype(array.dtype)  # GM401
    array.base  # GM401
    if x.grad_fn is None:
        x = x * 2
    if x.grad_fn is not None:  # GM401
        x = x + torch.from_numpy(whole)
    with torch.no_grad():
        y = x + 1
        if y.grad_fn is not None:
            x = x + 1
    return x.to(x.dtype)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2, requires_grad=True),)]
