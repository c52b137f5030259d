import torch
from torch import nn


class Places(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.arange(24.0).reshape(6, 4))
        self.register_buffer("cache", torch.zeros(2, 8))

    def forward(self, x: torch.Tensor, n: torch.Tensor, at: torch.Tensor) -> tuple[torch.Tensor, ...]:
        row = self.table[n.item()]  # GM201
        k = int(at.sum())  # GM201
        column = self.table[:, k - 1] * 2
        last = x[..., k]
        rows = self.table[k : k + 2]
        start = at[0]
        end = start + x.shape[1]
        self.cache[:, start:end] = x.detach()  # GM201
        first = at.max().item()  # GM201
        held = x.clone()
        held[:, first] += 1
        scaled = torch.add(x, held, alpha=x.abs().max().item())  # GM201
        mean = x / max((x > 0).sum().item(), 1)  # GM201
        wrapped = x // (abs(at.min().item()) + 1)  # GM201
        power = x.detach().abs().float() ** at.max().item()  # GM201
        return row, column, last, rows, held, scaled, mean, wrapped, power, self.cache.clone()


forward = Places


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], requires_grad=True)
    first = (x, torch.tensor(2), torch.tensor([1, 0]))
    return [first, (-x, torch.tensor(-1), torch.tensor([0, 2])), (x, torch.tensor(9), torch.tensor([0, 0])), first]
