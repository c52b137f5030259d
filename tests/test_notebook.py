"""Notebooks: linted and fixed cell by cell, and byte for byte the same elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.cli import main
from graphmend_lint.notebook import Notebook, split_cell
from graphmend_lint.source import SourceError

Run = Callable[..., tuple[int, str, str]]
CELLS = [
    ("markdown", "# A model\nprint it"),
    ("code", "%matplotlib inline\nimport torch\n!pip list"),
    ("code", "%%bash\nprint('not Python') | cat"),
    ("code", "files = !ls\nhelp?\nx = 1;"),
    (
        "code",
        "%%time\nclass Model(torch.nn.Module):\n    def forward(self, x: torch.Tensor) -> torch.Tensor:\n"
        '        print("h\N{LATIN SMALL LETTER E WITH ACUTE}llo")\n        return x + 1',
    ),
    ("code", ""),
    ("code", "await model(x)\n"),
]


def notebook(cells: list[tuple[str, str]] = CELLS, *, lines: bool = True, **layout: Any) -> bytes:
    rows = []
    for kind, text in cells:
        source: object = text.splitlines(keepends=True) if lines else text
        row: dict[str, Any] = {"cell_type": kind, "id": "x", "metadata": {"source": ["no"]}, "source": source}
        rows.append(row | ({"execution_count": 1, "outputs": [{"text": "print(1)"}]} if kind == "code" else {}))
    content = {"cells": rows, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(content, ensure_ascii=False, **layout) + "\n").encode()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


LAYOUTS = [
    {"indent": 1},
    {"indent": 4},
    {},
    {"separators": (",", ":")},
    {"lines": False, "indent": 1},
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_diagnostic_names_its_cell_and_the_row_in_it(run: Run, layout: dict[str, Any]) -> None:
    Path("a.ipynb").write_bytes(notebook(**layout))
    code, out, err = run(".", "--show-chain")
    assert (code, err) == (1, "")
    assert out.startswith("a.ipynb:cell 5:4:9: GM301 ")
    assert '4 |         print("héllo")\n' in out
    assert "`Model.forward` (a.ipynb:cell 5:3)" in out


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_fix_changes_its_line_and_not_another_byte(run: Run, layout: dict[str, Any]) -> None:
    file = Path("a.ipynb")
    before = notebook(**layout)
    file.write_bytes(before)
    assert run("a.ipynb", "--fix", "--unsafe-fixes")[0] == 0
    assert file.read_bytes() == before.replace(b"        print(", b"        torch._higher_order_ops.print(")
    changed = file.read_bytes()
    assert run("a.ipynb", "--fix", "--unsafe-fixes")[0] == 0
    assert file.read_bytes() == changed


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_reading_and_writing_change_nothing(layout: dict[str, Any]) -> None:
    data = notebook(**layout)
    book = Notebook(Path("a.ipynb"), data)
    assert book.written(book.source.text) == data


def test_json_names_file_and_cell_apart(run: Run) -> None:
    Path("a.ipynb").write_bytes(notebook())
    (row,) = json.loads(run("a.ipynb", "--output-format", "json", "--unsafe-fixes")[1])
    assert row["filename"] == str(Path("a.ipynb").absolute())
    assert (row["cell"], row["location"]) == (5, {"row": 4, "column": 9})
    assert row["fix"]["edits"][0]["location"] == {"row": 4, "column": 1}
    for name in ("github", "gitlab", "sarif"):
        out = run("a.ipynb", "--output-format", name)[1]
        assert "a.ipynb" in out


def test_an_edit_names_its_cell_which_may_be_another(run: Run) -> None:
    body = "class M(nn.Module):\n    def forward(self, x: Tensor) -> Tensor:\n        log.info('a')\n        return x"
    cells = [
        ("code", "from torch import nn, Tensor"),
        ("code", "import logging\nlog = logging.getLogger()"),
        ("code", body),
    ]
    Path("a.ipynb").write_bytes(notebook(cells))
    (row,) = json.loads(run("a.ipynb", "--output-format", "json", "--unsafe-fixes")[1])
    assert row["cell"] == 3
    assert [(each["cell"], each["location"]["row"]) for each in row["fix"]["edits"]] == [(1, 1), (3, 3)]
    assert row["chain"] == [{"filename": row["filename"], "row": 2, "name": "M.forward", "cell": 3}]
    shown = run("a.ipynb", "--show-fixes", "--unsafe-fixes")[1]
    assert "+         if not torch.compiler.is_compiling():" in shown
    assert "import torch" not in shown
    (result,) = json.loads(run("a.ipynb", "--output-format", "sarif")[1])["runs"][0]["results"]
    assert "fixes" not in result


def test_the_diff_is_by_cell(run: Run) -> None:
    Path("a.ipynb").write_bytes(notebook())
    code, out, _ = run("a.ipynb", "--diff", "--unsafe-fixes")
    assert code == 1
    assert "a.ipynb:cell 5" in out
    assert '-        print("héllo")\n+        torch._higher_order_ops.print("héllo")\n' in out


def test_rows_are_right_after_a_fix_further_up(run: Run) -> None:
    branch = (
        "class Other(torch.nn.Module):\n    def forward(self, x: torch.Tensor) -> torch.Tensor:\n"
        "        if x.sum() > 0:\n            y = x * 2.0\n        else:\n            y = x * 0.5\n        return y\n"
    )
    Path("a.ipynb").write_bytes(notebook([*CELLS[:2], ("code", branch), CELLS[4]]))
    out = run("a.ipynb", "--fix", "--select", "GM1", "--output-format", "concise")[1]
    assert "1 fixed" in out
    assert run("a.ipynb", "--output-format", "concise")[1].startswith("a.ipynb:cell 4:4:9: GM301")
    Path("a.ipynb").write_bytes(notebook([*CELLS[:2], ("code", branch), CELLS[4]]))
    Path("graphmend-lint.toml").write_text('unfixable = ["GM3"]')
    assert run("a.ipynb", "--fix", "--output-format", "concise")[1].startswith("a.ipynb:cell 4:4:9: GM301")


def test_a_cell_that_is_not_python_is_one_line_and_the_file_is_left_alone(run: Run) -> None:
    data = notebook([*CELLS, ("code", "x = 1\ndef (")])
    Path("a.ipynb").write_bytes(data)
    code, _, err = run("a.ipynb", "--fix", "--unsafe-fixes")
    assert code == 2
    assert err.startswith("a.ipynb:cell 8:2: not valid Python: ")
    assert Path("a.ipynb").read_bytes() == data


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"nonsense", b'{"cells": [1]}', b"\xff", b'{"cells": {}}'])
def test_what_is_not_a_notebook_is_one_line(run: Run, data: bytes) -> None:
    Path("a.ipynb").write_bytes(data)
    assert run("a.ipynb") == (2, "", "a.ipynb:1: not a valid notebook\n")


def test_other_languages_and_empty_notebooks_are_clean(run: Run) -> None:
    Path("r.ipynb").write_bytes(notebook().replace(b'"python"', b'"R"'))
    Path("e.ipynb").write_bytes(notebook([]))
    assert run("r.ipynb", "e.ipynb")[0] == 0


def test_a_noqa_is_heeded_and_added(run: Run) -> None:
    Path("a.ipynb").write_bytes(notebook())
    assert run("a.ipynb", "--add-noqa")[0] == 0
    assert b"# noqa: GM301" in Path("a.ipynb").read_bytes()
    assert run("a.ipynb")[0] == 0


def test_a_path_is_split_only_if_it_names_a_cell() -> None:
    assert split_cell(Path("x/a.ipynb:cell 3")) == (Path("x/a.ipynb"), 3)
    assert split_cell(Path("x/a.py")) == (Path("x/a.py"), None)
    with pytest.raises(SourceError, match="not a valid notebook"):
        Notebook(Path("a.ipynb"), b"{")
