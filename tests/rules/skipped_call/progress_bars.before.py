"""A progress bar is not traced, wherever in its package the function is taken from, and shown or not."""

import torch
import tqdm
from tqdm.auto import tqdm as bar
from tqdm.auto import trange


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    for number in trange(2, disable=True):  # GM401
        x = x * number
    for number in bar(range(2), disable=True):  # GM401
        x = x - number
    for number in tqdm.trange(2, disable=True):  # GM401
        x = x - number
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
