# numbers are returned
import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(-4.0, 5.0).reshape(3, 3))

    def compute(self, x: torch.Tensor) -> tuple[torch.Tensor, dict[str, object]]:
        out = x @ self.weight
        loss = out.abs().mean()
        parts = {"mean": loss.item(), "rows": len(out)}  # GM201
        if self.training:
            parts["rows"] = (out > 0).float().mean(dim=1).sum().item()  # GM201
        more = {"peak": out.max().item()}  # GM201
        more["sum"] = float(out.sum())  # GM201
        parts.update(more)
        return loss, parts

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, dict[str, object], list[object]]:
        loss, parts = self.compute(x)
        peaks = [x.max().item()]  # GM201
        low = x.min().item()  # GM201
        peaks.append(low)
        return loss * 2, parts, peaks


forward = Model()


def inputs() -> list[object]:
    return [torch.arange(6.0).reshape(2, 3)]
