import torch


@torch.compile
def main(x: torch.Tensor, y: torch.Tensor):
    a = x > 0  # kind: tensor bool
    b = a.to(x.device)  # kind: tensor bool
    c = a.to(torch.long)  # kind: tensor integer
    d = a.unsqueeze(-1).expand_as(y).to(y.device)  # kind: tensor bool
    e = a.to(y)  # kind: tensor
    f = a.any()  # kind: tensor 0-dim bool
    g = a & (x < 3)  # kind: tensor bool
    h = x.long()  # kind: tensor integer
    i = ~a  # kind: tensor bool
    j = torch.zeros(3, dtype=torch.bool)  # kind: tensor bool
    k = torch.isnan(x).any()  # kind: tensor 0-dim bool
    return a
