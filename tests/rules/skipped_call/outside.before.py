import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    a = x.detach().numpy()
    y = np.interp(a, np.array([0.0, 1.0]), np.array([2.0, 3.0]))  # GM401
    bins = np.digitize(a, np.array([0.0, 1.0]), right=True)  # GM401
    known = np.isin((x * 2).long().numpy(), [2, 4])  # GM401
    return x * torch.from_numpy(y) + torch.as_tensor(bins) - torch.from_numpy(known).float()


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    return [(x,), (-x.detach().double(),), (x.detach().half(),), (x[:2].detach(),), (torch.eye(3).T,)]
