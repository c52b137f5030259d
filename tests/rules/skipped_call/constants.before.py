import hashlib
import importlib
import zlib

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    seed = zlib.crc32(b"a") % 3  # GM401
    key = hashlib.md5(b"a", usedforsecurity=False).hexdigest()  # GM401
    pi = importlib.import_module("math").pi  # GM401
    return x * seed + len(key) + pi


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
