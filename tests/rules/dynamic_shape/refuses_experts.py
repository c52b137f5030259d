import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int = 4, experts: int = 3) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(experts))

    def forward(self, x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        masks = F.one_hot(chosen, num_classes=3).permute(2, 1, 0)
        unweighted = torch.zeros_like(x)
        squared = torch.zeros_like(x)
        centred = torch.zeros_like(x)
        offset = torch.zeros_like(x)
        for index in range(3):
            slot, row = torch.where(masks[index])  # GM501
            unweighted.index_add_(0, row, self.experts[index](x[row]))
        for index in range(3):
            slot, row = torch.where(masks[index])  # GM501
            squared.index_add_(0, row, self.experts[index](x[row]) * weights[row, slot, None] ** 2)
        for index in range(3):
            slot, row = torch.where(masks[index])  # GM501
            rows = x[row]
            centred.index_add_(0, row, (rows - rows.mean(0)) * weights[row, slot, None])
        for index in range(3):
            slot, row = torch.where(masks[index])  # GM501
            offset.index_add_(0, row, self.experts[index](x[row]) + weights[row, slot, None])
        for index in (masks.sum(dim=(-1, -2)) > 1).nonzero():  # GM501
            slot, row = torch.where(masks[index].squeeze(0))  # GM501
            offset.index_add_(0, row, self.experts[index](x[row]) * weights[row, slot, None])
        return unweighted + squared + centred + offset


forward = Model
compiled = torch.compile(Model())


def inputs() -> list[object]:
    return [(torch.ones(2, 4), torch.ones(2, 2), torch.tensor([[0, 1], [1, 2]]))]
