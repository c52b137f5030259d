# all rules
import torch


def forward(pred: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    valid = (truth > 0.1) & (truth < 5)
    condition = valid.sum() == 0
    diff = torch.abs(torch.where(valid, truth, 0) - torch.where(valid, pred, 0))
    return torch.where(
        condition,
        pred.sum() * 0.0,
        diff.mean() / valid.to(torch.promote_types(truth.dtype, pred.dtype)).mean(),
    )


compiled = torch.compile(forward)


def inputs() -> list[object]:
    nan = float("nan")
    pred = torch.tensor([[0.5, 2.0, 3.0, 4.0]])
    return [
        (pred.clone().requires_grad_(), torch.tensor([[0.0, 1.5, 7.0, 4.5]])),
        (pred.clone().requires_grad_(), torch.tensor([[0.0, 9.0, 7.0, 5.5]])),
        (pred.clone().requires_grad_(), torch.tensor([[nan, 9.0, 7.0, 5.5]])),
        (pred.clone().requires_grad_(), torch.tensor([[nan, 1.0, nan, 5.5]])),
    ]
