import torch


def forward(x: torch.Tensor, power) -> torch.Tensor:
    if torch.jit.isinstance(power, int):  # GM401
        return x**power
    if torch.jit.isinstance(power, torch.Tensor):  # GM401
        return x * power
    return x


compiled = torch.compile(forward)


def inputs():
    x = torch.arange(3.0)
    return [(x, 2), (x, torch.ones(3)), (x, True), (x, "no")]
