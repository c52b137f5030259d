"""Not flagged: these are known while tracing."""

import torch


def forward(x: torch.Tensor, bias: torch.Tensor | None = None, twice: bool = False) -> torch.Tensor:
    if bias is None:
        x = x + 1
    if twice:
        x = x * 2
    if x.dim() == 1 and x.shape[0] > 2:
        x = x * 3
    if isinstance(x, torch.Tensor) and x.dtype == torch.float32:
        x = x - 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
