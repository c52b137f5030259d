import torch
import torch.nn.functional as F


class Load(torch.nn.Module):
    def __init__(self, experts: int = 4) -> None:
        super().__init__()
        self.experts = experts

    def forward(self, chosen: torch.Tensor) -> torch.Tensor:
        load = F.one_hot(torch.cat([chosen.flatten(), torch.arange(self.experts)]), num_classes=self.experts).float()
        return load.sum(0) - 1.0


def counts(labels: torch.Tensor, classes: int) -> torch.Tensor:
    every = torch.arange(classes, device=labels.device)
    joined = torch.cat((every, labels), dim=0)
    wide = F.one_hot(
        joined,  # each once
        num_classes=classes,
    )
    return wide.sum(0) - 1


def forward(chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return load(chosen), counts(chosen.flatten(), 5)


load = Load()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([[0, 2], [2, 1]]), torch.tensor([[3, 3], [0, 0]])]
