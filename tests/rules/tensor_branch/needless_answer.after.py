"""Functions that give a mask only where it leaves something out."""

import torch
import torch.nn.functional as F


def ignore(target: torch.Tensor, index: int | None) -> tuple[torch.Tensor, torch.Tensor | None]:
    if index is None:
        return target, None
    keep = target != index
    if not torch.compiler.is_compiling() and keep.all():
        return target, None
    return target.where(keep, target.new_zeros(1)), keep


def filled(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None, torch.Tensor]:
    known = ~x.isnan()
    if not torch.compiler.is_compiling() and torch.all(known):
        return x, None, known
    return x.masked_fill(~known, 0.0), known, known


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.config = "flash"

    def needed(self, mask: torch.Tensor | None) -> torch.Tensor | None:
        if self.config == "flash":
            if mask is not None and (torch.compiler.is_compiling() or 0.0 in mask):
                return mask
            return None
        return mask

    def counted(self, mask: torch.Tensor) -> torch.Tensor | None:
        if torch.compiler.is_compiling() or not mask.all():
            return mask
        return None

    def forward(self, x: torch.Tensor, target: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
        target, keep = ignore(target, -1)
        hot = F.one_hot(target, 3).to(x.dtype)
        x, known, share = filled(x)
        if keep is not None:
            hot = hot * keep.unsqueeze(-1)
        if known is not None:
            hot = hot * known
        weights = x.sigmoid()
        applied = self.needed(mask)
        if applied is not None:
            weights = weights * applied[:, None]
        again = self.counted(mask)
        if again is not None:
            weights = weights * again.unsqueeze(1)
        return weights * hot, weights.sum(), share


forward = Model()


def inputs() -> list[object]:
    x = torch.linspace(-1, 1, 6).reshape(2, 3).requires_grad_()
    holes = torch.tensor([[0.5, float("nan"), 1.0], [0.0, 1.0, 2.0]], requires_grad=True)
    whole, part = torch.tensor([0, 2]), torch.tensor([-1, 2])
    ones, gap = torch.ones(2), torch.tensor([1.0, 0.0])
    return [(x, whole, ones), (x, part, gap), (holes, whole, gap), (x, part, ones), (holes, part, gap)]
