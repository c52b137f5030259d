"""Not fixed: Python gets the number, in what is returned or stored."""

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = 0.0

    def peak(self, x: torch.Tensor) -> float:
        return x.max().item()  # GM201

    def rows(self, x: torch.Tensor) -> int:
        return x.long().max().item()  # GM201

    def lowest(self, x: torch.Tensor) -> dict[str, float]:
        return {"lowest": x.min().item()}  # GM201

    def alone(self, x: torch.Tensor):
        return x.min().item()  # GM201

    def forward(self, x: torch.Tensor, logs: dict[str, float]) -> object:
        self.last = x.sum().item()  # GM201
        logs["mean"] = x.mean().item()  # GM201
        shown = {"min": x.min().item()}  # GM201
        text = f"{shown['min']}"
        ratio = {"std": x.std().item()}  # GM201
        half = ratio["std"] / 2
        names = {x.prod().item(): "product"}  # GM201
        peak = self.peak(x)
        height = float(peak) if peak else 0.0
        return text, half, names, height, self.rows(x), self.lowest(x), self.alone(x)


forward = Model()


def inputs() -> list[object]:
    return [(torch.arange(1.0, 7.0).reshape(2, 3), {})]
