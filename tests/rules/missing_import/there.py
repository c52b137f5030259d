import torch


def traced_elsewhere(x: torch.Tensor) -> bool:
    if not hasattr(x, "no_such_attribute"):
        return False
    try:
        import no_such_module

        return isinstance(x, no_such_module.Tracer)
    except ImportError:
        return False


def forward(x: torch.Tensor) -> torch.Tensor:
    if traced_elsewhere(x):
        return x
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
