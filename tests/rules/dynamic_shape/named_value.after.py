"""What the mask selects from is given a name where it would be evaluated twice, in the order of before."""

import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> list[torch.Tensor]:
    pos = z > 0
    values = F.l1_loss(x, y, reduction="none")
    first = values.index_put((~pos,), values.new_zeros(())).mean() / pos.to(values.dtype).mean()
    values_2 = (x - y).abs()
    chosen = z != 1
    loss = 2 * (values_2.index_put((~chosen,), values_2.new_zeros(())).mean() / chosen.to(values_2.dtype).mean())
    values_3 = F.smooth_l1_loss(x, y, reduction="none")
    loss += (values_3.index_put((~pos,), values_3.new_zeros(())).mean() / pos.to(values_3.dtype).mean()) * 0.5
    values_4 = x * y
    chosen_2 = ~pos
    return [
        first,
        loss,
        values_4.index_put((~chosen_2,), values_4.new_zeros(())).mean() / chosen_2.to(values_4.dtype).mean(),
    ]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, -2.0, 3.0, 0.5], [0.25, 4.0, -1.5, 2.0]], requires_grad=True)
    y, z = torch.tensor([[1.0, 2.0, -3.0, 0.5]] * 2), torch.tensor([[1, 1, -1, -1], [1, -1, 1, -1]])
    nan, double = (x * float("nan"), y, z), (x.detach().double(), y.double(), z)
    return [(x, y, z), (x, y, z * 0), (x, y, -z), double, nan, (x[:0], y[:0], z[:0])]
