"""The list has changed since the tensor was made of it, or a tensor is needed: refused."""

import torch


def changed(x: torch.Tensor) -> torch.Tensor:
    sizes = [x.shape[0], x.shape[1]]
    tensor = torch.tensor(sizes)
    sizes.append(3)
    total = x.sum()
    for size in tensor:
        total = total + torch.arange(size).sum()  # GM202
    return total


def written(x: torch.Tensor) -> torch.Tensor:
    sizes = [x.shape[0], x.shape[1]]
    tensor = torch.tensor(sizes)
    tensor.mul_(2)
    total = x.sum()
    for size in tensor:
        total = total + torch.arange(size).sum()  # GM202
    return total


def needed(x: torch.Tensor) -> torch.Tensor:
    sizes = [x.shape[0], x.shape[1]]
    tensor = torch.tensor(sizes)
    total = x.sum()
    for size in tensor:
        total = total + torch.arange(size).sum() + size.float()  # GM202
    return total


def returned(x: torch.Tensor) -> torch.Tensor:
    sizes = [x.shape[0], x.shape[1]]
    tensor = torch.tensor(sizes)
    found = []
    for size in tensor:
        found.append(size)
        x = x + torch.arange(size).sum()  # GM202
    return x, found


def renamed(x: torch.Tensor) -> torch.Tensor:
    sizes = [x.shape[0], x.shape[1]]
    sizes = torch.tensor(sizes)
    total = x.sum()
    for size in sizes:
        total = total + torch.arange(size).sum()  # GM202
    return total


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return changed(x), written(x), needed(x), returned(x), renamed(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
