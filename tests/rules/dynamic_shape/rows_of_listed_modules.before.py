# all rules
"""Rows that a mask selects, each computed by one of several modules."""

import torch
import torch.nn.functional as F
from torch import nn


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.relu(self.up(x)))


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.experts = nn.ModuleList(Mlp() for _ in range(3))
        self.heads = nn.ModuleDict({"first": nn.Linear(4, 4), "second": nn.Sequential(nn.Linear(4, 4), nn.ReLU())})
        self.grown = nn.ModuleList()
        for _ in range(2):
            self.grown.append(nn.Linear(4, 4))

    def skipped(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            mask = choice == i
            if not mask.any():
                continue
            out[mask] = expert(x[mask])  # GM501
        return out

    def guarded(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        for i, (_, head) in enumerate(self.heads.items()):
            mask = choice == i
            if mask.sum() > 0:
                part = x[mask]  # GM501
                out[mask] = head(part) + part
        return out

    def by_place(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i in range(2):
            mask = choice == i
            layer = self.grown[i]
            part = layer(x[mask])  # GM501
            out[mask] += part  # GM501
        return out

    def backwards(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, layer in zip((2, 1), reversed(self.grown)):
            mask = choice == i
            part = layer(x[mask])  # GM501
            out[mask] += part  # GM501
        return out

    def forward(self, x: torch.Tensor, choice: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.skipped(x, choice), self.guarded(x, choice), self.by_place(x, choice), self.backwards(x, choice)


torch.manual_seed(0)
model = Model()
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_((parameter * 8).round() / 8)  # sums are exact in any order


def forward(x: torch.Tensor, choice: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return model(x, choice)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.linspace(-0.75, 2, 24).mul(8).round().div(8).reshape(2, 3, 4).requires_grad_()
    return [
        (x, torch.tensor([[0, 1, 2], [2, 1, 0]])),
        (x, torch.tensor([[0, 0, 2], [2, 0, 0]])),
        (x[:, :0], torch.zeros(2, 0, dtype=torch.long)),
    ]
