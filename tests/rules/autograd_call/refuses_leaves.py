import torch


def kept(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    start = torch.zeros(3, requires_grad=True)  # GM403
    return x + start, start


def changed(x: torch.Tensor) -> torch.Tensor:
    start = torch.zeros(3, requires_grad=True)  # GM403
    with torch.no_grad():
        start += x
    return x + start


def looked_at(x: torch.Tensor) -> torch.Tensor:
    start = torch.zeros(3, requires_grad=True)  # GM403
    y = x + start
    return y + float(y.requires_grad)


def forward(x: torch.Tensor) -> torch.Tensor:
    return kept(x)[0] + changed(x) + looked_at(x)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.tensor([1.0, 2.0, -3.0]),)]
