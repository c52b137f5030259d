import hashlib
import importlib
import zlib

import torch


@torch.compiler.assume_constant_result
def _crc32():
    return zlib.crc32(b"a")


@torch.compiler.assume_constant_result
def _md5():
    return hashlib.md5(b"a", usedforsecurity=False).hexdigest()


@torch.compiler.assume_constant_result
def _import_module():
    return importlib.import_module("math")


def forward(x: torch.Tensor) -> torch.Tensor:
    seed = _crc32() % 3
    key = _md5()
    pi = _import_module().pi
    return x * seed + len(key) + pi


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
