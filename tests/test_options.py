"""Options of single rules: what they change, what is said about mistakes in them, and where they are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from lsp_client import Client

from graphmend_lint.cli import main
from graphmend_lint.config import Settings, read_settings
from graphmend_lint.docs import page
from graphmend_lint.engine import fix, lint
from graphmend_lint.keys import ConfigError, Options
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

Run = Callable[..., tuple[int, str, str]]
RULES = load_rules()
HEAD = """\
import torch
from loguru import logger
from mylib import ops
from mylib.text import deprecate, say
from rich.console import Console

console = Console()


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
"""
TAIL = "        return x + 1\n"


def model(*lines: str) -> Source:
    return Source(Path("a.py"), HEAD + "".join(f"        {line}\n" for line in lines) + TAIL)


def settings(rule: str, **options: tuple[str, ...] | str) -> Settings:
    return Settings(rules=tuple((rule, name.replace("_", "-"), value) for name, value in options.items()))


def found(source: Source, chosen: Settings) -> list[tuple[str, int]]:
    rows = HEAD.count("\n")
    return [(each.code, each.span.start.row - rows) for each in lint([source], RULES.values(), chosen)]


@pytest.mark.parametrize(
    ("line", "chosen", "code"),
    [
        ('logger.info("a")', settings("log-call", loggers=("loguru.logger",)), "GM302"),
        ('logger.info("a")', settings("log-call", functions=("loguru.logger.info",)), "GM302"),
        ('logger.bind(a=1).info("a")', settings("log-call", functions=("loguru.*",)), "GM302"),
        ('deprecate("a")', settings("warn-call", functions=("mylib.text.deprecate",)), "GM303"),
        ('say("a")', settings("print-call", functions=("mylib.text.*",)), "GM301"),
        ('console.print("a")', settings("print-call", functions=("rich.console.Console.print",)), "GM301"),
        ("x = ops.gather(x)", settings("skipped-call", functions=("mylib.ops.*",)), "GM401"),
    ],
)
def test_what_is_listed_is_found(line: str, chosen: Settings, code: str) -> None:
    source = model("y = x * 2", line)
    assert found(source, Settings()) == []
    assert code in {each for each, row in found(source, chosen) if row == 2}
    other = tuple((rule, option, ("mylib.another",)) for rule, option, _ in chosen.rules)
    assert found(source, Settings(rules=other)) == []


def test_what_is_listed_is_fixed_as_its_kind_is() -> None:
    source = model("if x.sum() > 0:", '    logger.info("positive")', 'say("a")')
    both = Settings(
        rules=(("log-call", "loggers", ("loguru.logger",)), ("print-call", "functions", ("mylib.text.say",)))
    )
    fixed = fix([source], list(RULES.values()), both, Applicability.UNSAFE)
    assert fixed.sources[0].text == (
        HEAD
        + "        if not torch.compiler.is_compiling() and x.sum() > 0:\n"
        + '            logger.info("positive")\n'
        + "        if not torch.compiler.is_compiling():\n"
        + '            say("a")\n'
        + TAIL
    )
    assert fixed.diagnostics == []


def test_what_is_traced_here_is_not_reported() -> None:
    source = model("import json", "y = json.dumps({})", "z = json.loads(y)")
    assert found(source, Settings()) == [("GM401", 2), ("GM401", 3)]
    assert found(source, settings("skipped-call", traced=("json.dumps",))) == [("GM401", 3)]
    assert found(source, settings("skipped-call", traced=("json.*",))) == []


def test_a_rule_may_be_asked_for_errors_only() -> None:
    source = model("assert x.shape[0] > 0, x.sum()", "n = x[0].item()", "y = x.nonzero()")
    everything = lint([source], RULES.values(), Settings())
    soft = {(each.name, each.severity.value) for each in everything}
    assert ("scalar-read", "warning") in soft
    left = lint([source], RULES.values(), settings("scalar-read", least_severity="error"))
    assert [each for each in everything if each.name != "scalar-read"] == left
    hard = model("y = x if x[0].item() > 0 else -x")
    assert lint([hard], RULES.values(), settings("tensor-ternary", least_severity="error"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules.log-cal]\nfunctions = []", "unknown rule `log-cal` in `rules`; did you mean `log-call`?"),
        ("[rules.GM302]\nfunctions = []", "unknown rule `GM302` in `rules`; did you mean `log-call`?"),
        ("[rules.log-call]\nfuncs = []", "unknown option `funcs` of rule `log-call`; did you mean `functions`?"),
        ("[rules.tensor-branch]\nfunctions = []", "unknown option `functions` of rule `tensor-branch`"),
        ("[rules.log-call]\nfunctions = 'a'", "`rules.log-call.functions` must be a list of strings"),
        ("[rules.log-call]\nfunctions = [1]", "`rules.log-call.functions` must be a string or a list of strings"),
        ("[rules.log-call]\nleast-severity = 'eror'", "must be one of warning, error; did you mean `error`?"),
        ("[rules.log-call]\nleast-severity = ['error']", "`rules.log-call.least-severity` must be one of"),
        ("[rules.log-call]\nleast-severity = true", "`rules.log-call.least-severity` must be a string"),
        ("rules = []", "`rules` must be a table"),
        ("[rules]\nlog-call = 1", "`rules.log-call` must be a table"),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "graphmend-lint.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_settings(file).check(RULES)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{file}: ")
    assert "\n" not in str(error.value)


def test_an_extending_file_says_again_only_what_it_changes(tmp_path: Path) -> None:
    base, file = tmp_path / "base.toml", tmp_path / "graphmend-lint.toml"
    base.write_text('[rules.log-call]\nfunctions = ["a.b"]\nloggers = ["a.c"]\n')
    file.write_text('extend = "base.toml"\n[rules.log-call]\nfunctions = ["a.d"]\n')
    expected: Options = (("log-call", "functions", ("a.d",)), ("log-call", "loggers", ("a.c",)))
    assert read_settings(file).rules == expected


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_the_command_line_reads_and_shows_them(run: Run) -> None:
    Path("a.py").write_text(model('logger.info("a")').text)
    assert run("a.py")[0] == 0
    Path("pyproject.toml").write_text('[tool.graphmend-lint.rules.log-call]\nloggers = ["loguru.logger"]\n')
    assert "GM302" in run("a.py")[1]
    shown = run("--show-settings")[1]
    assert "rules.log-call.loggers = ['loguru.logger']\n" in shown
    assert "rules.log-call.functions = []\n" in shown
    Path("pyproject.toml").write_text('[tool.graphmend-lint.rules.log-call]\nlogers = ["loguru.logger"]\n')
    for option in ("--show-settings", "--no-cache", "--fix"):
        code, _, err = run("a.py", option)
        assert (code, err.count("\n")) == (2, 1)
        assert err.endswith("unknown option `logers` of rule `log-call`; did you mean `loggers`?\n")


def test_the_language_server_reads_them(tmp_path: Path) -> None:
    source = model('logger.info("a")')
    (tmp_path / "graphmend-lint.toml").write_text('[rules.log-call]\nloggers = ["loguru.logger"]\n')
    client = Client(tmp_path, pulls=True)
    try:
        client.open(tmp_path / "a.py", source.text)
        assert [each["code"] for each in client.pull(tmp_path / "a.py")] == ["GM302"]
    finally:
        client.process.kill()


def test_pages_and_json_show_them(run: Run) -> None:
    for rule in RULES.values():
        for option in rule.options:
            assert f"| `{option.name}` |" in page(rule)
            assert option.doc in run("rule", rule.name)[1]
    rows = json.loads(run("rule", "--all", "--output-format", "json")[1])
    described = {row["name"]: [each["name"] for each in row["options"]] for row in rows}
    assert described["log-call"] == ["functions", "loggers"]
    assert described["tensor-branch"] == []
