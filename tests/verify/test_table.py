"""`[[tool.graphmend-lint.verify]]`: what a table may say, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.config import load_settings
from graphmend_lint.keys import ConfigError
from graphmend_lint.verify.command import part
from graphmend_lint.verify.request import Request, asked_for
from graphmend_lint.verify.table import KEYS, UnfitError, read
from graphmend_lint.verify.target import TargetError


def settings(folder: Path, text: str) -> Any:
    (folder / "pyproject.toml").write_text(text)
    return load_settings([folder])


TWO = """
[[tool.graphmend-lint.verify]]
name = "mine"
target = "model.py:build"
inputs = ["short", "long"]
bad-inputs = "wrong"
dtype = ["fp32", "bf16"]
mode = "train"
dynamic = [false, true]
fix-modules = ["pkg.part"]

[[tool.graphmend-lint.verify]]
target = "hf:t5?layers=1"
config = { d_model = 32 }
timeout = 60
"""


def test_tables_become_requests(tmp_path: Path) -> None:
    (tmp_path / "model.py").touch()
    mine, family = asked_for((), settings(tmp_path, TWO))
    assert (mine.label, mine.dtype, mine.mode, mine.dynamic) == (
        "mine",
        ("float32", "bfloat16"),
        ("train",),
        (False, True),
    )
    assert [str(each.setup) for each in mine.options()][:2] == ["float32, train", "float32, train, dynamic shapes"]
    target = mine.found_target()
    assert (target.path, target.inputs, target.bad_inputs) == (tmp_path / "model.py", ("short", "long"), ("wrong",))
    assert family.found_target().recipe == {"family": "t5", "options": {"layers": 1, "d_model": 32}}
    assert family.limits().seconds == 60


def test_a_target_may_be_the_name_of_a_table(tmp_path: Path) -> None:
    found = asked_for(("mine", "hf:bert"), settings(tmp_path, TWO))
    assert [each.target for each in found] == ["model.py:build", "hf:bert"]
    assert asked_for((), settings(tmp_path, "[tool.graphmend-lint]\n")) == []


def test_a_request_travels_as_json(tmp_path: Path) -> None:
    for request in asked_for((), settings(tmp_path, TWO)):
        assert Request.of(json.loads(json.dumps(request.as_dict()))) == request


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('targt = "x"', "`verify`: needs `target`"),
        ('target = "a:b"\ndtypes = "fp32"', "`verify`: unknown key `dtypes`; did you mean `dtype`?"),
        (
            'target = "a:b"\ndtype = "fp8"',
            "`verify`: `dtype` must be a name or a list of names of fp64, fp32, fp16, bf16",
        ),
        ('target = "a:b"\nmode = []', "`verify`: `mode` must be a name or a list of names of eval, train"),
        ('target = "a:b"\ndynamic = 1', "`verify`: `dynamic` must be true, false or a list of both"),
        ('target = "a:b"\ntimeout = -1', "`verify`: `timeout` must be a positive number"),
        ('target = "a:b"\nconfig = 3', "`verify`: `config` must be a table"),
        ("target = 3", "`verify`: `target` must be a string"),
    ],
)
def test_what_a_table_may_not_say_is_one_clear_line(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, f"[[tool.graphmend-lint.verify]]\n{line}\n")
    assert str(caught.value) == f"{tmp_path / 'pyproject.toml'}: {reason}"


def test_one_table_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="`verify` must be a list of tables"):
        settings(tmp_path, '[tool.graphmend-lint]\nverify = "model.py:build"\n')


def test_every_key_sets_a_part_of_a_request() -> None:
    known = Request(target="a:b").as_dict()
    assert {name for name, _ in KEYS.values()} <= known.keys()
    with pytest.raises(UnfitError, match="unknown key"):
        read({"target": "a:b", "root": "/"})


def test_a_config_is_for_families_only() -> None:
    with pytest.raises(TargetError, match="`config` is for targets that begin with hf:"):
        Request(target="json:loads", config={"a": 1}).found_target()


def test_a_part_of_the_targets() -> None:
    assert part(None, None, "2/5") == (2, 5)  # type: ignore[arg-type]
    assert part(None, None, None) == (1, 1)  # type: ignore[arg-type]
    for wrong in ("0/5", "6/5", "1", "a/b", "-1/2"):
        with pytest.raises(Exception, match="is not a part"):
            part(None, None, wrong)  # type: ignore[arg-type]
