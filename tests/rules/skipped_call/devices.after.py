import torch


@torch.compiler.assume_constant_result
def _device_count():
    return torch.cuda.device_count()


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if _device_count() > 1 else x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
