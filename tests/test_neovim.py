"""A real editor: the diagnostic appears, the code action is taken, the buffer is the fixed text."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("h\N{GRINNING FACE}llo")
        return x + 1
"""
MENDED = BROKEN.replace("print(", "torch._higher_order_ops.print(")


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim: apt-get install neovim")
def test_neovim_shows_the_diagnostic_and_applies_the_fix(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(BROKEN)
    server = Path(sys.executable).with_name("graphmend-lint")
    environment = os.environ | {"SERVER": str(server), "FILE": str(file), "FOLDER": str(tmp_path)}
    environment |= {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    command = ["nvim", "--headless", "--clean", "-n", "-c", f"luafile {ROOT / 'neovim.lua'}"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6:9 " in done.stdout
    assert file.read_text() == MENDED
