"""What is divided by zero where the mask does not hold would give those elements a gradient of NaN."""

import torch


def averaged(x: torch.Tensor) -> torch.Tensor:
    n = (x != 0).sum(1)
    total, out = x.sum(1), torch.zeros(x.shape[0])
    chosen = n != 0
    some = total[chosen]  # GM501
    out[chosen] = some / n[chosen]  # GM501
    return out


def logarithms(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    positive = x > 0
    y[positive] = torch.log(x[positive])  # GM501
    return y


def shares(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    high = scores > 0.5
    y[high] = x[high].tanh() / high.sum()  # GM501
    return y


def rows(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    norm = x.abs().sum(1, keepdim=True)
    mask = norm.squeeze(1) > 0
    index = torch.where(mask)[0]  # GM501
    y[index] = x[index] / norm[index]
    return y


def forward(x: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return averaged(x), logarithms(x), shares(x, scores), rows(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, 2.0], [0.0, 0.0]], requires_grad=True)
    return [(x, torch.tensor([[0.1, 0.7], [0.2, 0.3]])), (x, torch.zeros(2, 2))]
