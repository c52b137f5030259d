"""The rules, run by fixit itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")  # says hello
        return x + 1
"""
CONFIG = """\
[tool.fixit]
root = true
enable = ["graphmend_lint.fixit_rules"]
disable = ["fixit.rules"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    (tmp_path / "a.py").write_text(BROKEN)
    return tmp_path


def fixit(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "fixit", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout


def test_fixit_lint_reports_under_our_code_and_place(project: Path) -> None:
    code, out = fixit(project, "lint", "a.py")
    assert code == 1 or "GM301" in out
    assert "a.py@6:8 GM301:" in out


@pytest.mark.parametrize("comment", ["# lint-ignore: GM301", "# lint-fixme: GM301", "# noqa: GM301"])
def test_fixit_heeds_comments(project: Path, comment: str) -> None:
    (project / "a.py").write_text(BROKEN.replace("# says hello", comment))
    assert "GM301" not in fixit(project, "lint", "a.py")[1]


def test_fixit_fix_replaces_what_one_node_can(project: Path) -> None:
    text = BROKEN.replace('print("hello")  # says hello', "x = torch.relu(x) if x.sum() > 0 else torch.relu(x) * 2.0")
    text = text.replace("torch.relu(x) if x", "x * 2.0 if x").replace("torch.relu(x) * 2.0", "x * 0.5")
    (project / "a.py").write_text(text)
    fixit(project, "fix", "--automatic", "a.py")
    fixed = (project / "a.py").read_text()
    assert "torch.where(x.sum() > 0, x * 2.0, x * 0.5)" in fixed
    assert "GM102" not in fixit(project, "lint", "a.py")[1]


def test_a_rule_may_be_disabled_by_name(project: Path) -> None:
    disabled = CONFIG.replace('"fixit.rules"', '"fixit.rules", "graphmend_lint.fixit_rules:GM301"')
    (project / "pyproject.toml").write_text(disabled)
    assert "GM301" not in fixit(project, "lint", "a.py")[1]


def test_our_configuration_counts(project: Path) -> None:
    (project / "graphmend-lint.toml").write_text('ignore = ["GM301"]')
    assert "GM301" not in fixit(project, "lint", "a.py")[1]
    text = BROKEN.replace("import torch", "import torch\nfrom loguru import logger").replace("print(", "logger.info(")
    (project / "a.py").write_text(text)
    (project / "graphmend-lint.toml").write_text('[rules.log-call]\nloggers = ["loguru.logger"]')
    assert "a.py@7:8 GM302:" in fixit(project, "lint", "a.py")[1]


def test_every_rule_has_a_class_of_its_code_and_no_more() -> None:
    from fixit.config import find_rules
    from fixit.ftypes import QualifiedRule

    from graphmend_lint.rule import load_rules

    found = [rule.__name__ for rule in find_rules(QualifiedRule("graphmend_lint.fixit_rules"))]
    assert found == list(load_rules())
