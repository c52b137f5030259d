import torch


def either(x: torch.Tensor) -> torch.Tensor:
    condition = (large := x.sum() > 2)

    def if_true():
        y = x * 2
        return y.clone()

    def if_false():
        y = x + 1
        return y - large.float()

    if torch.compiler.is_compiling():
        return torch.cond(condition, if_true, if_false)
    return if_true() if condition else if_false()


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = (positive := x.sum() > 0)

    def if_true():
        return (x + 1) ** 0.5

    def if_false():
        return x.clone()

    if torch.compiler.is_compiling():
        y = torch.cond(condition, if_true, if_false)
    else:
        y = if_true() if condition else if_false()
    return y * positive + either(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor(row, requires_grad=True) for row in ([1.0, 2.0], [0.5, 0.5], [-1.0, -2.0], [1.0, 2.0])]
