import torch


def cut(x, n):
    return x[:, : n.max()]  # GM201


def forward(x: torch.Tensor, n: torch.Tensor, rows=()) -> torch.Tensor:
    words = "abc"[: n.sum()]  # GM201
    sizes = x.shape[: n.min()]  # GM201
    return cut(x, n) * len(words) * len(sizes) + len(rows[: n.max()])  # GM201


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2, 4), torch.tensor([1, 2]), (1, 2, 3))]
