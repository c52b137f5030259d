import getpass
import glob
import json
import os
import socket
from os.path import exists, join
from pathlib import Path

import torch

ROOT = "/"


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.is_inference_mode_enabled():  # GM401
        return x
    if torch.backends.mps.is_available():  # GM401
        x = x * 2
    if Path("/").is_dir():  # GM401
        x = x * 3
    if exists(join("/", "none")):  # GM401
        x = x * 5
    if os.path.exists(ROOT):  # GM401
        x = x * 7
    if Path(__file__).exists():  # GM401
        x = x * 11
    if len(glob.glob("/*.none")) > 3:  # GM401
        x = x * 13
    if os.uname().sysname == "None":  # GM401
        x = x * 17
    if socket.gethostname() == "":  # GM401
        x = x * 19
    if getpass.getuser() == "":  # GM401
        x = x * 23
    if json.dumps({"a": [1, 2]}) == '{"a": [1, 2]}':  # GM401
        x = x * 13
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
