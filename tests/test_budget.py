"""Whatever goes wrong in one file is one line and exit code 2; the other files are linted all the same."""

from __future__ import annotations

import ast
import signal
from pathlib import Path

import pytest

from graphmend_lint import budget, engine
from graphmend_lint.cli import main
from graphmend_lint.model import Diagnostic

BROKEN = """\
import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("hello")
        return x + 1
"""
ENDLESS_CHAIN = "\n".join(f"a{n} = a{n + 1}" for n in range(13_000))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(budget.DEBUG, raising=False)
    Path("good.py").write_text(BROKEN)
    Path("odd.py").write_text(BROKEN)


def spoil(monkeypatch: pytest.MonkeyPatch, how: object) -> None:
    """Make the rules do something to the file odd.py."""
    diagnose = engine.diagnose

    def spoiled(rule: object, node: object, finding: object, facts: object) -> Diagnostic:
        if facts.source.path.name == "odd.py":  # type: ignore[attr-defined]
            how()  # type: ignore[operator]
        return diagnose(rule, node, finding, facts)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "diagnose", spoiled)


def check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[str, str]:
    assert main([".", "--no-cache", "--output-format", "concise", *options]) == 2
    return capsys.readouterr()


def endless() -> None:
    while True:
        pass


def test_time_that_is_up_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.05)
    monkeypatch.setattr(budget, "TICK", 0.01)
    spoil(monkeypatch, endless)
    out, err = check(capsys)
    assert "good.py:6" in out
    assert "odd.py" not in out
    assert err == "odd.py:1: rules: given up after 0.05 s of CPU time\n"


def test_a_defect_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(monkeypatch, lambda: 1 / 0)
    out, err = check(capsys)
    assert "good.py:6" in out
    assert err == (
        "odd.py:1: rules: internal error: ZeroDivisionError: division by zero"
        f" (please report; {budget.DEBUG}=1 shows the traceback)\n"
    )


def test_a_defect_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch, lambda: 1 / 0)
    monkeypatch.setenv(budget.DEBUG, "1")
    with pytest.raises(ZeroDivisionError):
        main([".", "--no-cache"])


def test_deep_nesting_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.py").write_text(f"{ENDLESS_CHAIN}\n{BROKEN.replace('x + 1', 'x + a0')}")
    out, err = check(capsys)
    assert "good.py:6" in out
    assert err == "odd.py:13005: Model.forward: given up: nested too deeply\n"


def test_the_other_files_are_fixed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(monkeypatch, lambda: 1 / 0)
    Path("odd.py").write_bytes(odd := BROKEN.encode())
    _, err = check(capsys, "--fix", "--unsafe-fixes")
    assert err.count("\n") == 1
    assert Path("odd.py").read_bytes() == odd
    assert "\n        print(" not in Path("good.py").read_text()


def test_the_timer_is_gone_after_a_run() -> None:
    before = signal.getsignal(signal.SIGPROF)
    main([".", "--no-cache", "--quiet"])
    assert signal.getsignal(signal.SIGPROF) is before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_part_inside_a_part_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.2)
    monkeypatch.setattr(budget, "TICK", 0.01)
    trouble: list[str] = []
    with budget.limits(), budget.part(trouble, Path("a.py"), 1, "outer"):
        with budget.part(trouble, Path("a.py"), 2, "inner"):
            endless()
        trouble.append("outer goes on")
    assert trouble == ["a.py:2: inner: given up after 0.2 s of CPU time", "outer goes on"]


def fail() -> None:
    raise ValueError("odd")


def test_flake8_shows_what_went_wrong_as_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphmend_lint.flake8_plugin import Plugin

    spoil(monkeypatch, fail)
    shown = list(Plugin(ast.parse(BROKEN), "odd.py", BROKEN.splitlines(keepends=True)).run())
    assert [each[:2] for each in shown] == [(1, 0)]
    assert shown[0][2].startswith("GM000 odd.py:1: rules: internal error: ValueError: odd")


def test_fixit_says_what_went_wrong_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = pytest.importorskip("graphmend_lint.fixit_rules")
    monkeypatch.setattr(engine, "diagnose", lambda *_: fail())
    assert rules.lint(f"{BROKEN}# odd\n")[1] == ()
    assert capsys.readouterr().err.startswith("module.py:1: rules: internal error: ValueError: odd")
