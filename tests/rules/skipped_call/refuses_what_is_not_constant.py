import os
import zlib

import torch


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    import hashlib

    x = x * zlib.crc32(name.encode())  # GM401
    x = x * len(hashlib.md5(b"a").hexdigest())  # GM401
    digest = zlib.crc32(TEXT)  # GM401
    return x * digest if os.path.isdir(name) else x  # GM401


TEXT = b"a"
compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
