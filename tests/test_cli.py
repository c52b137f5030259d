"""The command line, from the outside: what is printed, and the exit code."""

from __future__ import annotations

import errno
import json
import re
import sys
from pathlib import Path

import pytest
from command_line import BROKEN, CLEAN, CODE, MENDED, Run, write

from graphmend_lint import __version__, engine
from graphmend_lint.cli import main

# Exit codes and what is shown


def test_clean_code_exits_0(run: Run) -> None:
    write("a.py", CLEAN)
    assert run("a.py") == (0, "All checks passed!\n", "")


def test_a_diagnostic_exits_1_and_is_shown_with_its_line(run: Run) -> None:
    write("pkg/a.py")
    code, out, err = run("pkg")
    assert (code, err) == (1, "")
    assert re.match(rf"pkg/a\.py:6:9: {CODE} (\[\*\] )?.+\n", out)
    assert '6 |         print("hello")  # says hello\n' in out
    assert out.splitlines()[-1].startswith("Found 1 graph break")


def test_the_folder_is_linted_if_only_options_are_given(run: Run) -> None:
    write("a.py")
    assert run("--quiet", "--output-format=concise")[1].startswith("a.py:6:9")
    assert run("check", "-q", "--output-format=concise")[1].startswith("a.py:6:9")


def test_no_arguments_show_the_help(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "Usage: graphmend-lint" in err


def test_help_and_version_exit_0(run: Run) -> None:
    assert run("--version") == (0, f"graphmend-lint {__version__}\n", "")
    code, out, _ = run("--help")
    assert code == 0
    assert {"check", "rule", "verify", "demo"} <= set(out.split())
    assert "--unsafe-fixes" in run("check", "--help")[1]


def test_exit_zero_reports_all_the_same(run: Run) -> None:
    write("a.py")
    code, out, _ = run("a.py", "--exit-zero")
    assert code == 0
    assert CODE in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-such-option"], "No such option"),
        (["--output-format", "xml"], "xml"),
        (["a.py", "--select", "GM9999"], "unknown rule code `GM9999` in `select`"),
        (["a.py", "--config", "gone.toml"], "gone.toml: no such configuration file"),
        (["rule", "GM999"], "unknown rule `GM999`"),
        (["rule"], "Name one rule, or give --all."),
    ],
)
def test_a_wrong_use_is_a_clear_line_and_exits_2(run: Run, arguments: list[str], message: str) -> None:
    write("a.py")
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_mistake_in_the_configuration_exits_2(run: Run) -> None:
    write("a.py")
    write("graphmend-lint.toml", "selct = []")
    code, out, err = run("a.py")
    assert (code, out) == (2, "")
    assert err.endswith("graphmend-lint.toml: unknown key `selct`; did you mean `select`?\n")
    assert run("a.py", "--isolated")[0] == 1


# Selection


def test_select_and_ignore_take_prefixes(run: Run) -> None:
    write("a.py")
    assert run("a.py", "--select", "GM1")[0] == 0
    assert run("a.py", "--select", "GM3")[0] == 1
    assert run("a.py", "--ignore", "GM3")[0] == 0
    assert run("a.py", "--select", "GM1", "--extend-select", CODE)[0] == 1
    assert run("a.py", "--select", f"GM1,{CODE}", "--ignore", CODE)[0] == 0


def test_the_command_line_goes_before_the_configuration(run: Run) -> None:
    write("a.py")
    write("pyproject.toml", '[tool.graphmend-lint]\nignore = ["GM3"]\n')
    assert run("a.py")[0] == 0
    assert run("a.py", "--select", "GM3")[0] == 1


def test_per_file_ignores_leave_out_a_folder(run: Run) -> None:
    write("a.py")
    write("legacy/b.py")
    write("pyproject.toml", '[tool.graphmend-lint.per-file-ignores]\n"legacy/" = ["GM3"]\n')
    code, out, _ = run(".", "--output-format", "concise", "-q")
    assert code == 1
    assert [line.split(":")[0] for line in out.splitlines()] == ["a.py"]


@pytest.mark.parametrize("comment", [f"# noqa: {CODE}", f"# graphmend: ignore[{CODE}]"])
def test_a_comment_silences_its_line(run: Run, comment: str) -> None:
    write("a.py", BROKEN.replace("# says hello", comment))
    assert run("a.py")[0] == 0


def test_settings_and_files_are_shown_on_request(run: Run) -> None:
    write("a.py")
    write("b/c.py")
    write("graphmend-lint.toml", 'ignore = ["GM3"]')
    assert run("--show-files", ".") == (0, "a.py\nb/c.py\n", "")
    code, out, _ = run("--show-settings", ".")
    assert code == 0
    assert "ignore = ['GM3']\n" in out


# Bad input: one clear line, the other files are linted, exit 2


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("x = 1\ndef f(:\n", r"bad\.py:2: not valid Python: .+"),
        ("print 'hello'\n", r"bad\.py:1: not valid Python: .+"),
        (b"x = 1\ny = '\xff'\n", r"bad\.py:2: not valid text in the file's encoding \(UTF-8 unless declared\)"),
        (b"# coding: no-such\n", r"bad\.py:1: not valid text in the file's encoding \(UTF-8 unless declared\)"),
        (b"x = 1\x00\n", r"bad\.py:\d+: .+"),
        ("x = " + "(" * 5000 + ")" * 5000, r"bad\.py:1: .+"),
        ("\N{EM SPACE}x = 1\n", r"bad\.py:1: not valid Python: .+"),
    ],
)
@pytest.mark.parametrize("fix", [(), ("--fix",)])
def test_a_bad_file_is_one_clear_line(run: Run, content: str | bytes, line: str, fix: tuple[str, ...]) -> None:
    bad = write("bad.py", content)
    write("good.py")
    before = bad.read_bytes()
    code, out, err = run(*fix, "bad.py", "good.py")
    assert code == 2
    assert re.fullmatch(line + "\n", err)
    assert "good.py:6" in out or "1 fixed" in out
    assert bad.read_bytes() == before


def test_a_missing_path_and_an_unreadable_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py")
    write("closed.py")
    read = Path.read_bytes

    def denied(path: Path) -> bytes:
        if path.name == "closed.py":
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", denied)
    code, out, err = run("gone.py", "closed.py", "a.py")
    assert code == 2
    assert err == "gone.py: no such file or directory\nclosed.py:1: cannot read the file: Permission denied\n"
    assert "a.py:6:9" in out


@pytest.mark.parametrize("content", ["", "\n", "# only a comment", "\f\n", "'''doc'''"])
def test_files_with_nothing_in_them_are_clean(run: Run, content: str) -> None:
    write("a.py", content)
    assert run("a.py")[0] == 0


def test_an_unexpected_exception_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("of all things\nmore")

    write("a.py")
    monkeypatch.setattr(engine, "lint", crash)
    code, _, err = run("a.py")
    assert code == 2
    assert err.startswith("internal error: RuntimeError: of all things (please report; GRAPHMEND_LINT_DEBUG=1")
    assert err.count("\n") == 1
    monkeypatch.setenv("GRAPHMEND_LINT_DEBUG", "1")
    with pytest.raises(RuntimeError, match="of all things"):
        main(["a.py"])


# Output


def test_json_has_a_row_per_diagnostic_with_its_edits(run: Run) -> None:
    file = write("a.py")
    code, out, _ = run("a.py", "--output-format", "json")
    (row,) = json.loads(out)
    assert code == 1
    assert row["code"] == CODE
    assert row["filename"] == str(file.absolute())
    assert row["location"] == {"row": 6, "column": 9}
    assert row["chain"][0]["name"] == "Model.forward"
    edit = row["fix"]["edits"][0]
    lines = file.read_text().splitlines(keepends=True)
    start, end = edit["location"], edit["end_location"]
    head = "".join(lines[: start["row"] - 1]) + lines[start["row"] - 1][: start["column"] - 1]
    tail = lines[end["row"] - 1][end["column"] - 1 :] + "".join(lines[end["row"] :])
    assert head + edit["content"] + tail == MENDED


@pytest.mark.parametrize("name", ["json-lines", "github", "gitlab", "junit", "sarif", "pylint"])
def test_every_other_format_names_the_rule(run: Run, name: str) -> None:
    write("a.py")
    code, out, err = run("a.py", "--output-format", name)
    assert (code, err) == (1, "")
    assert CODE in out


def test_the_report_can_go_to_a_file(run: Run) -> None:
    write("a.py")
    code, out, _ = run("a.py", "--output-format", "json", "-o", "report.json")
    assert (code, out) == (1, "")
    assert json.loads(Path("report.json").read_text())[0]["code"] == CODE


def test_statistics_are_a_line_per_rule(run: Run) -> None:
    write("a.py")
    write("b.py")
    _, out, _ = run(".", "--statistics", "--unsafe-fixes", "-q")
    assert re.fullmatch(rf"2\t{CODE}\t\[\*\]\t[a-z-]+\n", out)


def test_the_chain_is_shown_on_request(run: Run) -> None:
    write("a.py", BROKEN.replace('print("hello")  # says hello', "g()") + "\n\ndef g():\n    print('x')\n")
    assert "reached through `Model.forward` (a.py:" in run("a.py", "--show-chain")[1]


def test_colour_only_for_those_who_want_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.py")
    assert "\x1b" not in run("a.py")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("a.py")[1]
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setattr(sys.stdout.__class__, "isatty", lambda _: True)
    assert "\x1b" in run("a.py")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("a.py")[1]


def test_the_order_does_not_depend_on_the_order_of_arguments(run: Run) -> None:
    write("a.py")
    write("b.py")
    concise = ("-q", "--output-format", "concise")
    assert run("b.py", "a.py", *concise)[1] == run("a.py", "b.py", *concise)[1]


# Rules


def test_a_rule_explains_itself_by_code_and_name(run: Run) -> None:
    code, out, _ = run("rule", CODE)
    assert code == 0
    assert "## Why it breaks the graph" in out
    name = re.match(r"# (\S+) \(", out)
    assert name is not None
    assert run("rule", name[1])[1] == out


def test_all_rules_as_json(run: Run) -> None:
    rows = json.loads(run("rule", "--all", "--output-format", "json")[1])
    assert CODE in {row["code"] for row in rows}
    assert set(rows[0]) >= {"code", "name", "summary", "explanation", "graph_breaks", "fix_availability"}


# Suppression comments that are asked for


def test_add_noqa_silences_what_is_there(run: Run) -> None:
    file = write("a.py")
    assert run("--add-noqa", "a.py") == (0, "Added 1 suppression comment.\n", "")
    assert f'print("hello")  # says hello  # noqa: {CODE}\n' in file.read_text()
    assert run("a.py")[0] == 0
    assert run("--add-noqa", "a.py") == (0, "Added 0 suppression comments.\n", "")


def test_unused_suppressions_are_found_and_removed(run: Run) -> None:
    text = BROKEN.replace("# says hello", f"# noqa: {CODE}, GM101").replace("x + 1", f"x + 1  # noqa: {CODE}")
    file = write("a.py", text)
    assert run("a.py")[0] == 0
    code, out, _ = run("a.py", "--unused-suppressions", "--output-format", "concise")
    assert code == 1
    assert out == (
        "a.py:6:25: GM001 [*] this comment silences nothing of GM101\n"
        f"a.py:7:23: GM001 [*] this comment silences nothing of {CODE}\n"
        "Found 2 unused suppressions.\n"
    )
    run("a.py", "--unused-suppressions", "--fix")
    assert file.read_text() == BROKEN.replace("# says hello", f"# noqa: {CODE}")
