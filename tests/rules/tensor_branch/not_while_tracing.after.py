import torch


def bias(mask: torch.Tensor, x: torch.Tensor) -> torch.Tensor | None:
    is_tracing = torch.jit.is_tracing() or isinstance(x, torch.fx.Proxy)
    if not torch.compiler.is_compiling() and not is_tracing and torch.all(mask == 1):
        found = None
    else:
        found = (1.0 - mask) * -1e4
    return found


def forward(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    added = bias(mask, x)
    if not torch.compiler.is_compiling() and not torch.jit.is_tracing() and mask.sum() > 1e6:
        raise_too_many()
    scores = x if added is None else x + added
    return scores.softmax(-1)


def raise_too_many() -> None:
    raise RuntimeError("too many")


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.0, 2.0])
    return [(x, torch.ones(2)), (x, torch.tensor([1.0, 0.0]))]
