import sys

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    sys.stdout.write("rows\n")  # GM301
    sys.stdout.flush()  # GM301
    x = x * 2
    print("large", file=sys.stderr)  # GM301
    sys.stderr.write("done\n")  # GM301
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
