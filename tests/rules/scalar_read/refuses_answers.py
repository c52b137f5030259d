import torch


def scaled(x: torch.Tensor, some) -> torch.Tensor:
    return x * 2 if some else x + some


def halved(x: torch.Tensor, some: bool) -> torch.Tensor:
    return x / 2 if some else x


def doubled(x: torch.Tensor, some) -> torch.Tensor:
    return x * 2 if some else x


def forward(x: torch.Tensor) -> torch.Tensor:
    some = (x > 0).any().item()  # GM201
    x = scaled(x, some)
    every = (x > 0).all().item()  # GM201
    x = doubled(x, every)
    x = doubled(x, True)
    none = (x < 0).any().item()  # GM201
    return halved(x, none)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([-1.0]), torch.tensor([1.0])]
