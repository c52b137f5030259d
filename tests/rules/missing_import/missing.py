import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    try:
        import json

        import no_such_module.part  # GM411
    except (ImportError, OSError):
        return x * 2
    return x * len(json.dumps(no_such_module.part))


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
