import torch


def forward(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    if (torch.linalg.det(a).abs() < 1e-6).any():  # GM101
        x = torch.linalg.pinv(a) @ b
    else:
        x = torch.linalg.solve(a, b)
    return x * 2


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    a = torch.eye(3).expand(2, 3, 3) * 2
    return [(a, torch.ones(2, 3, 1)), (a, torch.ones(2, 3, 4)), (a * 0, torch.ones(2, 3, 1))]
