import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().requires_grad_()  # GM403
    total = (leaf * y).sum()
    total = total * 2
    (first,) = torch.autograd.grad(total, leaf)  # GM403
    other = y.detach().requires_grad_()  # GM403
    (a, b) = torch.autograd.grad((leaf * other).sum(), [leaf, other])  # GM403
    kept = x.detach().requires_grad_()  # GM403
    (more,) = torch.autograd.grad((kept * 2), kept, torch.ones_like(kept))  # GM403
    return first + a + b + more


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2), torch.ones(2))]
