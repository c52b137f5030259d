import torch


def forward(x: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    best = torch.zeros(x.shape[0])
    total = torch.zeros(x.shape[0])
    active = torch.ones((), dtype=torch.bool, device=best.device)
    for _ in range(3):
        scores = (x + best[:, None]) * weight
        value, place = scores.max(-1)
        low, high = torch.aminmax(scores, dim=1)
        best = torch.where(active, best + value * 0.5 + low * 0, best)
        total = torch.where(active, total + place, total)
        active = active & ~(best > 2).all()
    return best, total


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
    return [(x, torch.ones(2)), (x * 9, torch.ones(2)), (-x, torch.tensor([0.5, -2.0]))]
