import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, lengths: torch.Tensor) -> list[torch.Tensor]:
    return [
        torch.arange(lengths.max()),  # GM202
        torch.zeros((2, lengths.max())),  # GM202
        torch.full((lengths.max(),), 1.0),  # GM202
        torch.linspace(0, 1, lengths.max()),  # GM202
        x.narrow(0, 0, lengths.max()),  # GM202
        x.repeat(lengths.max(), 1),  # GM202
        x.view(lengths.max(), -1),  # GM202
        x.new_zeros(lengths.max(), 2),  # GM202
        F.pad(x, (0, lengths.max())),  # GM202
    ]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(8.0).reshape(4, 2), torch.tensor([2, 1]))]
