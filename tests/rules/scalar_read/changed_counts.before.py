import torch


class Counted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.steps = 4

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = torch.arange(self.steps)
        self.steps = 2
        for step in steps.tolist():  # GM201
            x = x + step
        self.steps = 4
        return x


def by_another_name(x: torch.Tensor) -> torch.Tensor:
    places = torch.arange(3)
    flat = places.view(-1)
    flat.mul_(2)
    for place in places.tolist():  # GM201
        x = x + place
    return x


def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return counted(x), by_another_name(x)


counted = Counted()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.ones(5)]
