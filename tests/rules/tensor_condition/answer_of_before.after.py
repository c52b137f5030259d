# all rules
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ready", torch.zeros((), dtype=torch.bool))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            was_ready = self.ready.clone()
            self.ready.fill_(True)
            return torch.where(was_ready, x * 2, x + 1)


forward = Gate


def inputs() -> list[torch.Tensor]:
    return [torch.ones(2), torch.ones(2), torch.zeros(2)]
