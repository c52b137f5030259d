# all rules
"""A mask is given a name where that lets something be mended, whatever else is mended in the file."""

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    if torch.compiler.is_compiling():
        torch._assert_async(~(x.max() > 100), "too large")
    elif x.max() > 100:
        raise ValueError("too large")
    y, z = torch.zeros_like(x), torch.zeros_like(x)
    y[x > 0] = x[x > 0].cumsum(0)
    chosen_2 = x > 1
    z.copy_(
        torch.where(
            chosen_2.reshape(chosen_2.shape + (1,) * (z.ndim - chosen_2.ndim)),
            torch.sin(x.clone()),
            z,
        )
    )
    return y, z


compiled = torch.compile(forward, fullgraph=True)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 2.0, -3.0]), torch.tensor([-1.0, 0.5, 4.0])]
