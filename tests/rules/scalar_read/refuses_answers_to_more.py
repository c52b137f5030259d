"""Not fixed: the answer is used for more than one check, or what it was made of has changed by then."""

import torch


class Model(torch.nn.Module):
    def twice(self, x: torch.Tensor) -> torch.Tensor:
        low = x.min().item() < 0  # GM201
        if low:
            raise ValueError("negative")
        return x + low

    def later(self, x: torch.Tensor) -> torch.Tensor:
        low = x.min().item() < 0  # GM201
        x.add_(1)
        if low:
            raise ValueError("negative")
        return x

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.twice(x), self.later(x * 2)


forward = Model()


def inputs() -> list[object]:
    return [(torch.ones(3),)]
