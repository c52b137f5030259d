import torch
import torch.nn.functional as F


def depth_errors(pred: torch.Tensor, truth: torch.Tensor) -> tuple[torch.Tensor, ...]:
    valid = (truth > 0.1) & (truth < 5)
    there = torch.where(valid, truth, 1)
    guess = torch.where(valid, pred, 1)
    relative = ((there - guess).abs() / there).mean() / valid.to(torch.promote_types(truth.dtype, pred.dtype)).mean()
    diff = guess.clamp(min=1e-3).log() - there.log()
    return (
        relative,
        torch.pow(diff, 2).mean()
        / valid.to(torch.promote_types(truth.dtype, pred.dtype)).mean()
        + 1,
        0.5 * diff.sum() ** 2,
    )


def absolute_error(pred: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    valid = truth > 0
    diff = torch.abs(
        torch.where(valid, truth, 0)
        - torch.where(valid, pred, 0)
    )
    return diff.mean() / valid.to(torch.promote_types(truth.dtype, pred.dtype)).mean()


def box_loss(pred: torch.Tensor, boxes: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
    positive = found > 0
    p = torch.where(positive.reshape(positive.shape + (1,) * (pred.ndim - positive.ndim)), pred, 0)
    w = torch.where(positive.reshape(positive.shape + (1,) * (boxes.ndim - positive.ndim)), boxes, 0)
    scaled = -3 * (p - w) / 2
    return (
        scaled.abs().sum()
        + F.smooth_l1_loss(p, w)
        / positive.to(torch.promote_types(pred.dtype, boxes.dtype)).mean()
        - F.mse_loss(p, w, reduction="sum")
    )


def forward(pred: torch.Tensor, truth: torch.Tensor) -> tuple[torch.Tensor, ...]:
    boxes = torch.stack([truth.nan_to_num(0.0, 0.0, 0.0), pred * 2], dim=-1)
    return (
        *depth_errors(pred, truth),
        absolute_error(pred, truth),
        box_loss(boxes + 1, boxes.detach(), truth),
    )


compiled = torch.compile(forward)


def inputs() -> list[object]:
    nan, inf = float("nan"), float("inf")
    pred = torch.tensor([[0.5, 2.0, 3.0, 4.0]])
    return [
        (pred.clone().requires_grad_(), torch.tensor([[0.0, 1.5, 7.0, 4.5]])),
        (pred.clone().requires_grad_(), torch.tensor([[nan, 1.5, -inf, 4.5]])),
        (torch.tensor([[nan, 2.0, inf, 4.0]]), torch.tensor([[0.0, 1.5, nan, 4.5]])),
        (pred.clone(), torch.tensor([[0.0, -9.0, -7.0, -1.0]])),
        (pred.half(), torch.tensor([[0.0, 1.5, 7.0, 4.5]])),
    ]
