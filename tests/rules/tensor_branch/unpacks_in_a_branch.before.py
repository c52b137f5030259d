import torch


def forward(x: torch.Tensor, lowest: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    low = lowest.clone()
    with torch.no_grad():
        if x.sum() > 0:  # GM101
            least, most = x.min(), x.max()
            low.copy_(low + 0.5 * (least - low) + 0.0 * most)
    return low, x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0]), torch.zeros(())), (torch.tensor([-1.0, -2.0]), torch.ones(()))]
