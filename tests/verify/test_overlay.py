"""Served texts reach any importer, with right lines in tracebacks; files stay as they are."""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmend_lint.verify.overlay import install, load_file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_served_text_replaces_the_file(folder: Path) -> None:
    path = folder / "overlaid_one.py"
    path.write_text("value = 1\n")
    install({path: "value = 2\n"})
    assert importlib.import_module("overlaid_one").value == 2
    assert path.read_text() == "value = 1\n"


def test_a_stale_cache_of_bytecode_is_not_used(folder: Path) -> None:
    path = folder / "overlaid_two.py"
    path.write_text("value = 1\n")
    importlib.import_module("overlaid_two")
    del sys.modules["overlaid_two"]
    install({path: "value = 2\n"})
    assert importlib.import_module("overlaid_two").value == 2


def test_a_module_of_a_package_is_served_through_a_link(folder: Path) -> None:
    real = folder / "real"
    real.mkdir()
    (real / "__init__.py").touch()
    (real / "part.py").write_text("value = 1\n")
    (folder / "linked").symlink_to(real)
    install({real / "part.py": "value = 2\n"})
    assert importlib.import_module("linked.part").value == 2


def test_other_modules_are_left_alone(folder: Path) -> None:
    (folder / "overlaid_three.py").write_text("value = 1\n")
    install({folder / "other.py": "value = 2\n"})
    assert importlib.import_module("overlaid_three").value == 1


def test_tracebacks_and_inspect_show_the_served_text(folder: Path) -> None:
    path = folder / "overlaid_four.py"
    path.write_text("def f():\n    return 1\n")
    install({path: "# moved\n\n\ndef f():\n    raise ValueError('served')\n"})
    f = importlib.import_module("overlaid_four").f
    with pytest.raises(ValueError, match="served") as caught:
        f()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.line) == (str(path), 5, "raise ValueError('served')")
    assert "raise ValueError('served')" in inspect.getsource(f)


def test_a_lone_file_is_served_too(folder: Path) -> None:
    path = folder / "a lone file.py"
    path.write_text("value = 1\n")
    assert load_file(path, "lone").value == 1
    assert load_file(path, "lone", install({path: "value = 2\n"})).value == 2
