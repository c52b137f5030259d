import torch
import torch.nn.functional as F
from torch import nn


class Loss(nn.Module):
    def forward(self, hidden, labels, weight, keys, table, anything):
        a = labels != 0  # kind: tensor bool
        F.cross_entropy(hidden, labels)
        b = weight.unsqueeze(0)  # kind: tensor
        c = weight  # kind: tensor
        hidden @ keys
        d = keys  # kind: tensor
        e = table[:, 0]  # kind: tensor
        f = anything  # kind: unknown
        return a, b, c, d, e, f


class Router(nn.Module):
    def forward(self, scores, k, other, width, module, factor):
        if not isinstance(k, torch.Tensor):
            wide = torch.Tensor([k])  # a list of numbers, or of what else there is
        torch.hann_window(width)
        mixed = module(scores, 2) * other  # what is done with it may be due to either
        mixed.unsqueeze(0)
        torch.lerp(torch.ones(3) * factor, torch.zeros(3), 0.5)
        f = factor  # kind: unknown
        g = k  # kind: unknown
        h = width  # kind: unknown
        i = other  # kind: unknown
        return f, g, h, i
