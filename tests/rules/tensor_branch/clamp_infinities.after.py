import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = torch.nn.functional.silu(x) @ x.unsqueeze(-1)
    if x.dtype == torch.float32:
        limit = torch.finfo(x.dtype).max - 1000
        x = torch.where(
            torch.isinf(x).any() | torch.isnan(x).any(),
            torch.clamp(x, min=-limit, max=limit),
            x,
        )
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.full((3,), float('inf'))]
