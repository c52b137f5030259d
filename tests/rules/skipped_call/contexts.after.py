import contextlib
import warnings

import torch


def forward(x: torch.Tensor, fast: bool = True) -> torch.Tensor:
    with contextlib.nullcontext() if torch.compiler.is_compiling() else warnings.catch_warnings():
        if not torch.compiler.is_compiling():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("ignore", category=UserWarning)
        x = x * 2
    with contextlib.nullcontext() if torch.compiler.is_compiling() else torch.autograd.set_detect_anomaly(True):
        x = x + 1
    # either of two
    with (
        torch.autocast("cpu", enabled=False),
        torch.no_grad() if not fast else contextlib.nullcontext(),
        torch.enable_grad() if fast else torch.no_grad(),
    ):
        # what is computed there
        x = x * 3
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [(x,), (x, False), (x,)]
