import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        for s in sizes:
            self.register_buffer(f"places_{s}", torch.tensor([s, s + 1]))
            setattr(self, f"mix{s}", nn.Linear(s, s))
            self.add_module(f"deep{s}", nn.LSTM(s, s))

    def forward(self, x: torch.Tensor, s: int):
        a = getattr(self, f"places_{s}")  # kind: tensor | none
        b = getattr(self, f"mix{s}")(x)  # kind: tensor
        c = getattr(self, f"deep{s}")  # kind: module | none
        f = getattr(self, "places_{}".format(s))  # kind: tensor | none
        d = getattr(self, f"other{s}")  # kind: unknown
        e = f"other{s}" + "a"  # kind: constant
        g = getattr(self, "mix" + str(s))(x)  # kind: tensor
        h = getattr(self, "mix%d" % s)(x)  # kind: tensor
        i = getattr(self, "places" + "_" + str(s))  # kind: tensor | none
        j = "%s of %s" % (s, x.shape)  # kind: constant
        return x
