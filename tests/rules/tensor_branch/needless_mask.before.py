import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.eye(2))

    def mix(self, x, mask=None):
        if mask is not None and mask.all():  # GM101
            mask = None
        if mask is not None:
            x = x.masked_fill(~mask[..., None], 0.0)
        return x

    def forward(self, x: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        keep = torch.arange(2) < sizes[:, None]
        if keep.all():  # GM101
            keep = None
        h = x @ self.weight
        scores = h @ h.transpose(1, 2)
        if keep is not None:
            scores = scores.masked_fill(~keep[:, None, :], float("-inf"))
            h = h * keep.unsqueeze(-1)
        return scores.softmax(-1) @ self.mix(h, torch.arange(2) < sizes[:, None])


forward = Model()


def inputs() -> list[object]:
    x = torch.arange(8.0).reshape(2, 2, 2) / 4
    return [(x, torch.tensor([2, 2])), (x, torch.tensor([1, 2])), (x, torch.tensor([2, 2]))]
