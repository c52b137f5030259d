"""Targets are found without importing them."""

from __future__ import annotations

import ast
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest

from graphmend_lint.verify.target import TargetError, find_module, module_files, parse_target, returned_function


@pytest.fixture
def package(tmp_path: Path) -> Path:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner.parent, inner):
        (folder / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (inner / "model.py").write_text("def build(): ...\n")
    return tmp_path


def test_a_lone_file(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.touch()
    target = parse_target(f"{path}:build")
    assert (target.path, target.module, target.factory, target.packaged) == (path, "model", "build", False)


def test_a_file_shadows_no_standard_module(tmp_path: Path) -> None:
    path = tmp_path / "random.py"
    path.touch()
    assert parse_target(f"{path}:build").module == "random_target"


def test_a_file_in_a_package_is_imported_by_its_full_name(package: Path) -> None:
    target = parse_target(f"{package}/outer/inner/model.py:build")
    assert (target.module, target.root, target.packaged) == ("outer.inner.model", package, True)


def test_a_module_is_found_without_running_its_packages(package: Path) -> None:
    assert find_module("outer.inner.model", (package,)) == package / "outer/inner/model.py"
    assert parse_target("outer.inner.model:build", (package,)).root == package
    assert "outer" not in sys.modules


def test_a_package_that_only_a_finder_of_its_own_knows_is_found(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        @staticmethod
        def find_spec(name: str, path: object, target: object = None) -> ModuleSpec | None:
            return PathFinder.find_spec(name, [str(package)])

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert find_module("outer.inner.model") == package / "outer/inner/model.py"


def test_a_package_stands_for_all_its_files(package: Path) -> None:
    names = [path.name for path in module_files("outer", (package,))]
    assert sorted(names) == ["__init__.py", "__init__.py", "model.py"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("model.py", "write FILE_OR_MODULE:FACTORY"),
        ("model.py:", "write FILE_OR_MODULE:FACTORY"),
        (":build", "write FILE_OR_MODULE:FACTORY"),
        ("model.py:2x", "write FILE_OR_MODULE:FACTORY"),
        ("no_such_file.py:build", "no such file"),
        ("no_such_module.part:build", "no module named no_such_module"),
        ("json.no_such_part:build", "no module named json.no_such_part"),
        ("sys:build", "module sys has no Python source file"),
    ],
)
def test_a_wrong_target_is_one_clear_sentence(text: str, reason: str) -> None:
    with pytest.raises(TargetError, match=reason) as caught:
        parse_target(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def f(): ...\ndef build(): return f, (), {}\n", "f"),
        ("def build(): return f, (), {}\n", None),
        ("def f(): ...\ndef build(): return Model(f), (), {}\n", None),
        ("build = make()\n", None),
    ],
)
def test_the_function_that_a_factory_gives_is_an_entry_point(text: str, name: str | None) -> None:
    assert returned_function(ast.parse(text), "build") == name
