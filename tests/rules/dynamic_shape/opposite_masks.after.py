import torch


def gate(ratio: torch.Tensor, temperature: float) -> torch.Tensor:
    return torch.sigmoid(temperature * (ratio - 1)) / temperature


def forward(ratio: torch.Tensor, gains: torch.Tensor) -> torch.Tensor:
    each = gains.unsqueeze(1).expand_as(ratio)
    loss = torch.empty_like(ratio)
    rises = each > 0
    loss.copy_(torch.where(rises, gate(ratio, 2.0), loss))
    chosen = ~rises
    loss.copy_(torch.where(chosen, gate(ratio, 3.0), loss))
    chosen_2 = ratio < 0
    loss.copy_(torch.where(chosen_2, -gate(ratio, 1.0), loss))
    return (loss * each).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    ratio = torch.tensor([[0.5, 1.5], [-2.0, 0.0]], requires_grad=True)
    return [(ratio, torch.tensor([1.0, -0.5])), (ratio, torch.tensor([-1.0, -0.5]))]
