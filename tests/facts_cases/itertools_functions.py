"""What functions of `itertools` go through."""

import itertools
from itertools import chain, islice, zip_longest

import einx
import torch


def main(x: torch.Tensor, many: list[torch.Tensor], lens: torch.Tensor):
    for row, extra in zip_longest(x, many):
        y = row  # kind: tensor | none
        y = extra  # kind: tensor | none
    for part in chain(many, [x]):
        y = part  # kind: tensor
    for first, second in itertools.pairwise(many):
        y = first + second  # kind: tensor
    for each in islice(many, 2):
        y = each  # kind: tensor
    mask = einx.less("j, i -> i j", x, lens)  # kind: tensor bool
    both = mask * (x > 1)  # kind: tensor bool
    return y, both


torch.compile(main)
