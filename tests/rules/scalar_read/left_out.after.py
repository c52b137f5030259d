# all rules
"""Where a mask is left out, it is made of ones, and what is asked of it has one answer."""

import torch
import torch.nn.functional as F
from torch import nn


def local(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    mask_given = mask is not None
    if mask is None:
        mask = x.new_ones(x.shape[0], dtype=torch.bool)
    padded = (~mask).any()
    if mask_given and padded:
        x = x[mask]
    return x + 1


def every(x: torch.Tensor, mask: torch.Tensor | None = None, *, scale: float = 1.0) -> torch.Tensor:
    """The parameter keeps its value: it is asked for again."""
    kept = torch.ones_like(x) if mask is None else mask
    whole = (kept == 1).all()
    return x * scale if mask is None or whole else x[:1] * kept[:1]


class Base(nn.Module):
    def extended(self, mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        """As is added to scores."""
        if mask.dim() == 3:
            extended = mask[:, None, :, :]
        elif mask.dim() == 2:
            extended = mask[:, None, None, :]
        else:
            raise ValueError("the mask has another shape")
        extended = extended.to(dtype=dtype)
        return (1.0 - extended) * torch.finfo(dtype).min


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, mask=None, scale=2, any_given: bool = True) -> torch.Tensor:
        is_global = mask > 0
        any_global = is_global.flatten().any()
        for _ in range(2):
            x = self.layer(x)
            if any_given and any_global:
                x = x[:, :2]
        return x * scale


class Model(Base):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()

    def pad(self, x: torch.Tensor, mask: torch.Tensor, window: int) -> tuple[torch.Tensor, torch.Tensor]:
        missing = (window - x.shape[1] % window) % window
        if missing > 0:
            x = F.pad(x, (0, 0, 0, missing))
            mask = F.pad(mask, (0, missing), value=0)
        return x, mask

    def forward(
        self,
        x: torch.Tensor,
        mask: torch.Tensor | None = None,
        global_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        any_given = mask is not None or global_mask is not None
        if mask is None:
            mask = torch.ones(x.shape[:2], device=x.device)
        if global_mask is not None:
            mask = mask * (global_mask + 1)
        x, mask = self.pad(x, mask, 4)
        extended = self.extended(mask, x.dtype)[:, 0, 0, :]
        return self.encoder(
            x,
            mask=extended,
            any_given=any_given,
        )


torch.manual_seed(0)
model = Model()


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return local(x), every(x), model(x[None])


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.linspace(-1, 1, 12).reshape(3, 4),), (torch.ones(4, 4),)]
