import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    t = x.exp()
    condition = t.sum() > 3

    def if_true():
        t = x.cos()
        return t * 2

    def if_false():
        return t * 3

    if torch.compiler.is_compiling():
        y = torch.cond(condition, if_true, if_false)
    else:
        y = if_true() if condition else if_false()
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor]]:
    return [(torch.ones(3),), (-torch.ones(3),)]
