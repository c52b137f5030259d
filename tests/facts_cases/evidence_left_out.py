import torch
from torch import nn


class Optional(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(4, 2)

    def forward(self, ids, mask=None, *, bias=None):
        a = mask  # kind: tensor | none
        if mask is None:
            mask = torch.ones_like(ids)
            b = mask  # kind: tensor
            c = 0 in ids  # kind: scalar
        d = mask.unsqueeze(-1)  # kind: tensor
        e = bias  # kind: tensor | none
        if bias is not None:
            return a, b, c, self.embed(ids) * d, torch.relu(bias)
        return e
