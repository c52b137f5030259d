import math

import torch


class Adam:
    def __init__(self, rate: float = 0.1) -> None:
        self.rate, self.first, self.second = rate, 0.5, 0.75

    def step(self, x: torch.Tensor, grad: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
        step = count.item()  # GM201
        bias = 1 - 0.5**step
        wide = 1 - 0.75**step
        size = self.rate / bias
        return x - size * grad / (grad.abs() / math.sqrt(wide) + 1e-8)


class Train(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.adam = Adam()

    def forward(self, x: torch.Tensor, grad: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
        return self.adam.step(x, grad, count)


forward = Train()


def inputs() -> list[object]:
    x, grad = torch.tensor([1.0, 2.0]), torch.tensor([0.5, -4.0])
    return [(x, grad, torch.tensor(1.0)), (x, grad, torch.tensor(2.0))]
