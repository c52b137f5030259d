# all rules
import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, 6, bias=False)
        self.up = nn.Linear(width, 6, bias=False)
        self.down = nn.Linear(6, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.relu(self.gate(x)) * self.up(x))


class Hit(nn.Module):
    def __init__(self, width: int = 4, experts: int = 3) -> None:
        super().__init__()
        self.experts = nn.ModuleList(Expert(width) for _ in range(experts))

    def forward(self, states: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        batch, length, width = states.shape
        states = states.view(-1, width)
        out = torch.zeros((batch * length, width), dtype=states.dtype, device=states.device)
        masks = F.one_hot(chosen, num_classes=3).permute(2, 1, 0)
        hit = torch.greater(masks.sum(dim=(-1, -2)), 0).nonzero()  # GM501
        for index in hit:
            expert = self.experts[index]
            slot, row = torch.where(masks[index].squeeze(0))  # GM501
            # only the rows that are sent here
            current = states[None, row].reshape(-1, width)
            current = expert(current) * weights[row, slot, None]
            out.index_add_(0, row, current.to(states.dtype))
        return out.reshape(batch, length, width)


class Listed(nn.Module):
    def __init__(self, width: int = 4, experts: int = 3) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(experts))

    def forward(self, states: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(states)
        masks = F.one_hot(chosen, num_classes=3).permute(2, 1, 0)
        for index in (masks.sum(dim=(1, 2)) > 0).nonzero().flatten().tolist():  # GM501
            slot, row = masks[index].nonzero(as_tuple=True)  # GM501
            out.index_add_(0, row, self.experts[index](states[row]) * weights[row, slot, None])
        return out


class All(nn.Module):
    def __init__(self, width: int = 4, experts: int = 3) -> None:
        super().__init__()
        self.experts = nn.ModuleList([Expert(width) for _ in range(experts)])

    def forward(self, states: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(states)
        for index, expert in enumerate(self.experts):
            row, slot = torch.where(chosen == index)  # GM501
            if row.numel() == 0:
                continue
            out.index_add_(0, row, weights[row, slot].unsqueeze(-1) * expert(states[row]))
        return out


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hit, self.listed, self.every = Hit(), Listed(), All()
        for number, weight in enumerate(self.parameters()):
            weight.data = (torch.arange(weight.numel()).reshape(weight.shape) + number) % 3 - 1.0

    def forward(self, states: torch.Tensor, weights: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        states = self.hit(states[None], weights, chosen)[0]
        return self.every(self.listed(states, weights, chosen), weights, chosen)


forward = Model
compiled = torch.compile(Model())


def inputs() -> list[object]:
    weights, chosen = torch.tensor([[0.5, 0.25], [0.5, 0.5]]), torch.tensor([[0, 2], [2, 0]])
    states = torch.tensor([[1.0, 2.0, -1.0, 0.0], [0.0, 1.0, 1.0, -2.0]])
    return [(states, weights, chosen), (states * 2, weights, torch.tensor([[1, 2], [1, 0]]))]
