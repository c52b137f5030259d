import contextlib
import warnings

import torch


def forward(x: torch.Tensor, fast: bool = True) -> torch.Tensor:
    with warnings.catch_warnings():  # GM401
        warnings.simplefilter("ignore")  # GM401
        warnings.filterwarnings("ignore", category=UserWarning)  # GM401
        x = x * 2
    with torch.autograd.set_detect_anomaly(True):  # GM401
        x = x + 1
    with contextlib.ExitStack() as stack:  # GM401
        stack.enter_context(torch.autocast("cpu", enabled=False))
        if not fast:
            stack.enter_context(torch.no_grad())
        if fast:  # either of two
            stack.enter_context(torch.enable_grad())
        else:
            stack.enter_context(torch.no_grad())
        # what is computed there
        x = x * 3
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [(x,), (x, False), (x,)]
