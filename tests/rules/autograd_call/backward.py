import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    loss = (x * 2).sum()
    loss.backward()  # GM403
    return loss


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, requires_grad=True)]
