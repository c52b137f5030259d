"""The building blocks of fixes: conditions, messages, templates, imports, places in a file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphmend_lint.facts import Facts
from graphmend_lint.model import Refusal
from graphmend_lint.region import analyse
from graphmend_lint.rewrite.apply import add_import, rewritten
from graphmend_lint.rewrite.guard import constant_parts, message
from graphmend_lint.rewrite.imports import name_of, torch_name
from graphmend_lint.rewrite.predicate import condition, negated
from graphmend_lint.rewrite.printing import message as printed
from graphmend_lint.rewrite.site import EditError, Site
from graphmend_lint.rewrite.template import call, quoted
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.source import Source

HEAD = "import torch\n\n\ndef forward(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor | None = None, n: int = 2):\n"


def facts_of(body: str, head: str = HEAD) -> Facts:
    text = head + "".join(f"    {line}\n" for line in body.splitlines()) + "\n\ncompiled = torch.compile(forward)\n"
    (facts,) = analyse([Source(Path("a.py"), text)]).values()
    return facts


def first(facts: Facts, kind: type[ast.AST]) -> ast.AST:
    return next(node for node in ast.walk(facts.source.tree) if isinstance(node, kind))


def taken_apart(test: str) -> tuple[Condition | Refusal, Facts, ast.expr]:
    facts = facts_of(f"if {test}:\n    x = x + 1\nreturn x")
    node = first(facts, ast.If)
    assert isinstance(node, ast.If)
    return condition(node.test, facts), facts, node.test


@pytest.mark.parametrize(
    ("test", "tensor"),
    [
        ("x.sum() > 0", "x.sum() > 0"),
        ("x.any()", "x.any()"),
        ("not x.any()", "~x.any()"),
        ("not x.sum() > 0", "~(x.sum() > 0)"),
        ("not x.sum() == 0", "x.sum() != 0"),
        ("not x != y", "(x == y).reshape(())"),
        ("not not x.any()", "x.any()"),
        ("x.sum()", "x.sum() != 0"),
        ("x > 0", "(x > 0).reshape(())"),
        ("x", "x.reshape(()) != 0"),
        ("x.sum() > 0 and x.max() < 1", "(x.sum() > 0) & (x.max() < 1)"),
        ("x.any() or y.any()", "x.any() | y.any()"),
        ("bool(x.any())", "x.any()"),
        ("x.any().item()", "x.any()"),
        ("x.sum().item() == 3", "x.sum() == 3"),
        ("x.sum().item() > 0.5", "x.sum() > 0.5"),
        ("float(x.sum()) > x.max().item()", "x.sum() > x.max()"),
        ("x.item() < 1", "(x < 1).reshape(())"),
        ("0.0 in x", "(x == 0.0).any()"),
        ("n not in x", "~(x == n).any()"),
        ("x in (1, -2)", "((x == 1) | (x == -2)).reshape(())"),
        ("any(x > 0)", "(x > 0).any()"),
        ("all(v < n for v in x)", "(x < n).all()"),
        ("any([torch.isnan(v) for v in x + y])", "torch.isnan(x + y).any()"),
        ("torch.equal(x, x.clone())", "(x == x.clone()).all()"),
        ("torch.allclose(x, y)", "torch.isclose(x, y).all()"),
        ("x.allclose(y, rtol=1e-3)", "x.isclose(y, rtol=1e-3).all()"),
    ],
)
def test_a_condition_becomes_one_tensor(test: str, tensor: str) -> None:
    found, facts, _ = taken_apart(test)
    assert isinstance(found, Condition)
    assert found.static == []
    assert found.tensor.code(Site(facts.source)) == tensor


def test_a_chained_comparison_becomes_two() -> None:
    facts = facts_of("s = x.sum()\nif 0 < s < 1:\n    x = x + 1\nreturn x")
    node = first(facts, ast.If)
    assert isinstance(node, ast.If)
    found = condition(node.test, facts)
    assert isinstance(found, Condition)
    assert found.tensor.code(Site(facts.source)) == "(0 < s) & (s < 1)"


def test_what_is_used_twice_gets_a_name() -> None:
    facts = facts_of("total = 1\nif 0 < x.sum() < y.sum():\n    x = x + total\nreturn x")
    node = first(facts, ast.If)
    assert isinstance(node, ast.If)
    assert isinstance(condition(node.test, facts), Refusal)
    found = condition(node.test, facts, named=True)
    assert isinstance(found, Condition)
    site = Site(facts.source)
    assert found.tensor.names(site) == "value = x.sum()\n"
    assert found.tensor.code(site) == "(0 < value) & (value < y.sum())"


@pytest.mark.parametrize(
    ("test", "static", "joined"),
    [("m is not None and m.any()", "m is not None", ast.And), ("n > 3 or x.any()", "n > 3", ast.Or)],
)
def test_python_conditions_stay_python(test: str, static: str, joined: type[ast.boolop]) -> None:
    found, facts, _ = taken_apart(test)
    assert isinstance(found, Condition)
    assert [facts.text(each) for each in found.static] == [static]
    assert found.joined is joined


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("x.max() in [1, 2, 3, 4, 5]", "condition-not-simple"),
        ("torch.equal(x, y)", "condition-not-simple"),
        ("x.any() and len(y.shape) > n", "condition-order"),
    ],
)
def test_a_condition_that_cannot_be_a_tensor_has_its_reason(test: str, reason: str) -> None:
    found, _, _ = taken_apart(test)
    assert isinstance(found, Refusal)
    assert found.reason == reason


def test_an_order_is_negated_as_a_whole_because_of_nan() -> None:
    """`not a < b` is not `a >= b`: with NaN neither holds."""
    _, facts, test = taken_apart("x.sum() < 0")
    found = negated(test, facts)
    assert not isinstance(found, Refusal)
    assert found.code(Site(facts.source)) == "~(x.sum() < 0)"


@pytest.mark.parametrize(
    ("code", "text", "exact"),
    [
        ("'plain'", "plain", True),
        ("f'got {x} of {n:3d}'", "got ... of ...", False),
        ("f'plain'", "plain", True),
        ("'got ' + str(x)", "got ...", False),
        ("'%s of %(n)d at 5%%' % x", "... of ... at 5%", False),
        ("'{} of {{n}} {0!r:>3}'.format(x)", "... of {n} ...", False),
        ("unknown()", "...", False),
    ],
)
def test_of_a_message_only_the_constant_part_is_kept(code: str, text: str, exact: bool) -> None:
    facts = facts_of("return x")
    assert constant_parts(ast.parse(code, mode="eval").body, facts) == (text, exact)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ValueError('a')", ("ValueError", "a", True)),
        ("errors.MyError('a', x)", ("MyError", "a", False)),
        ("ValueError", ("ValueError", "ValueError", False)),
        ("ValueError()", ("ValueError", "ValueError", False)),
    ],
)
def test_the_message_of_an_exception_is_its_constant_text(code: str, expected: tuple[str, str, bool]) -> None:
    facts = facts_of(f"raise {code}")
    node = first(facts, ast.Raise)
    assert isinstance(node, ast.Raise)
    assert message(node.exc, facts) == expected


@pytest.mark.parametrize(
    ("code", "fmt", "values"),
    [
        ("print('a', n)", "a {!s}", ["n"]),
        ("print('{', '}')", "{{ }}", []),
        ("print(1, None, True)", "1 None True", []),
        ("print('a', 'b', sep='')", "ab", []),
        ("print(f'{n} {x!r:>5} {x.sum():.2f}')", "{} {!r:>5} {:.2f}", ["n", "x", "x.sum()"]),
        ("print(x.sum().item())", "{}", ["x.sum()"]),
    ],
)
def test_a_print_becomes_a_format_and_its_values(code: str, fmt: str, values: list[str]) -> None:
    facts = facts_of(f"{code}\nreturn x")
    node = first(facts, ast.Expr)
    assert isinstance(node, ast.Expr)
    assert isinstance(node.value, ast.Call)
    found = printed(node.value, facts)
    assert found is not None
    assert found.format == fmt
    assert len(found.values) == len(values)


@pytest.mark.parametrize("code", ["print(n, end='')", "print(*x)", "print(x.shape)", "print(f'{n:{n}}')"])
def test_a_print_that_the_operator_does_not_take_is_left(code: str) -> None:
    facts = facts_of(f"{code}\nreturn x")
    node = first(facts, ast.Expr)
    assert isinstance(node, ast.Expr)
    assert isinstance(node.value, ast.Call)
    assert printed(node.value, facts) is None


def test_a_call_is_broken_over_lines_if_it_must() -> None:
    assert call("f", ["a", "b"], 7) == "f(a, b)"
    assert call("f", ["a", "b"], 6) == "f(\n    a,\n    b,\n)"


@pytest.mark.parametrize("text", ["plain", 'say "a"', "it's", "a\nb", "\\", "é"])
def test_quoted_text_reads_as_itself(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import torch", "torch"),
        ("import torch as th", "th"),
        ("import torch.nn", "torch"),
        ("import torch.nn as nn", None),
        ("from torch import nn", None),
        ("try:\n    import torch\nexcept ImportError:\n    pass", "torch"),
        ("if found():\n    import torch", "torch"),
        ("def f():\n    import torch", None),
        ("if TYPE_CHECKING:\n    import torch", None),
        ("if typing.TYPE_CHECKING:\n    import torch", None),
    ],
)
def test_torch_goes_by_the_name_that_the_file_imports(text: str, name: str | None) -> None:
    assert name_of("torch", ast.parse(text)) == name


def test_torch_has_no_name_where_it_means_something_else() -> None:
    facts = facts_of("return x + 1", HEAD.replace("n: int", "torch: int").replace("torch.Tensor", "T"))
    node = first(facts, ast.Return)
    assert torch_name(facts, node) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import a\nimport z\n\nx = 1\n", "import a\nimport torch\nimport z\n\nx = 1\n"),
        ("import os\n\nfrom torch import nn\n", "import os\n\nimport torch\nfrom torch import nn\n"),
        ("import os\n\n# ours\nfrom torch import nn\n", "import os\n\n# ours\nfrom torch import nn\nimport torch\n"),
        ("from z import y\n\nfrom . import b\n", "import torch\nfrom z import y\n\nfrom . import b\n"),
        ("from . import b\n\nx = 1\n", "from . import b\nimport torch\n\nx = 1\n"),
        ("x = 1\n", "import torch\n\nx = 1\n"),
        ('"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nimport torch\n\nx = 1\n'),
        ("import numpy\n\nx = 1\n", "import numpy\nimport torch\n\nx = 1\n"),
        ("import os\n\nx = 1\n", "import os\n\nimport torch\n\nx = 1\n"),
        (
            "from __future__ import annotations\n\nx = 1\n",
            "from __future__ import annotations\n\nimport torch\n\nx = 1\n",
        ),
    ],
)
def test_where_an_import_goes(before: str, after: str) -> None:
    assert add_import(Site(Source(Path("a.py"), before)).module, "torch").code == after


def statement(text: str, row: int) -> tuple[Site, ast.stmt]:
    source = Source(Path("a.py"), text)
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.stmt) and node.lineno == row]
    return Site(source), nodes[0]


def test_an_elif_becomes_an_else() -> None:
    site, node = statement("if a:\n    b\nelif c:\n    d\n", 3)
    edit = site.replace(node, "e\nf")
    assert rewritten(site, [edit]).code == "if a:\n    b\nelse:\n    e\n    f\n"


def test_kept_statements_keep_their_comments() -> None:
    site, node = statement("if a:  # one\n    # two\n    b  # three\nelse:\n    c  # four\n", 1)
    assert isinstance(node, ast.If)
    edit = site.replace(node, "if d:\n    BODY", BODY=node.body)
    assert rewritten(site, [edit]).code == "# one\n# four\nif d:\n    # two\n    b  # three\n"


def test_a_shared_line_cannot_be_edited() -> None:
    site, node = statement("a; b\n", 1)
    with pytest.raises(EditError):
        site.replace(node, "c")


def test_a_string_over_several_lines_is_not_moved() -> None:
    site, node = statement('if a:\n    b = f("""x\n    y""")\n', 2)
    assert isinstance(node, ast.Assign)
    with pytest.raises(EditError):
        site.code(node.value)


def test_further_lines_follow_the_first() -> None:
    site, node = statement("if a:\n    b = f(\n        c,\n    )\n", 2)
    assert isinstance(node, ast.Assign)
    assert site.code(node.value) == "f(\n    c,\n)"
