"""Not fixed: somewhere the number must be one of Python's."""

import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: torch.Tensor) -> tuple[object, ...]:
    a = x.sum().item()  # GM201
    b = x.max().item()  # GM201
    c = x.min().item()  # GM201
    c = 1.0 / c
    y = x**x.mean().item()  # GM201
    z = F.hardtanh(x, -1.0, x.mean().item())  # GM201
    w = F.dropout(x, p=x.std().item() * 0, training=False)  # GM201
    v = x.clamp(0, x.mean().item())  # GM201
    u = x * (7.0 // x.sum().item())  # GM201
    t = x * (x > 1).any().item()  # GM201
    s = torch.full((3,), n.sum().item(), device=x.device)  # GM201
    r = torch.full((3,), n.max().item())  # GM201
    return x * a, a, f"{b}", c, y, z, w, v, u, t, s, r


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(1.0, 4.0), torch.tensor(1))]
