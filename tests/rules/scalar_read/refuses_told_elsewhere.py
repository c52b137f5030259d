import torch


def used_later(x: torch.Tensor) -> tuple[torch.Tensor, float]:
    highest = x.max().item()  # GM201
    if highest > 100:
        raise ValueError(f"{highest} is too high")
    return x, highest


def in_the_else(x: torch.Tensor) -> torch.Tensor:
    lowest = x.min().item()  # GM201
    if lowest < 0:
        raise ValueError("negative")
    else:
        return x * torch.tensor([lowest, 1.0])


def changed_between(x: torch.Tensor) -> torch.Tensor:
    total = x.sum().item()  # GM201
    x.mul_(2)
    if total > 100:
        raise ValueError("too much")
    return x


def renamed_between(x: torch.Tensor) -> torch.Tensor:
    total = x.sum().item()  # GM201
    x = x * 2
    if total > 100:
        raise ValueError("too much")
    return x


def in_another_block(x: torch.Tensor, check: bool) -> torch.Tensor:
    total = x.sum().item()  # GM201
    if check:
        if total > 100:
            raise ValueError("too much")
    return x


def caught(x: torch.Tensor) -> torch.Tensor:
    total = x.sum().item()  # GM201
    try:
        assert total < 100, f"{total}"
    except AssertionError:
        return x
    return x * 2


def forward(x: torch.Tensor, check: bool) -> torch.Tensor:
    x, _ = used_later(x)
    x = in_the_else(x)
    x = changed_between(renamed_between(x))
    return in_another_block(caught(x), check)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0]), True), (torch.tensor([1.0, 2.0]), False)]
