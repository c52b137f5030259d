import torch


class Steps(torch.nn.Module):
    def __init__(self, steps: int = 3) -> None:
        super().__init__()
        self.steps = steps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for step in torch.arange(self.steps).tolist():  # GM201
            x = x + step
        return x


def counted(x: torch.Tensor) -> torch.Tensor:
    places = torch.arange(x.shape[0], device=x.device)
    y = x * 2
    order = torch.arange(4, 0, -2, dtype=torch.long).tolist()  # GM201
    for index, place in enumerate(places.tolist()):  # GM201
        y = y + index * place
    numbers = [number * 2 for number in torch.arange(0, x.shape[0]).tolist()]  # GM201
    return y * order[0] + numbers[-1] + places


def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return steps(x), counted(x)


steps = Steps()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.ones(5)]
