import torch


def aligned(x: torch.Tensor) -> torch.Tensor:
    return x if torch.compiler.is_compiling() or x.data_ptr() % 16 == 0 else x.clone()


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    return aligned(x) + (y.contiguous() if not torch.compiler.is_compiling() and y.data_ptr() % 4096 else y)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(8),), (torch.ones(8)[1:],)]
