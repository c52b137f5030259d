"""Edited places, and whether they ran."""

from __future__ import annotations

from pathlib import Path

from graphmend_lint.verify.hunks import Hunk, hunks, not_run

A, B = Path("/a.py"), Path("/b.py")
BEFORE = {A: "x = 1\ny = 2\nz = 3\n", B: "same\n"}
AFTER = {A: "x = 1\ny = 4\nz = 3\nw = 5\n", B: "same\n"}


def test_each_edited_place_is_found() -> None:
    assert hunks(BEFORE, AFTER) == (Hunk(A, (2, 3), (2, 3)), Hunk(A, (4, 4), (4, 5)))
    assert hunks(BEFORE, BEFORE) == ()


def test_a_place_ran_if_an_old_or_a_new_line_of_it_ran() -> None:
    found = hunks(BEFORE, AFTER)
    assert not_run(found, BEFORE, AFTER, {}, {}) == found
    assert not_run(found, BEFORE, AFTER, {"/a.py": {2}}, {}) == found[1:]
    assert not_run(found, BEFORE, AFTER, {"/a.py": {1}}, {"/a.py": {4}}) == found[:1]


def test_a_later_line_of_a_statement_ran_if_its_first_did() -> None:
    before, after = {A: "f(\n    1,\n)\n"}, {A: "f(\n    2,\n)\n"}
    assert not_run(hunks(before, after), before, after, {}, {"/a.py": {1}}) == ()
    assert len(not_run(hunks(before, after), before, after, {}, {"/a.py": {3}})) == 1
