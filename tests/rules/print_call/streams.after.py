import sys

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        sys.stdout.write("rows\n")
        sys.stdout.flush()
    x = x * 2
    if not torch.compiler.is_compiling():
        print("large", file=sys.stderr)
        sys.stderr.write("done\n")
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
