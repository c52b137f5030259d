import torch


@torch.no_grad()
def step(weight: torch.Tensor, update: torch.Tensor, rate: float = 0.1) -> torch.Tensor:
    weight_norm = weight.norm(2.0)
    update_norm = update.norm(2.0)
    trust = torch.where(
        (weight_norm == 0) | (update_norm == 0),
        1.0,
        weight_norm / update_norm,
    )
    least = weight.abs().mean()
    factor = torch.where(least > 2, 2, least.exp())
    return weight - rate * trust * update + update * factor


def forward(weight: torch.Tensor, update: torch.Tensor) -> torch.Tensor:
    return step(weight, update)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    update = torch.tensor([0.5, -1.5, 2.0])
    return [
        (torch.tensor([1.0, 2.0, 3.0]), update),
        (torch.zeros(3), update),
        (torch.tensor([9.0, 2.0, 3.0]), torch.zeros(3)),
        (torch.tensor([float("nan"), 2.0, 3.0]), update),
    ]
