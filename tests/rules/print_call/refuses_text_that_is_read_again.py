"""Refused: the function reads the text that it prints."""

import io

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, str]:
    text = io.StringIO()
    print("rows", x.shape, file=text)  # GM301
    return x * 2, text.getvalue()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
