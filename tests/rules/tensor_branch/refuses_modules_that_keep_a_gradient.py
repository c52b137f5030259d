import torch
from torch import nn


class Net(nn.Module):
    """What is kept, or handed back, under `no_grad` has the gradient that a copy would not have."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(4, 4)

    def handed_back(self, h: torch.Tensor) -> torch.Tensor:
        return h

    def kept(self, h: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            if h.sum() > 0:  # GM101
                h = self.head(h)
        return h

    def weight(self, h: torch.Tensor) -> torch.Tensor:
        found = self.head.weight
        return found

    def weighed(self, h: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            if h.max() > 0:  # GM101
                y = self.head(h.detach() @ h.detach().T @ h.detach())
            else:
                y = self.weight(h)
        return y.sum()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x * 2
        with torch.no_grad():
            if h.min() > 0:  # GM101
                y = self.head(h)
            else:
                y = self.handed_back(h)
        return y + self.kept(x * 3) + self.weighed(x)


forward = Net


def inputs() -> list[object]:
    return [(torch.ones(2, 4, requires_grad=True) * scale) for scale in (1.0, -3.0)]
