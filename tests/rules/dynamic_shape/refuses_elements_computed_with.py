import math

import torch
import torch.nn.functional as F


def not_neutral(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    a = (x[keep] - 3).abs().mean()  # GM501
    b = x[keep].sqrt().sum()  # GM501
    c = (1 / x[keep]).mean()  # GM501
    d = x[keep].exp().sum()  # GM501
    e = (x[keep] * math.inf).abs().sum()  # GM501
    f = (x[keep] * 0 + 1000).exp().sum()  # GM501
    return a + b + c + d + e + f


def goes_elsewhere(x: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    keep = mask > 0
    kept = mask[keep]  # GM501
    diff = x[keep] - kept  # GM501
    return diff.abs().mean(), diff


def other_mask(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    drop = mask < 0
    kept = x[keep]  # GM501
    return (kept - x[drop]).sum()  # GM501


def mask_changes(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    diff = -2 * x[keep]  # GM501
    keep = mask > 1
    total = diff.mean()
    keep[0] = True
    return total + x[keep].abs().mean()  # GM501


def tensor_changes(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    rows = x[keep]  # GM501
    rows.mul_(2)
    return (rows - 1).sum() + rows.abs().sum()


def other_options(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    wanted = mask[keep]  # GM501
    a = F.mse_loss(x[keep], wanted, reduction="none").sum()  # GM501
    b = x[keep].abs().sum(0)  # GM501
    return a + b + F.huber_loss(x[keep], wanted, delta=0.5)  # GM501


def evaluated_twice(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    keep = mask > 0
    a = F.dropout(x, 0.5)[keep].abs().sum()  # GM501
    return a + x.detach()[keep].square().mean()  # GM501


def forward(x: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (
        not_neutral(x, mask),
        *goes_elsewhere(x, mask),
        other_mask(x, mask),
        mask_changes(x, mask),
        tensor_changes(x, mask),
        other_options(x, mask),
        evaluated_twice(x, mask),
    )


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, -2.0, 3.0]))]
