# all rules
import torch


def doubled(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 0
    out = x.clone()
    out.copy_(
        torch.where(
            mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
            torch.relu(x) * 2,
            out,
        )
    )
    return out


def kept(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 1
    out = torch.zeros_like(x)
    rows = x.clone()
    out.copy_(
        torch.where(
            mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
            rows.sigmoid(),
            out,
        )
    )
    return out


def either(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 2
    out = x.clone()
    out.copy_(
        torch.where(
            mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
            torch.sin(x) + 1,
            out,
        )
    )
    return out


def by_row(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 0
    out = x.clone()
    out.copy_(torch.where(mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)), torch.cos(x), out))
    return out


def forward(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return doubled(x, scores) + kept(x, scores) * either(x, scores) + by_row(x, scores)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.arange(6.0).reshape(3, 2).requires_grad_()
    rows = [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [3.0, 3.0, 3.0], [3.0, float("nan"), 0.0]]
    return [(x, torch.tensor(each)) for each in rows] + [(x, torch.ones(3, 2)), (x[:0], torch.ones(0))]
