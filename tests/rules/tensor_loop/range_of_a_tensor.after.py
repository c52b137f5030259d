import torch


def forward(x: torch.Tensor, n: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, ...]:
    y = x.clone()

    def step(i, y, x):
        y = y * 0.5 + i
        x = x + y
        return y, x

    if torch.compiler.is_compiling():
        def unfinished(i, y, x):
            return i < n

        def counted(i, y, x):
            return i + 1, *step(i, y, x)

        started = n > 0
        _, *last = torch.while_loop(unfinished, counted, (torch.zeros_like(n), y.clone(), x.clone()))
        y = torch.where(started, last[0], y)
        x = torch.where(started, last[1], x)
    else:
        for i in range(n):
            y, x = step(i, y, x)
    done = torch.zeros_like(tokens, dtype=torch.bool)
    steps = torch.zeros_like(tokens)

    def unfinished(tokens, steps, done):
        return ~done.all()

    def step(tokens, steps, done):
        tokens = torch.where(done, tokens, tokens - 1)
        steps = steps + (~done).long()
        done = done | (tokens <= 0)
        return tokens, steps, done

    if torch.compiler.is_compiling():
        started = unfinished(tokens, steps, done)
        last = torch.while_loop(unfinished, step, (tokens.clone(), steps.clone(), done))
        tokens = torch.where(started, last[0], tokens)
        steps = torch.where(started, last[1], steps)
        done = torch.where(started, last[2], done)
    else:
        while unfinished(tokens, steps, done):
            tokens, steps, done = step(tokens, steps, done)
    return x, y, tokens, steps


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, tokens = torch.ones(2).requires_grad_(), torch.tensor([3, 1, 2])
    return [(x, torch.tensor(n), tokens - n) for n in (2, 0, 5, 2)]
