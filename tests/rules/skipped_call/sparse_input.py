import torch


def forward(m: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    y = torch.sparse.mm(m, x)  # GM401
    return y * 2 + torch.spmm(m, x)  # GM401


compiled = torch.compile(forward)


def inputs():
    return [(torch.eye(3).to_sparse(), torch.ones(3, 2))]
