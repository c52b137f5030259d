"""`min` and `max` of an iterator: of numbers alone they are traced."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    rows = max(size for size in x.shape)
    first = min((size, place) for place, size in enumerate(x.shape))  # GM401
    last = max(enumerate(x.shape))  # GM401
    none = max((len(name) for name in ("a", "bb")), default=0)  # GM401
    least = min([(size, place) for place, size in enumerate(x.shape)])
    return x * rows + first[0] + last[0] + none + least[1]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
