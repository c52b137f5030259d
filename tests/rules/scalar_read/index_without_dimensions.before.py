import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    best = x.sum(-1).argmax()
    total = x[best] * 2  # GM201
    total = total + y[:, x[0].argmin()][: x.shape[1]]  # GM201
    total = total + x[best - 3]  # GM201
    z = torch.zeros_like(x)
    z[best] = total  # GM201
    return z + y[x.argmax(-1)].sum() + x[torch.tensor(1)]


compiled = torch.compile(forward)


def inputs():
    x = torch.randn(3, 3, generator=torch.Generator().manual_seed(0))
    return [
        (x.clone().requires_grad_(), x.clone().requires_grad_()),
        (x.flip(0), x * 2),
        (x.half(), x.half()),
        (torch.full((3, 3), torch.nan), x),
    ]
