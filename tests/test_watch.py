"""`--watch`: linted again after a change, and not otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint import watch as module
from graphmend_lint.config import Settings
from graphmend_lint.watch import watch


def test_changed_new_and_lost_files_are_linted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = tmp_path / "a.py", tmp_path / "b.py"
    file.write_text("x = 1\n")
    steps = iter([lambda: None, lambda: file.write_text("x = 12\n"), lambda: other.write_text(""), other.unlink])
    seen: list[int] = []
    looks = 0

    def pause(_: float) -> None:
        nonlocal looks
        looks += 1
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(module.time, "sleep", pause)
    with pytest.raises(KeyboardInterrupt):
        watch((tmp_path,), Settings(root=tmp_path), lambda: seen.append(looks))
    assert seen == [0, 2, 3, 4]
