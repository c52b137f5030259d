import torch


def padding(lengths: torch.Tensor, most: int) -> torch.Tensor:
    mask = torch.zeros(lengths.shape[0], most, dtype=torch.bool)
    for i, length in enumerate(lengths):
        mask[i, torch.arange(mask.shape[1], device=mask.device) < length] = True
    return mask


def hidden(x: torch.Tensor, start: torch.Tensor, width: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[
        :,
        (torch.arange(x.shape[1], device=x.device) >= start)
        & (torch.arange(x.shape[1], device=x.device) < start + width),
    ] = 0.0
    last = width.long().clone()
    x[..., torch.arange(x.shape[-1], device=x.device) >= last] = float("-inf")
    x[
        0,
        (torch.arange(x.shape[1], device=x.device) >= 1)
        & (torch.arange(x.shape[1], device=x.device) < last),
    ] = x.sum()
    return x


def forward(x: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return padding(lengths, x.shape[1]), hidden(x, lengths[0], lengths[1])


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.arange(8.0).reshape(2, 4)
    return [
        (x, torch.tensor([1, 3])),
        (x.clone().requires_grad_(), torch.tensor([0, 0])),
        (x.half(), torch.tensor([2, 9])),
    ]
