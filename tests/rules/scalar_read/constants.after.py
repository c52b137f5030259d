import torch


@torch.compiler.assume_constant_result
def _steps_20():
    return torch.linspace(0, 1, 5).tolist()


@torch.compiler.assume_constant_result
def _scale_21():
    return float(torch.tensor(2.0).sqrt())


class Encoder(torch.nn.Module):
    def __init__(self, config: object, depth: int = 3) -> None:
        super().__init__()
        self.top = config.top
        self.depth = depth
        self.rate = 0.5
        self.layers = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(depth))
        self.rates = [rate.item() for rate in torch.linspace(0, self.rate, self.depth, device="cpu")]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rates = self.rates
        for rate, layer in zip(rates, self.layers):
            x = layer(x) * (1 - rate)
        return x * torch.linspace(0, self.top, 3).detach()[1]


def scaled(x: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    steps = list(_steps_20())
    scale = _scale_21()
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
