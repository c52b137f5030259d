"""Not fixed: somewhere the name must hold one of Python's numbers, or another name would change with it."""

import torch


def told(x: torch.Tensor, flag: bool) -> torch.Tensor:
    factor = 1.0
    if flag:
        factor = x.sum().item()  # GM201
    print(f"{factor}")
    return x * factor


def kept(x: torch.Tensor) -> torch.Tensor:
    total, first = 0.0, 0.0
    for row in x.unbind():
        total += row.item()  # GM201
        first = total
        x = x * first
    return x + total


def returned(x: torch.Tensor) -> tuple[torch.Tensor, float]:
    total = 0.0
    for row in x.unbind():
        total += row.item()  # GM201
    return x, total


def power(x: torch.Tensor) -> torch.Tensor:
    scale = 2.0
    for row in x.unbind():
        scale **= row.item()  # GM201
    return x * scale


def forward(x: torch.Tensor) -> tuple[object, ...]:
    return told(x, True), kept(x), returned(x), power(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(1.0, 4.0),)]
