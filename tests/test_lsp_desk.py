"""The desk of the language server: what goes wrong in one file is logged, and the others are linted."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmend_lint.lsp.desk import Desk
from graphmend_lint.model import Finding
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

TEXT = "import torch\n\n\n@torch.compile\ndef f(x):\n    print('a')\n    return x\n"


def test_a_rule_that_fails_in_one_file_is_a_line_and_the_others_are_linted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = load_rules()["GM301"]
    check = rule.check

    def fail(node: ast.Call, facts: object) -> Iterator[Finding]:
        if facts.source.path.name == "bad.py":  # type: ignore[attr-defined]
            raise RuntimeError("of all things")
        yield from check(node, facts)

    monkeypatch.setattr(rule, "check", fail)
    desk = Desk([tmp_path])
    for name in ("bad.py", "good.py"):
        desk.open(Source(tmp_path / name, TEXT))
    assert desk.diagnostics(tmp_path / "bad.py") == []
    assert [each.code for each in desk.diagnostics(tmp_path / "good.py")] == ["GM301"]
    assert desk.trouble
    assert all("bad.py" in line and "of all things" in line for line in desk.trouble)
