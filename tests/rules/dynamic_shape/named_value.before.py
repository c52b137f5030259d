"""What the mask selects from is given a name where it would be evaluated twice, in the order of before."""

import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> list[torch.Tensor]:
    pos = z > 0
    first = F.l1_loss(x, y, reduction="none")[pos].mean()  # GM501
    loss = 2 * (x - y).abs()[z != 1].mean()  # GM501
    loss += F.smooth_l1_loss(x, y, reduction="none")[pos].mean() * 0.5  # GM501
    return [first, loss, torch.mean((x * y)[~pos])]  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, -2.0, 3.0, 0.5], [0.25, 4.0, -1.5, 2.0]], requires_grad=True)
    y, z = torch.tensor([[1.0, 2.0, -3.0, 0.5]] * 2), torch.tensor([[1, 1, -1, -1], [1, -1, 1, -1]])
    nan, double = (x * float("nan"), y, z), (x.detach().double(), y.double(), z)
    return [(x, y, z), (x, y, z * 0), (x, y, -z), double, nan, (x[:0], y[:0], z[:0])]
