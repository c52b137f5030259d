import torch


def forward(x: torch.Tensor, mask: torch.Tensor, quick: bool) -> torch.Tensor:
    added = None
    if quick and torch.all(mask == 1):  # GM101
        added = None
    else:
        added = (1.0 - mask) * -1e4
    scores = x if added is None else x + added
    if not torch.jit.is_tracing() or torch.all(mask == 1):
        scores = scores * 2
    return scores.softmax(-1)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.0, 2.0])
    return [(x, torch.ones(2), True), (x, torch.tensor([1.0, 0.0]), True), (x, torch.ones(2), False)]
