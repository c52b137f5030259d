import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    try:
        import math
        from torch.nn import functional
    except ImportError:
        return x
    from collections import OrderedDict

    return functional.relu(x) * math.pi + len(OrderedDict(a=1))


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
