import torch
import torch.nn.functional as F


@torch.compile
def main(x: torch.Tensor, y: torch.Tensor):
    a = x.sum()  # kind: tensor 0-dim
    b = x.sum(dim=0)  # kind: tensor
    c = x.mean(-1)  # kind: tensor
    d = a + 1  # kind: tensor 0-dim
    e = a + y  # kind: tensor
    f = a.sqrt()  # kind: tensor 0-dim
    g = (x > 0).all()  # kind: tensor 0-dim bool
    h = torch.tensor(3)  # kind: tensor 0-dim integer known
    i = torch.tensor(3) + 1  # kind: tensor 0-dim known
    j = h + a  # kind: tensor 0-dim
    k = torch.div(x.shape[0], 2)  # kind: tensor known
    m = F.pad(x, (0, 1))  # kind: tensor
    n = torch.dot(y, y)  # kind: tensor 0-dim
    o = y.vdot(y) / n  # kind: tensor 0-dim
    return a
