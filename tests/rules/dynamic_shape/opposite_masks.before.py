import torch


def gate(ratio: torch.Tensor, temperature: float) -> torch.Tensor:
    return torch.sigmoid(temperature * (ratio - 1)) / temperature


def forward(ratio: torch.Tensor, gains: torch.Tensor) -> torch.Tensor:
    each = gains.unsqueeze(1).expand_as(ratio)
    loss = torch.empty_like(ratio)
    rises = each > 0
    loss[rises] = gate(ratio[rises], 2.0)  # GM501
    loss[~rises] = gate(ratio[~rises], 3.0)  # GM501
    loss[ratio < 0] = -gate(ratio[ratio < 0], 1.0)  # GM501
    return (loss * each).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    ratio = torch.tensor([[0.5, 1.5], [-2.0, 0.0]], requires_grad=True)
    return [(ratio, torch.tensor([1.0, -0.5])), (ratio, torch.tensor([-1.0, -0.5]))]
