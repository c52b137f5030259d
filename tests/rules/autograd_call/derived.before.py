import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(3, 1)

    def energy(self, at: torch.Tensor) -> torch.Tensor:
        return self.net(at.sin()).sum()

    def forward(self, at: torch.Tensor, forces: bool = True) -> list[torch.Tensor]:
        if not forces:
            return [self.energy(at)]
        at = at.detach().requires_grad_(True)
        energy = self.energy(at)
        (gradient,) = torch.autograd.grad([energy], [at])  # GM403
        leaf = at.detach().requires_grad_()
        slope = torch.autograd.grad((leaf**3).sum(), leaf, create_graph=True)[0]  # GM403
        return [energy.detach(), -gradient, slope.detach()]


forward = Potential


def inputs():
    at = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    return [(at,), (at, False), (at.clone().requires_grad_(),), (torch.zeros(0, 3),)]
