"""Not fixed: what is asked of the mask may have either answer, given or not."""

import torch


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> list[object]:
    return [
        padded(x, mask),
        drawn(x, mask),
        infinite(x, mask),
        changed(x, mask),
        bytes_of(x, mask),
        looped(x, mask),
    ]


def padded(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    """There may be padding."""
    if mask is None:
        mask = torch.ones(x.shape[0])
    if x.shape[1] > 3:
        mask = torch.nn.functional.pad(mask, (0, 1))
    return (mask == 0).any().item()  # GM201


def drawn(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    if mask is None:
        mask = torch.rand(x.shape[0])
    return (mask > 0).any().item()  # GM201


def infinite(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    """0 times infinity is no number."""
    if mask is None:
        mask = torch.ones(x.shape[0])
    scores = (1 - mask) * float("-inf")
    return (scores <= 0).all().item()  # GM201


def changed(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    if mask is None:
        mask = torch.ones(x.shape[0])
    view = mask[:1]
    view[0] = 0
    return (mask > 0).all().item()  # GM201


def bytes_of(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    """0 - 1 is 255 here."""
    if mask is None:
        mask = torch.zeros(x.shape[0], dtype=torch.uint8)
    return ((mask - 1) > 0).any().item()  # GM201


def looped(x: torch.Tensor, mask: torch.Tensor | None = None) -> object:
    if mask is None:
        mask = torch.ones(x.shape[0])
    for _ in range(2):
        found = (mask > 0).all().item()  # GM201
        mask = mask - 1
    return found


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3, 4),)]
