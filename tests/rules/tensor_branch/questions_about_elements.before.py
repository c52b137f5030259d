import torch


def forward(x: torch.Tensor, step: torch.Tensor, limit: float = 2.5) -> torch.Tensor:
    if 0 < x.sum() < limit:  # GM101
        x = x * 2
    if 1.5 in x:  # GM101
        x = x + 1
    if step not in [1, 2]:  # GM101
        x = x - 1
    if any(v > 3 for v in x) or not all(x > -3):  # GM101
        x = x / 2
    if torch.equal(x, x.round()):  # GM101
        x = x * 3
    return x


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = [[1.0, 0.5], [4.0, 2.0], [1.5, 7.0], [-9.0, 1.0], [0.25, 0.5], [float("nan"), 1.0]]
    return [(torch.tensor(row), torch.tensor([step])) for row in rows for step in (1, 2, 3)]


compiled = torch.compile(forward)
