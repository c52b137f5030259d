import getpass
import glob
import json
import os
import socket
from os.path import exists, join
from pathlib import Path

import torch

ROOT = "/"


@torch.compiler.assume_constant_result
def _is_inference_mode_enabled():
    return torch.is_inference_mode_enabled()


@torch.compiler.assume_constant_result
def _is_available():
    return torch.backends.mps.is_available()


@torch.compiler.assume_constant_result
def _is_dir():
    return Path("/").is_dir()


@torch.compiler.assume_constant_result
def _exists():
    return exists(join("/", "none"))


@torch.compiler.assume_constant_result
def _exists_2():
    return os.path.exists(ROOT)


@torch.compiler.assume_constant_result
def _exists_25():
    return Path(__file__).exists()


@torch.compiler.assume_constant_result
def _glob():
    return glob.glob("/*.none")


@torch.compiler.assume_constant_result
def _uname():
    return os.uname()


@torch.compiler.assume_constant_result
def _gethostname():
    return socket.gethostname()


@torch.compiler.assume_constant_result
def _getuser():
    return getpass.getuser()


@torch.compiler.assume_constant_result
def _dumps():
    return json.dumps({"a": [1, 2]})


def forward(x: torch.Tensor) -> torch.Tensor:
    if _is_inference_mode_enabled():
        return x
    if _is_available():
        x = x * 2
    if _is_dir():
        x = x * 3
    if _exists():
        x = x * 5
    if _exists_2():
        x = x * 7
    if _exists_25():
        x = x * 11
    if len(_glob()) > 3:
        x = x * 13
    if _uname().sysname == "None":
        x = x * 17
    if _gethostname() == "":
        x = x * 19
    if _getuser() == "":
        x = x * 23
    if _dumps() == '{"a": [1, 2]}':
        x = x * 13
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
