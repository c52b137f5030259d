import torch


class Gate(torch.nn.Module):
    def __init__(self, p: float = 0.3) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.where(x.mean() < self.p, x * 2, x)
        x = torch.where(x.max() > 0.5, x - 1, x)
        return x


forward = Gate


def inputs() -> list[torch.Tensor]:
    return [torch.zeros(3), torch.ones(3), torch.tensor([0.1, 0.2, 0.9]), torch.zeros(3)]
