"""Not fixed: a module of the list mixes rows, the list is changed, or something else is called."""

import torch
from torch import nn


class Centered(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x - x.mean(0)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mixed = nn.ModuleList([nn.Linear(4, 4), Centered()])
        self.grown = nn.ModuleList([nn.Linear(4, 4)])
        self.grown.append(Centered())
        self.changed = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.changed[1] = Centered()
        self.more = nn.ModuleList([nn.Linear(4, 4)])
        self.more.extend([Centered()])
        self.other = Centered()

    def of_mixed(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, layer in enumerate(self.mixed):
            mask = choice == i
            out[mask] = layer(x[mask])  # GM501
        return out

    def of_grown(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, layer in enumerate(self.grown):
            mask = choice == i
            out[mask] = layer(x[mask])  # GM501
        return out

    def of_changed(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i in range(2):
            mask = choice == i
            out[mask] = self.changed[i](x[mask])  # GM501
        return out

    def of_more(self, x: torch.Tensor, choice: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, layer in enumerate(self.more):
            mask = choice == i
            out[mask] = layer(x[mask])  # GM501
        return out

    def of_another(self, x: torch.Tensor, choice: torch.Tensor, last: bool) -> torch.Tensor:
        out = torch.zeros_like(x)
        for i, layer in enumerate(self.changed):
            if i == 1:
                layer = self.other
            mask = choice == i
            out[mask] = layer(x[mask])  # GM501
        return out

    def forward(self, x: torch.Tensor, choice: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            self.of_mixed(x, choice),
            self.of_grown(x, choice),
            self.of_changed(x, choice),
            self.of_more(x, choice),
            self.of_another(x, choice, True),
        )


forward = Model()


def inputs() -> list[object]:
    return [(torch.eye(4), torch.tensor([0, 1, 1, 0]))]
