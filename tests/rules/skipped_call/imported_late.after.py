"""A function that is added stands below the import that it needs, wherever that is."""

import json

LIMIT = 3


def limited(n: int) -> int:
    return min(n, LIMIT)


try:
    import torch
except ImportError:
    raise


@torch.compiler.assume_constant_result
def _dumps():
    return json.dumps({"a": [1, 2]})


def forward(x: torch.Tensor) -> torch.Tensor:
    if _dumps() == '{"a": [1, 2]}':  # GM401
        x = x * limited(13)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2), torch.ones(3)]
