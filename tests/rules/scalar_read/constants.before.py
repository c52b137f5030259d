import torch


class Encoder(torch.nn.Module):
    def __init__(self, config: object, depth: int = 3) -> None:
        super().__init__()
        self.top = config.top
        self.depth = depth
        self.rate = 0.5
        self.layers = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(depth))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rates = [rate.item() for rate in torch.linspace(0, self.rate, self.depth)]  # GM201
        for rate, layer in zip(rates, self.layers):
            x = layer(x) * (1 - rate)
        return x * torch.linspace(0, self.top, 3).tolist()[1]  # GM201


def scaled(x: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    steps = torch.linspace(0, 1, 5).tolist()  # GM201
    scale = float(torch.tensor(2.0).sqrt())  # GM201
    return x * steps[1] * scale, steps


def forward(x: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    return scaled(encoder(x))


class Config:
    top = 4.0


torch.manual_seed(0)
encoder = Encoder(Config())
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3), torch.zeros(2, 3)]
