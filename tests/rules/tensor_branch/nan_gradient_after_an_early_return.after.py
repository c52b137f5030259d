import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = x.sum() > 0

    def if_true():
        return x * 2

    def if_false():
        root = x.sqrt()
        return root * 3

    if torch.compiler.is_compiling():
        return torch.cond(condition, if_true, if_false)
    return if_true() if condition else if_false()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([4.0, -1.0]), torch.tensor([-4.0, 1.0])]
