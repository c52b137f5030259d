"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

CODE = "GM301"
CLEAN = "import torch\n\n\ndef f(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n"
BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")  # says hello
        return x + 1
"""
MENDED = BROKEN.replace("print(", "torch._higher_order_ops.print(")
FIX = ("--fix", "--unsafe-fixes", "--no-cache")
Run = Callable[..., tuple[int, str, str]]


def write(name: str, content: str | bytes = BROKEN) -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def fixed(run: Run, text: str = BROKEN) -> str:
    Path("expected.py").write_text(text)
    run("expected.py", *FIX)
    found = Path("expected.py").read_text()
    Path("expected.py").unlink()
    assert found != text
    return found


def body(*lines: str) -> str:
    return BROKEN.replace('        print("hello")  # says hello\n', "".join(f"        {line}\n" for line in lines))
