import torch


class Router(torch.nn.Module):
    def __init__(self, experts: int = 3) -> None:
        super().__init__()
        self.experts = experts

    def forward(self, scores: torch.Tensor, index: torch.Tensor) -> tuple[torch.Tensor, ...]:
        chosen = scores.argmax(-1)
        load = torch.nn.functional.one_hot(chosen, self.experts).sum(0)
        sizes = torch.nn.functional.one_hot(index.flatten().long(), 4).sum(0)
        return load, sizes, scores * load


forward = Router()


def inputs() -> list[object]:
    index = torch.tensor([[0, 3], [3, 1]], dtype=torch.int32)
    return [(torch.tensor([[0.1, 0.9, 0.0], [0.3, 0.2, 0.1]]), index), (torch.zeros(0, 3), index)]
