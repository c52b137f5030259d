import torch


def forward(pred: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    valid = truth > 0.1
    other = truth > 3
    if valid.sum() == 0:  # GM101
        return pred.sum() * 0.0
    kept = torch.where(other, pred, 0)
    return (kept + pred).mean() / valid.to(pred.dtype).mean()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    pred = torch.tensor([[0.5, 2.0, 3.0, 4.0]])
    return [(pred, torch.ones(1, 4)), (pred, torch.zeros(1, 4))]
