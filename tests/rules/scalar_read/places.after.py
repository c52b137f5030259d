import torch
from torch import nn


class Places(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.arange(24.0).reshape(6, 4))
        self.register_buffer("cache", torch.zeros(2, 8))

    def forward(self, x: torch.Tensor, n: torch.Tensor, at: torch.Tensor) -> tuple[torch.Tensor, ...]:
        row = self.table[n.long().reshape(1)].squeeze(0)
        k = at.sum().long()
        column = self.table[:, (k - 1).reshape(1)].squeeze(1) * 2
        last = x[..., k.reshape(1)].squeeze(-1)
        rows = self.table[k + torch.arange(2, device=self.table.device)]
        start = at[0]
        end = start + x.shape[1]
        self.cache[:, start + torch.arange(x.shape[1], device=self.cache.device)] = x.detach()
        first = at.max().long()
        held = x.clone()
        held[:, first.reshape(1)] += 1
        scaled = torch.add(x, held * x.abs().max().detach())
        mean = x / (x > 0).sum().clamp(min=1)
        wrapped = x // (at.min().detach().abs() + 1)
        power = x.detach().abs().float() ** at.max().detach()
        return row, column, last, rows, held, scaled, mean, wrapped, power, self.cache.clone()


forward = Places


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], requires_grad=True)
    first = (x, torch.tensor(2), torch.tensor([1, 0]))
    return [first, (-x, torch.tensor(-1), torch.tensor([0, 2])), (x, torch.tensor(9), torch.tensor([0, 0])), first]
