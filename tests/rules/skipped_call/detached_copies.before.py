import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    kept = copy.deepcopy(x.detach())  # GM401
    rows = x > 0
    with torch.no_grad():
        double = x * 2
        double = copy.deepcopy(double + 1)  # GM401
    shared = copy.copy(rows)  # GM401
    shared.logical_not_()
    kept.mul_(2)
    return x + kept + double + rows


compiled = torch.compile(forward)


def inputs():
    return [(torch.randn(3, requires_grad=True),), (torch.ones(2, 3).half(),), (torch.zeros(0),)]
