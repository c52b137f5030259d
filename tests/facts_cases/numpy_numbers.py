import numpy as np
import torch
from torch import nn

ROOT = np.sqrt(2)


class Model(nn.Module):
    def __init__(self, rates=[2, 4], width=8):
        super().__init__()
        self.hop = np.prod(rates)
        self.whole = int(np.prod(rates))
        self.twice = np.prod(rates) * 2
        self.along = np.prod(rates, axis=0)
        self.array = np.array(rates)

    def forward(self, x: torch.Tensor, y):
        a = self.hop  # kind: ndarray 0-dim known
        b = self.whole  # kind: constant
        c = self.twice  # kind: ndarray 0-dim known
        d = self.hop * 2  # kind: ndarray 0-dim
        e = x.shape[0] // self.hop  # kind: ndarray 0-dim
        f = x * self.hop  # kind: tensor
        g = y * self.hop  # kind: unknown
        h = self.array  # kind: ndarray
        i = int(self.hop)  # kind: constant
        j = int(self.hop * 2)  # kind: scalar
        k = ROOT  # kind: ndarray 0-dim known
        m = np.sqrt(x.shape[0])  # kind: constant float known
        n = np.sqrt(x.shape[0]).astype(int)  # kind: ndarray 0-dim integer known
        o = np.sqrt(x.shape[0]) > 2  # kind: ndarray 0-dim
        p = int(np.sqrt(x.shape[0]))  # kind: constant
        q = x / np.sqrt(3)  # kind: tensor
        r = np.maximum(2, 3)  # kind: ndarray 0-dim integer known
        u = np.maximum(x.shape[0], 3)  # kind: constant float known
        s = np.maximum(2.5, 3)  # kind: constant float known
        t = np.lcm(y.a, y.b)  # kind: ndarray
        return a


class Given(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.shape = settings.shape

    def forward(self, x: torch.Tensor):
        a = np.prod(self.shape)  # kind: ndarray
        b = np.any(self.shape)  # kind: ndarray
        c = np.sqrt(self.shape)  # kind: unknown
        return x.view(np.prod(self.shape))
