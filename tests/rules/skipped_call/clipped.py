import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for each in self.parameters():
            each.grad = torch.ones_like(each)
        nn.utils.clip_grad_norm_(self.parameters(), 1.0)
        nn.utils.clip_grad_norm_(self.parameters(), 1.0, error_if_nonfinite=True)  # GM401
        return x + 1


def inputs():
    return [(torch.ones(2),)]
