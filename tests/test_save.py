"""A file is written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmend_lint.save import SaveError, save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(b"old\n")
    return path


def test_the_content_is_replaced_and_nothing_else_is_left(file: Path) -> None:
    save(file, b"new\r\n")
    assert file.read_bytes() == b"new\r\n"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
def test_permissions_are_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    save(file, b"new\n")
    assert file.stat().st_mode & 0o777 == mode


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("link.py")
    link.symlink_to(file.name)
    save(link, b"new\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"new\n"


def test_a_full_disk_leaves_the_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "chmod", full)
    with pytest.raises(SaveError, match=r"a\.py: cannot write the file: No space left on device"):
        save(file, b"new\n")
    assert file.read_bytes() == b"old\n"
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_may_not_be_written_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SaveError, match="cannot write the file: Permission denied"):
        save(file, b"new\n")
    assert file.read_bytes() == b"old\n"


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="No such file or directory"):
        save(tmp_path / "gone.py", b"")
