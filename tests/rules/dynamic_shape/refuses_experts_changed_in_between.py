"""Experts whose numbers, or masks, are changed in place before the loop."""

import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int = 4, experts: int = 4) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(experts))

    def numbers(self, x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        masks = F.one_hot(chosen, num_classes=4).permute(2, 1, 0)
        hit = torch.greater(masks.sum(dim=(-1, -2)), 0).nonzero()  # GM501
        hit.clamp_(max=1)
        for index in hit:
            slot, row = torch.where(masks[index].squeeze(0))  # GM501
            out.index_add_(0, row, self.experts[index](x[row]) * weights[row, slot, None])
        return out

    def masks(self, x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        masks = F.one_hot(chosen, num_classes=4).permute(2, 1, 0)
        hit = torch.greater(masks.sum(dim=(-1, -2)), 0).nonzero()  # GM501
        masks.add_(1)
        for index in hit:
            slot, row = torch.where(masks[index].squeeze(0))  # GM501
            out.index_add_(0, row, self.experts[index](x[row]) * weights[row, slot, None])
        return out

    def forward(self, x: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        return self.numbers(x, weights, chosen) + self.masks(x, weights, chosen)


forward = Model
compiled = torch.compile(Model())


def inputs() -> list[object]:
    return [(torch.ones(2, 4), torch.ones(2, 2), torch.tensor([[0, 1], [1, 2]]))]
