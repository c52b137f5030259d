# all rules
"""A sum over what a mask selects, on one side only."""

import torch


class BoxLoss(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))

    def forward(self, pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        pos = (target[:, 2:] > target[:, :2]).all(dim=1)
        num_pos = pos.sum()
        if num_pos > 0:  # GM101
            loss = ((pred - target).abs() * self.weight).sum(-1)[pos].sum() / num_pos
        else:
            loss = pred.sum() * 0
        return loss


forward = BoxLoss


def inputs() -> list[object]:
    pred = torch.linspace(0, 2.75, 12).reshape(3, 4).requires_grad_()
    target = torch.tensor([[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 2.0, 1.0]])
    return [(pred, target), (pred, target.flip(1)), (pred[:0], target[:0])]
