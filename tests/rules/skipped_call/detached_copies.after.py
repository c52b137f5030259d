import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    kept = x.detach().clone()
    rows = x > 0
    with torch.no_grad():
        double = x * 2
        double = (double + 1).clone()
    shared = rows.detach()
    shared.logical_not_()
    kept.mul_(2)
    return x + kept + double + rows


compiled = torch.compile(forward)


def inputs():
    return [(torch.randn(3, requires_grad=True),), (torch.ones(2, 3).half(),), (torch.zeros(0),)]
