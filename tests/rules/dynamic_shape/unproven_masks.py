"""What a comparison of unknown things answers is a mask where it is an index. Nothing is rewritten on such a guess."""

import torch
from torch import nn


class forward(nn.Module):
    def forward(self, pair):
        scores, labels = pair
        keep = (labels != 0) & (labels < 9)
        scores = scores[keep]  # GM501
        first = (10, 20)[labels is None]
        return scores.sum() + scores[~(scores > 1)].sum() + first  # GM501


def inputs() -> list[object]:
    return [((torch.arange(4.0), torch.tensor([0, 1, 1, 9])),)]
