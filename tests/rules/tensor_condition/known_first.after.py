"""What Python knows is asked before the tensor; the break stays for calls in which that does not decide."""

import torch


def packed(positions: torch.Tensor, length: int | None) -> bool:
    is_packed = positions.shape[0] > 1 and (length is not None or not (positions.diff() >= 0).all())
    return is_packed


class Pooler(torch.nn.Module):
    def __init__(self, exact: bool = False) -> None:
        super().__init__()
        self.exact = exact

    def forward(self, x: torch.Tensor, length: int | None, values: list[float]) -> torch.Tensor:
        if packed(x, length):
            return x * 2
        fits = not self.exact and bool((x < 3).all()) and len(values) > 1
        if fits:
            values.append(1.0)
        return x * len(values)


class Forward(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.pooler = Pooler(exact=True)

    def forward(self, x: torch.Tensor, length: int | None) -> torch.Tensor:
        return self.pooler(x, length, [1.0, 2.0])


forward = Forward


def inputs() -> list[object]:
    return [(torch.arange(3.0), 3), (torch.arange(1.0), None), (torch.tensor([2.0, 1.0]), 1)]
