import torch


def forward(scores: torch.Tensor, models: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
    best = int(scores.argmax())  # GM201
    first = models[best : best + 1]
    next_two = models[best - 1 : best - 1 + 2]
    at = shift.item()  # GM201
    return first.sum() + next_two.sum() + models[at + 1 : at + 1 + 1] * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    models = torch.arange(12.0).reshape(4, 3)
    return [
        (torch.tensor([1.0, 5.0, 2.0, 0.0]), models, torch.tensor(1)),
        (torch.tensor([1.0, 2.0, 5.0, 0.0]), models, torch.tensor(0)),
    ]
