import torch
from torch.nn.utils import rnn


def forward(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    packed = rnn.pack_padded_sequence(x, lengths)  # GM401
    padded, _ = rnn.pad_packed_sequence(packed)  # GM401
    return padded + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(3, 2, 3), torch.tensor([3, 2]))]
