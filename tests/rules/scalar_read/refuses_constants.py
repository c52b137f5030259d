import torch


class Encoder(torch.nn.Module):
    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        self.depth, self.rate, self.shift = depth, 0.5, torch.ones(())

    def forward(self, x: torch.Tensor, top: float) -> tuple[object, ...]:
        first = torch.linspace(0, self.rate, self.depth).tolist()  # GM201
        second = torch.linspace(0, top, 3).tolist()  # GM201
        third = (torch.linspace(0, 1, 3) + self.shift).tolist()  # GM201
        return x, first, second, third


class Deeper(Encoder):
    def __init__(self) -> None:
        super().__init__()
        self.rate = 0.7


class Short(torch.nn.Module):
    def __init__(self, depth: int = 3) -> None:
        super().__init__()
        self.depth = 3
        if depth < 4:
            return
        self.other = 1

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
        return x, torch.linspace(0, 1, self.depth).tolist()  # GM201


def forward(x: torch.Tensor) -> tuple[object, ...]:
    return encoder(short(x)[0], 0.5)


encoder, short = Encoder(), Short()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
