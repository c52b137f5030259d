"""Which files are linted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmend_lint.config import Settings
from graphmend_lint.discover import discover


def tree(root: Path, *names: str) -> None:
    for name in names:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")


def found(root: Path, *names: str, settings: Settings | None = None) -> list[str]:
    paths = [root / name for name in names] or [root]
    settings = settings or Settings(root=root)
    return [file.relative_to(root).as_posix() for file in discover(paths, settings).files]


def test_python_files_below_a_folder_in_a_stable_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.py", "a.py", "c/d.py", "c/data.txt", "script")
    assert found(tmp_path) == ["a.py", "b.py", "c/d.py"]


def test_a_file_that_is_named_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    tree(tmp_path, "script", ".venv/x.py")
    assert found(tmp_path, "script", ".venv/x.py") == ["script", ".venv/x.py"]


def test_no_file_comes_twice(tmp_path: Path) -> None:
    tree(tmp_path, "a.py")
    assert found(tmp_path, "a.py", ".", "a.py") == ["a.py"]


def test_a_link_to_a_file_that_is_there_anyway_is_not_another_file(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "pkg/b.py")
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "other").symlink_to("pkg", target_is_directory=True)
    assert found(tmp_path, ".", "other") == ["a.py", "pkg/b.py"]
    assert found(tmp_path, "link.py") == ["link.py"]


@pytest.mark.parametrize("folder", [".git", ".venv", "venv", "node_modules", "build", "dist", "__pycache__", ".tox"])
def test_folders_that_hold_no_source_are_left_out(tmp_path: Path, folder: str) -> None:
    tree(tmp_path, f"{folder}/x.py", "a.py")
    assert found(tmp_path) == ["a.py"]


def test_an_installed_package_that_is_named_is_linted(tmp_path: Path) -> None:
    tree(tmp_path, ".venv/lib/site-packages/pkg/a.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(".venv\n")
    (tmp_path / ".venv/.gitignore").write_text("*\n")
    assert found(tmp_path, ".venv/lib/site-packages/pkg") == [".venv/lib/site-packages/pkg/a.py"]


def test_gitignore_files_nest_and_an_inner_one_may_take_back(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "gen/a.py", "pkg/gen_x.py", "pkg/keep/gen_y.py", "pkg/only.py")
    (tmp_path / ".gitignore").write_text("gen/\ngen_*.py\n")
    (tmp_path / "pkg/.gitignore").write_text("/only.py\n")
    (tmp_path / "pkg/keep/.gitignore").write_text("!gen_y.py\n")
    assert found(tmp_path) == ["a.py", "pkg/keep/gen_y.py"]
    everything = Settings(root=tmp_path, respect_gitignore=False)
    assert len(found(tmp_path, settings=everything)) == 5


def test_gitignore_files_above_count_up_to_the_repository(tmp_path: Path) -> None:
    tree(tmp_path, "repo/pkg/gen.py", "repo/pkg/outer.py", "repo/pkg/a.py")
    (tmp_path / ".gitignore").write_text("outer.py\n")
    (tmp_path / "repo/.git").mkdir()
    (tmp_path / "repo/.gitignore").write_text("gen.py\n")
    assert found(tmp_path, "repo/pkg") == ["repo/pkg/a.py", "repo/pkg/outer.py"]


def test_exclude_takes_names_and_patterns(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "old/b.py", "src/x_test.py", "src/c.py", "src/gen/d.py", "gen/e.py")
    settings = Settings(root=tmp_path, exclude=("old", "*_test.py", "/src/gen"))
    assert found(tmp_path, settings=settings) == ["a.py", "gen/e.py", "src/c.py"]


def test_force_exclude_leaves_out_even_what_is_named(tmp_path: Path) -> None:
    tree(tmp_path, "old/b.py", "a.py", "x_test.py")
    settings = Settings(root=tmp_path, exclude=("old", "*_test.py"), force_exclude=True)
    assert found(tmp_path, "old/b.py", "a.py", "x_test.py", settings=settings) == ["a.py"]


def test_force_exclude_looks_only_below_the_configuration(tmp_path: Path) -> None:
    root = tmp_path / "build"
    tree(root, "a.py")
    assert found(root, "a.py", settings=Settings(root=root, force_exclude=True)) == ["a.py"]


def test_a_missing_path_is_one_line_and_the_others_are_found(tmp_path: Path) -> None:
    tree(tmp_path, "a.py")
    result = discover([tmp_path / "gone.py", tmp_path / "a.py"], Settings(root=tmp_path))
    assert result.errors == (f"{tmp_path / 'gone.py'}: no such file or directory",)
    assert result.files == (tmp_path / "a.py",)


def test_links_to_folders_are_not_followed_so_a_walk_ends(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/a.py")
    (tmp_path / "pkg/loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "pkg/dangling.py").symlink_to(tmp_path / "gone.py")
    assert found(tmp_path) == ["pkg/a.py"]


def test_a_folder_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.py", "closed/b.py")
    scandir = os.scandir

    def denied(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    result = discover([tmp_path], Settings(root=tmp_path))
    assert [file.name for file in result.files] == ["a.py"]
    assert result.errors == (f"{tmp_path / 'closed'}: cannot read the directory: Permission denied",)
