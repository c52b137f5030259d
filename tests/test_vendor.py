"""The policy "vendor": the module that is written, the fixes that call it, and what torch makes of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmend_lint import vendor
from graphmend_lint.cli import main
from graphmend_lint.config import Settings
from graphmend_lint.engine import fix, lint
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

SETTINGS = Settings(side_effects="vendor")
RULES = list(load_rules().values())

BEFORE = '''\
import logging
import sys
import warnings

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Odd(ValueError):
    """An error of its own."""


class Model(nn.Module):
    def forward(self, x: torch.Tensor, name: str = "a") -> torch.Tensor:
        # kept
        logger.info("rows %d of %s, %.1f %s %s", x.shape[0], name, 2.5, None, True)
        logger.debug("off")
        warnings.warn("old", FutureWarning)
        print("rows", x.shape[0])
        print("a", name, x.shape[0], sep="-", end="; ", file=sys.stdout)
        print(f"{x.shape[0]:>4}|", name, sep="", flush=True)
        warnings.warn("old " + name, category=FutureWarning, stacklevel=2)
        logger.info("rows %s", x.shape[0], extra={"rows": "all"})
        logger.info(f"sum {x.sum():.2f} of {name!r}, {{}} {2.5}")
        logger.info("{} or {:.1f}".format(name, x.mean()))
        print("sum %s" % x.sum(), repr(x), str(name), sep="+")
        assert (x > -100).all(), f"{name} must be large, {x.shape[0]} rows of {x.sum()}"
        if (x > 50).any():
            logger.warning("large: %s", x.max())
        if (x > 60).any():
            logger.warning(f"very large: {x.sum()}")
        if (x < 0).any():
            raise Odd("negative")
        if self.training and (x > 100).any():
            raise ValueError(f"too big: {x.sum()} in {x.shape[0]} rows {{}}")
        else:
            x = x + 1
        return x * 2
'''

AFTER = '''\
import logging
import sys
import warnings

import torch
from torch import nn

from .. import _compiled_effects

logger = logging.getLogger(__name__)


class Odd(ValueError):
    """An error of its own."""


class Model(nn.Module):
    def forward(self, x: torch.Tensor, name: str = "a") -> torch.Tensor:
        # kept
        _compiled_effects.emit(
            __name__,
            "logger.info",
            "rows %d of %s, %.1f %s %s",
            x.shape[0],
            name,
            2.5,
            None,
            True,
        )
        _compiled_effects.emit(__name__, "logger.debug", "off")
        _compiled_effects.emit(__name__, "warnings.warn", "old", FutureWarning)
        _compiled_effects.emit(__name__, "print", "rows", x.shape[0])
        _compiled_effects.emit(
            __name__,
            "print",
            "a",
            name,
            x.shape[0],
            sep="-",
            end="; ",
            file="sys.stdout",
        )
        _compiled_effects.emit_text(
            __name__,
            "print",
            "{:>4}|{!s}",
            (x.shape[0], name),
            flush=True,
        )
        _compiled_effects.emit(
            __name__,
            "warnings.warn",
            "old " + name,
            category=FutureWarning,
            stacklevel=2,
        )
        _compiled_effects.emit(
            __name__,
            "logger.info",
            "rows %s",
            x.shape[0],
            extra={"rows": "all"},
        )
        _compiled_effects.emit_text(
            __name__,
            "logger.info",
            "sum {:.2f} of {!r}, {{}} {}",
            (x.sum(), name, 2.5),
        )
        _compiled_effects.emit_text(
            __name__,
            "logger.info",
            "{} or {:.1f}",
            (name, x.mean()),
        )
        _compiled_effects.emit_text(
            __name__,
            "print",
            "sum {!s}+{!r}+{!s}",
            (x.sum(), x, name),
        )
        _compiled_effects.assert_that(
            (x > -100).all(),
            "{} must be large, {} rows of {}",
            name,
            x.shape[0],
            x.sum(),
        )
        _compiled_effects.emit_if(
            (x > 50).any(),
            __name__,
            "logger.warning",
            "large: %s",
            x.max(),
        )
        _compiled_effects.emit_text_if(
            (x > 60).any(),
            __name__,
            "logger.warning",
            "very large: {}",
            (x.sum(),),
        )
        _compiled_effects.raise_if((x < 0).any(), Odd, "negative")
        if self.training:
            _compiled_effects.raise_if(
                (x > 100).any(),
                ValueError,
                "too big: {} in {} rows {{}}",
                x.sum(),
                x.shape[0],
            )
        x = x + 1
        return x * 2
'''

SCRIPT = """\
import contextlib, io, logging, sys, warnings
import torch
from pkg.sub import before, after

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(message)s")
logging.getLogger("torch").setLevel(logging.ERROR)
warnings.simplefilter("ignore")
warnings.filterwarnings("always", "old")
warnings.showwarning = lambda message, kind, *place: print(kind.__name__, message)


def run(module, backend):
    model = module.Model()
    compiled = model if backend is None else torch.compile(model, backend=backend, fullgraph=True)
    for size, fill in ((2, 1.0), (3, 60.0), (2, 200.0), (4, -1.0), (2, 1.0), (2, -200.0)):
        given = torch.full((size,), fill)
        try:
            print(compiled(given).tolist())
        except Exception as error:
            print([each.__name__ for each in type(error).__mro__], error)


def told(module, backend):
    text = io.StringIO()
    handler = logging.getLogger().handlers[0]
    handler.setStream(text)
    with contextlib.redirect_stdout(text):
        run(module, backend)
    handler.setStream(sys.stdout)
    return text.getvalue().replace("pkg.sub.", "")


expected = told(before, None)
said = ("rows 2 of a, 2.5 None True", "Odd", "FutureWarning", "sum 2.00 of 'a', {} 2.5", "too big: 400.0 in 2 rows {}",
        "a must be large, 2 rows of -400.0", "very large: 400")
assert all(each in expected for each in said), expected
for name in sys.argv[1:]:
    torch._dynamo.reset()
    found = told(after, None if name == "none" else name)
    assert found == expected, f"{name}:\\n{found}\\ninstead of\\n{expected}"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package within a package, which carries the module."""
    sub = tmp_path / "pkg" / "sub"
    sub.mkdir(parents=True)
    for folder in (sub, sub.parent):
        (folder / "__init__.py").write_text("")
    vendor.write(sub.parent)
    (sub / "before.py").write_text(BEFORE)
    monkeypatch.chdir(tmp_path)
    return sub


def mended(path: Path) -> str:
    return fix([Source(path, path.read_text())], RULES, SETTINGS, Applicability.UNSAFE).sources[0].text


def test_text_and_exceptions_go_through_the_module(package: Path) -> None:
    assert mended(package / "before.py") == AFTER


def test_nothing_is_left_not_even_in_the_module(package: Path) -> None:
    (package / "after.py").write_text(AFTER)
    files = [package / "after.py", package.parent / vendor.NAME]
    assert lint([Source(file, file.read_text()) for file in files], RULES, SETTINGS) == []


def test_only_tensors_make_it_unsafe(package: Path) -> None:
    """A tensor that requires grad is written with its `grad_fn` in eager mode only."""
    found = lint([Source(package / "before.py", BEFORE)], RULES, SETTINGS)
    levels = {(each.span.start.row, each.fix.applicability.name) for each in found if each.fix}
    lines = BEFORE.splitlines()
    unsafe = {lines[row - 1].strip() for row, level in levels if level == "UNSAFE"}
    assert unsafe == {
        'print("sum %s" % x.sum(), repr(x), str(name), sep="+")',
        'assert (x > -100).all(), f"{name} must be large, {x.shape[0]} rows of {x.sum()}"',
        "if (x > 50).any():",
        'logger.warning("large: %s", x.max())',
        "if self.training and (x > 100).any():",
    }


def test_a_script_finds_the_module_next_to_it(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(BEFORE)
    vendor.write(tmp_path)
    assert "\nimport _compiled_effects\n" in mended(tmp_path / "script.py")


def test_without_the_module_there_is_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    found = lint([Source(path, BEFORE)], RULES, SETTINGS)
    reasons = {each.code: each.refusal.reason for each in found if each.refusal}
    assert reasons.pop("GM401") == "call-not-traceable"  # `repr` of a tensor, in what is printed
    assert reasons == dict.fromkeys(["GM101", "GM301", "GM302", "GM303"], "vendor-module-missing")


@pytest.mark.parametrize(
    "line",
    [
        'logger.info("a", extra={"a": x})',
        'logger.info("a", exc_info=True)',
        'warnings.warn("a", FutureWarning, 2)',
        "logger.info(f'{[x]}')",
        'logger.info(f"{x:{name}}")',
        'print("a", sep=name)',
        "logger.info('%s', (x, x))",
        "logging.getLogger('b').info('a')",
    ],
)
def test_what_an_operator_cannot_repeat_is_kept_for_eager_mode(package: Path, line: str) -> None:
    path = package / "before.py"
    path.write_text(BEFORE.replace('logger.debug("off")', line))
    assert f"if not torch.compiler.is_compiling():\n            {line}" in mended(path)


def test_what_a_cache_says_once_is_kept_for_eager_mode(package: Path) -> None:
    """Dynamo traces what is inside a cache, and so would say it at each call."""
    path = package / "before.py"
    once = "\n\n@functools.lru_cache(None)\ndef once(text: str) -> None:\n    logger.info(text)\n\n\nclass Model"
    text = BEFORE.replace("\n\nclass Model", once).replace('logger.debug("off")', 'once("first")')
    path.write_text(f"import functools\n{text}")
    assert "if not torch.compiler.is_compiling():\n        logger.info(text)" in mended(path)


def test_the_command_writes_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", str(tmp_path)]) == 0
    assert (tmp_path / vendor.NAME).read_text("utf-8") == vendor.text()
    assert main(["vendor", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"wrote {tmp_path / vendor.NAME}",
        f"{tmp_path / vendor.NAME} is up to date",
    ]


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda folder: (folder / vendor.NAME).write_text("x = 1\n"), "--force overwrites it"),
        (lambda folder: (folder / vendor.NAME).write_bytes(b"\xff"), "not a text file"),
        (lambda folder: folder.rmdir(), "no such folder"),
    ],
)
def test_a_folder_it_cannot_write_to_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], prepare: Callable[[Path], object], message: str
) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    prepare(folder)
    assert main(["vendor", str(folder)]) != 0
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_force_overwrites(tmp_path: Path) -> None:
    (tmp_path / vendor.NAME).write_text("x = 1\n")
    assert main(["vendor", str(tmp_path), "--force"]) == 0
    assert (tmp_path / vendor.NAME).read_text("utf-8") == vendor.text()


def agrees(package: Path, *backends: str) -> None:
    """See that the fixed code says and raises the same, in the same order."""
    (package / "after.py").write_text(AFTER)
    script = package.parent.parent / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, str(script), *backends], capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.torch
def test_torch_says_and_raises_the_same(package: Path) -> None:
    agrees(package, "none", "eager", "aot_eager")


@pytest.mark.heavy
@pytest.mark.torch
def test_inductor_says_and_raises_the_same(package: Path) -> None:
    agrees(package, "inductor")
