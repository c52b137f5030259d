# all rules
import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("ready", torch.zeros((), dtype=torch.bool))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            was_ready = bool(self.ready)  # GM104
            self.ready.fill_(True)
            return x * 2 if was_ready else x + 1


forward = Gate


def inputs() -> list[torch.Tensor]:
    return [torch.ones(2), torch.ones(2), torch.zeros(2)]
