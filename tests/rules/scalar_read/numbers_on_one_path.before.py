"""Numbers that a name holds on one path only, or that are added up."""

import torch


class Average(torch.nn.Module):
    def __init__(self, momentum: float | None = None) -> None:
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(2))
        self.register_buffer("count", torch.tensor(0))

    def forward(self, x: torch.Tensor, losses: list[torch.Tensor], masks: torch.Tensor) -> tuple[torch.Tensor, ...]:
        self.count.add_(1)
        if self.momentum is None:
            factor = 1.0 / float(self.count)  # GM201
        else:
            factor = self.momentum
        self.mean.mul_(1 - factor).add_(x.detach() * factor)
        return x - self.mean, self.weighed(x, losses), self.counted(x, masks)

    def weighed(self, x: torch.Tensor, losses: list[torch.Tensor]) -> torch.Tensor:
        total = 0.0
        for loss in losses:
            total += loss.item()  # GM201
        return x * (total / len(losses))

    def counted(self, x: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        number = 0
        for mask in masks:
            number += mask.sum().item()  # GM201
        return x * number


forward = Average


def inputs() -> list[object]:
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    some = [torch.tensor(0.5), torch.tensor(1.5)]
    masks = torch.tensor([[True, False], [True, True]])
    return [(x, some, masks), (x, [*some, torch.tensor(4.0, requires_grad=True)], masks[:0]), (x, some[:1], ~masks)]
