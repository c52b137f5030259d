import torch


def forward(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    condition = (torch.linalg.det(a).abs() < 1e-6).any()

    def if_true():
        return torch.linalg.pinv(a) @ b

    def if_false():
        return torch.linalg.solve(a, b).clone(memory_format=torch.contiguous_format)

    if torch.compiler.is_compiling():
        x = torch.cond(condition, if_true, if_false)
    else:
        x = if_true() if condition else if_false()
    return x * 2


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    a = torch.eye(3).expand(2, 3, 3) * 2
    return [(a, torch.ones(2, 3, 1)), (a, torch.ones(2, 3, 4)), (a * 0, torch.ones(2, 3, 1))]
