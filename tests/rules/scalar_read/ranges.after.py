import torch


class Steps(torch.nn.Module):
    def __init__(self, steps: int = 3) -> None:
        super().__init__()
        self.steps = steps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for step in range(self.steps):
            x = x + step
        return x


def counted(x: torch.Tensor) -> torch.Tensor:
    places = torch.arange(x.shape[0], device=x.device)
    y = x * 2
    order = list(range(4, 0, -2))
    for index, place in enumerate(range(x.shape[0])):
        y = y + index * place
    numbers = [number * 2 for number in range(0, x.shape[0])]
    return y * order[0] + numbers[-1] + places


def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return steps(x), counted(x)


steps = Steps()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.ones(5)]
