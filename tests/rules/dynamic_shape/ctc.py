import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.loss = nn.CTCLoss()

    def forward(self, x: torch.Tensor, y: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return self.loss(x.log_softmax(-1), y, a, b)  # GM501


def inputs():
    torch.manual_seed(0)
    return [(torch.randn(6, 2, 4), torch.tensor([[1, 2], [1, 3]]), torch.tensor([6, 5]), torch.tensor([2, 2]))]
