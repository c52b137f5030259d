"""A number that a name was given before the branch is the other side; divisors are kept from zero by what is asked."""

import torch


@torch.no_grad()
def lars(p: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    p_norm, g_norm = torch.norm(p), torch.norm(g)
    ratio = 1.0
    if p_norm > 0 and g_norm > 0:  # GM101
        ratio = 0.01 * p_norm / (g_norm + p_norm * 0.1)
    return p - ratio * g


def clipped(p: torch.Tensor) -> torch.Tensor:
    norm = p.norm()
    scale = 1
    if norm >= 2.0:  # GM101
        scale = 2.0 / norm
    return p * scale


def scaled(p: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    total = n.sum()
    if total <= 0:  # GM101
        return torch.zeros_like(p)
    return p / total


def forward(p: torch.Tensor, g: torch.Tensor) -> list[torch.Tensor]:
    return [lars(p, g), clipped(p), scaled(p, g)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    p, g = torch.randn(4, requires_grad=True), torch.rand(4)
    zero, nan = torch.zeros(4, requires_grad=True), torch.full((4,), float("nan"))
    return [(p, g), (p * 9, g), (zero, g), (p, zero.detach()), (p.half(), g.half()), (p, nan), (nan, g), (p[:0], g[:0])]
