import torch


def forward(x: torch.Tensor, n: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, ...]:
    y = x.clone()
    for i in range(n):  # GM103
        y = y * 0.5 + i
        x = x + y
    done = torch.zeros_like(tokens, dtype=torch.bool)
    steps = torch.zeros_like(tokens)
    while not done.all():  # GM103
        tokens = torch.where(done, tokens, tokens - 1)
        steps = steps + (~done).long()
        done = done | (tokens <= 0)
    return x, y, tokens, steps


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, tokens = torch.ones(2).requires_grad_(), torch.tensor([3, 1, 2])
    return [(x, torch.tensor(n), tokens - n) for n in (2, 0, 5, 2)]
