import torch


class Gate(torch.nn.Module):
    def __init__(self, p: float = 0.3) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.mean().item() < self.p:  # GM101
            x = x * 2
        if float(x.max()) > 0.5:  # GM101
            x = x - 1
        return x


forward = Gate


def inputs() -> list[torch.Tensor]:
    return [torch.zeros(3), torch.ones(3), torch.tensor([0.1, 0.2, 0.9]), torch.zeros(3)]
