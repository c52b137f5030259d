import torch


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    def step(_, x):
        return (x * 0.5 + 1,)

    if torch.compiler.is_compiling():
        def unfinished(_, x):
            return _ < n

        def counted(_, x):
            return _ + 1, *step(_, x)

        started = n > 0
        _, *last = torch.while_loop(unfinished, counted, (torch.zeros_like(n), x.clone()))
        x = torch.where(started, last[0], x)
    else:
        for _ in range(n.item()):
            (x,) = step(_, x)
    y = x * 2

    def step(k, y):
        return (y + x * k,)

    if torch.compiler.is_compiling():
        def unfinished(k, y):
            return k < n.long()

        def counted(k, y):
            return k + 1, *step(k, y)

        started = n.long() > 0
        _, *last = torch.while_loop(unfinished, counted, (torch.zeros_like(n.long()), y))
        y = torch.where(started, last[0], y)
    else:
        for k in range(int(n)):
            (y,) = step(k, y)
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    return [(x, torch.tensor(each)) for each in (2, 0, 2, 5, -1)]
