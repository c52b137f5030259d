import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    text = "sum: %s" % x.sum()  # GM401
    rows = "rows: %d %s" % (x.shape[0], x.dtype)
    left = x % 2
    return x + len(rows) + left + len(text)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
