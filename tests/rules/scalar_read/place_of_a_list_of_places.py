import torch
from torch import nn


class forward(nn.Module):
    def aggregate(self, values: torch.Tensor, corr: torch.Tensor) -> torch.Tensor:
        mean = torch.mean(torch.mean(corr, dim=1), dim=1)
        index = torch.topk(torch.mean(mean, dim=0), 2, dim=-1)[1]
        weights = torch.stack([mean[:, index[i]] for i in range(2)], dim=-1)  # GM201
        several = mean[:, index].sum() + mean[:, index[0:1]].sum()
        kept = torch.topk(mean, 2, dim=-1)[1]
        return values.sum() + weights.sum() + several + mean[:, kept[0]].sum()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, h, n = x.shape
        corr = x.reshape(b, h, n, 1).permute(0, 2, 3, 1).contiguous() * 2
        order = x.sum(dim=(0, 1)).argsort()
        return self.aggregate(x, corr) + x[..., order[0]]  # GM201


def inputs() -> list[object]:
    return [torch.arange(24.0).view(2, 3, 4)]
