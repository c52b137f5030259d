"""A number that a name was given before the branch is the other side; divisors are kept from zero by what is asked."""

import torch


@torch.no_grad()
def lars(p: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    p_norm, g_norm = torch.norm(p), torch.norm(g)
    ratio = 1.0
    ratio = torch.where((p_norm > 0) & (g_norm > 0), 0.01 * p_norm / (g_norm + p_norm * 0.1), ratio)
    return p - ratio * g


def clipped(p: torch.Tensor) -> torch.Tensor:
    norm = p.norm()
    scale = 1
    scale = torch.where(norm >= 2.0, 2.0 / torch.where(norm >= 2.0, norm, 1), scale)
    return p * scale


def scaled(p: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    total = n.sum()
    return torch.where(total <= 0, torch.zeros_like(p), p / torch.where(total <= 0, 1, total))


def forward(p: torch.Tensor, g: torch.Tensor) -> list[torch.Tensor]:
    return [lars(p, g), clipped(p), scaled(p, g)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    p, g = torch.randn(4, requires_grad=True), torch.rand(4)
    zero, nan = torch.zeros(4, requires_grad=True), torch.full((4,), float("nan"))
    return [(p, g), (p * 9, g), (zero, g), (p, zero.detach()), (p.half(), g.half()), (p, nan), (nan, g), (p[:0], g[:0])]
