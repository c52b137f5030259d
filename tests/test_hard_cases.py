"""Odd text and odd programs: one clear line each."""

from __future__ import annotations

import json
import re
import sys
import warnings
from pathlib import Path

import pytest
from command_line import BROKEN, FIX, Run, body

from graphmend_lint import budget
from graphmend_lint.check import Run as Lint
from graphmend_lint.config import Options, Settings

# Odd text

REFUSED = {
    "parentheses": "x = " + "(" * 5_000 + ")" * 5_000,
    "minus signs": "x = " + "-" * 200_000 + "1",
    "attributes": "x = a" + ".b" * 200_000,
    "sums": "x = " + "+".join(["1"] * 200_000),
    "blocks": "".join(" " * n + "if x:\n" for n in range(200)) + " " * 200 + "pass",
    "newer Python": "x = lazy import y",
    "older Python": "exec 'x'",
    "a null byte": "x = 1\0",
    "a long number": "x = " + "9" * 100_000,
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_python_does_not_read_is_one_line(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    Path("b.py").write_text(BROKEN)
    code, out, err = run("--no-cache", "--output-format", "concise")
    if not (3, 11) <= sys.version_info < (3, 14) and text in (REFUSED["attributes"], REFUSED["sums"]) and not err:
        assert code == 1  # this Python has no such limit
        return
    assert code == 2
    assert re.fullmatch(r"a\.py:\d+: .{10,300}\n", err)
    assert out.startswith("b.py:6:9: GM301")


def test_a_syntax_error_names_the_python_that_found_it(run: Run) -> None:
    Path("a.py").write_text("x = t'{y}' if else\n")
    assert f"(as Python {sys.version_info[0]}.{sys.version_info[1]})" in run("--no-cache")[2]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python reads it")
@pytest.mark.parametrize("text", ["x = t'{y}'\n", "try: pass\nexcept A, B: pass\n"])
def test_syntax_of_a_later_python(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    code, _, err = run("--no-cache")
    assert code == 2
    assert re.fullmatch(r"a\.py:\d: not valid Python: .* \(as Python 3\.\d+\)\n", err)


def test_warnings_of_the_parser_are_not_ours(run: Run) -> None:
    Path("a.py").write_text('x = "\\d" is 1\n')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run("--no-cache") == (0, "All checks passed!\n", "")


LONG = {
    "a string": f"y = '{'a' * 1_000_000}'",
    "a list": "y = [" + "1," * 20_000 + "]",
    "a comment": f"y = 1  # {'a' * 1_000_000}",
    "a name": f"{'y' * 1_000_000} = 1",
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_a_line_of_a_megabyte_is_kept(run: Run, line: str) -> None:
    Path("a.py").write_text(body(line, 'print("hello")'))
    run(*FIX)
    text = Path("a.py").read_text()
    assert f"\n        {line}\n" in text
    assert "\n        print(" not in text


def test_a_call_with_thousands_of_arguments(run: Run) -> None:
    many = ", ".join(f"a{n}" for n in range(3_000))
    Path("a.py").write_text(body(f"f({many.replace('a', 'x + ')})") + f"\n\ndef f({many}):\n    print(a7)\n")
    assert run("--no-cache", "--output-format", "concise")[1].startswith("a.py:11:5: GM301")


PLAIN = {  # no file in which a region begins, so that no tree is made for it
    "x = lazy import y": True,
    "return": False,
    "def f():\n    x = 1\n    global x\n": False,
    "def f(a, a): pass": False,
    "x = 1\n  y = 2": True,
    "from __future__ import braces": sys.version_info >= (3, 14),
    "x = '\\N{no such name}'": True,
    "": False,
}


@pytest.mark.parametrize("text", PLAIN, ids=lambda text: text.strip()[:20])
def test_what_is_no_python_is_said_of_any_file(run: Run, text: str) -> None:
    Path("a.py").write_text(text)
    code, _, err = run("--no-cache")
    assert (code, bool(err)) == (2 * PLAIN[text], PLAIN[text])
    Path("a.py").write_text(f"{text}\n# torch")
    assert run("--no-cache")[::2] == (code, err)


def test_no_tree_is_made_of_a_file_that_cannot_matter(run: Run) -> None:
    Path("a.py").write_text("from b import f\n" + body("print(f(x))"))
    Path("b.py").write_text("def f(x):\n    return x\n")
    Path("c.py").write_text("def f(x):\n    return x\n")
    lint = Lint((Path("."),), Settings(), Options(quiet=True))
    lint()
    linted = [module for project in lint.projects for module in project.linted]
    assert {module.path.name for module in linted if "tree" in vars(module.source)} == {"a.py", "b.py"}
    assert len(linted) == 3


# Odd programs

FOLLOWED = {
    "paths without end": """
    def forward(self, x, kind):
        return self.order(kind), x
    def order(self, kind):
        found = [kind]
        for base in kind.node.bases:
            found += self.order(self.base(base, kind))
        return found
    def base(self, node, kind):
        if node.value:
            return node.value.target
        if node.other:
            return node.target
        return kind.module.target
""",
    "a closure in a recursion": """
    def forward(self, x):
        return total(lambda a: a, x, (), [x])
def total(f, x, done, rest):
    if len(rest) > 3:
        return inner(lambda a, b: total(lambda c: f(c), a, (b, done), rest[1:]), x, done, rest)
    return inner(lambda a, b: f(a), x, (), rest) + part(lambda a, b: total(lambda c: f(c), b, (a,), rest), x, (), rest)
def inner(f, x, done, rest):
    return f(x, done) + total(lambda a: f(a, done), x, (done, x), rest) + part(f, x, [done], rest)
def part(f, x, done, rest):
    return f(done, x) + inner(lambda a, b: f(b, a), x, [done], rest) + total(lambda a: f(a, x), x, done, [rest])
""",
    "nothing to spread": """
    def forward(self, x, **kwargs):
        return self.inner(x, **{"a": 1, **kwargs})
    def inner(self, x, a, **kwargs):
        return {**kwargs, "b": x}
""",
    "bases in a circle": """
    def forward(self, x):
        return A().forward(x)
class A(B):
    pass
class B(A, Model):
    pass
""",
    "an attribute that asks for itself": """
    def __getattr__(self, name):
        return getattr(self, name)
    @property
    def a(self):
        return self.b
    @property
    def b(self):
        return self.a + self.c
    def forward(self, x):
        return x * self.a
""",
    "tuples of tuples": "\n    def forward(self, x):\n        y = (x,)\n"
    + "        y = (y, y)\n" * 60
    + "        return y\n",
    "numbers and text without end": """
    def forward(self, x):
        y, z, w = 10 ** 10 ** 10, "a" * 10 ** 10, [x] * 10 ** 10
        for i in range(10 ** 10):
            y = y << i
        print(z)
        return w
""",
    "calls of calls": "\n    def forward(self, x):\n        return f0(x, 1)\n"
    + "".join(f"def f{n}(x, y):\n    return f{n + 1}(x, y) + f{n + 1}([x], (y, x))\n" for n in range(40))
    + "def f40(x, y):\n    return x\n",
}


@pytest.mark.parametrize("methods", FOLLOWED.values(), ids=FOLLOWED)
def test_a_program_that_is_hard_to_follow(run: Run, monkeypatch: pytest.MonkeyPatch, methods: str) -> None:
    monkeypatch.setattr(budget, "SECONDS", 30.0)
    Path("a.py").write_text(f"import torch\n\n\nclass Model(torch.nn.Module):{methods}")
    assert run("--no-cache", "--quiet")[2] == ""


# Notebooks


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"cell_type": "code"}]}', "[" * 100_000, "\0"],
)
def test_a_notebook_that_is_none(run: Run, text: str) -> None:
    Path("a.ipynb").write_text(text)
    code, _, err = run("--no-cache")
    assert (code, err) == (2, "a.ipynb:1: not a valid notebook\n")


def test_a_cell_that_is_nested_too_deeply(run: Run) -> None:
    cell = {"cell_type": "code", "source": REFUSED["minus signs"], "outputs": [], "metadata": {}}
    Path("a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    code, _, err = run("--no-cache")
    assert code == 2
    assert re.fullmatch(r"a\.ipynb:cell 1:1: .{10,300}\n", err)
