"""What a run over many files keeps in memory, and that it says the same whatever it lets go of."""

from __future__ import annotations

import ast
import os
import threading
import weakref
from pathlib import Path

import pytest

from graphmend_lint import check, engine
from graphmend_lint.brief import Brief
from graphmend_lint.config import Options, Settings
from graphmend_lint.facts import Facts
from graphmend_lint.project import Project
from graphmend_lint.region import final_facts
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source, SourceError
from graphmend_lint.turns import turns

CASES = sorted((Path(__file__).parent / "rules").glob("*/*.before.py"))
NET = """\
import torch
from torch import nn
{imports}

class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {inner}

    def forward(self, x{more}):
        if x.sum() > {number}:
            x = x * 2.0
        {body}
        return x
"""


def net(name: str, imports: str = "", inner: str = "None", more: str = ": torch.Tensor", body: str = "pass") -> str:
    return NET.format(name=name, imports=imports, inner=inner, more=more, body=body, number=ord(name[0]))


#: files that call each other along their imports, around in a circle, and by ways that no import shows
PROGRAM = {
    "pkg/__init__.py": "from . import shared\n",
    "pkg/shared.py": "def scaled(x, by):\n    if x.sum() > 0:\n        print('large')\n    return x * by\n",
    "pkg/a.py": net("A", "from .b import B\nfrom .shared import scaled", "B()", body="x = self.inner(scaled(x, 2))"),
    "pkg/b.py": net("B", "from .c import C", "C()", more="", body="x = self.inner(x)"),
    "pkg/c.py": net("C", "from . import b", "None", more="", body="y = b.B().forward(x) if x is None else x"),
    "pkg/d.py": net("D", "import pkg.e", "pkg.e.E()", body="x = self.inner(x, 1)"),
    "pkg/e.py": net("E", "from .shared import scaled", more=", by", body="x = scaled(x, by)"),
    "pkg/f.py": net("F", "import pkg", "pkg.e.E()", body="x = self.inner(x, x)") + "\nmodel = torch.compile(F())\n",
    "pkg/g.py": net("G", "from .late import late"),
    "pkg/h.py": net("H", "from .between import between", body="x = between(x)"),
    "pkg/between.py": "from .late import late\n\n\ndef between(x):\n    return late(x)\n",
    "pkg/late.py": "def late(x):\n    print(x)\n    return x\n\n\ndef made(maker):\n    return maker.compile(late)\n",
    "pkg/text.py": "import torch\n\n\ndef compiled():\n    '''torch.compile is not called here.'''\n",
}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAM.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return [Path(name) for name in PROGRAM]


def said(paths: list[Path], output_format: str = "full", options: Options | None = None) -> tuple[str, list[str], int]:
    settings = Settings(output_format=output_format, unsafe_fixes=True)
    run = check.Run(tuple(paths), settings, options or Options(quiet=True))
    code = run()
    return run.text, run.errors, code


@pytest.mark.parametrize(
    "output_format", ["full", "concise", "github", "gitlab", "junit", "pylint", "json", "json-lines", "sarif"]
)
def test_a_large_run_says_what_a_small_one_does(
    program: list[Path], output_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = said(program, output_format)
    monkeypatch.setattr(check, "LARGE", 0)
    monkeypatch.setattr("graphmend_lint.memory.EVERY", 1)
    assert said(program, output_format) == small
    assert "GM101" in small[0]
    assert "late.py" in small[0]


def test_all_cases_together_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, case in enumerate(CASES[::3]):
        (tmp_path / f"case_{number}.py").write_bytes(case.read_bytes())
    small = said([tmp_path], "concise")
    monkeypatch.setattr(check, "LARGE", 0)
    assert said([tmp_path], "concise") == small
    assert small[0].count("\n") > len(CASES) // 3


def test_a_large_run_fixes_as_a_small_one_does(program: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LARGE", 0)
    said(program, options=Options(fix=True))
    assert "torch.where" in Path("pkg/a.py").read_text()


def sources(paths: list[Path]) -> list[Source]:
    return [Source.read(path) for path in paths]


def test_trees_go_while_the_run_goes_on(program: list[Path]) -> None:
    given = sources(program)
    brief = frozenset(each.path for each in given if "nn.Module" in each.text)
    trees: list[weakref.ref[object]] = []
    for facts in final_facts(given, brief=brief):
        if not facts.lasting:
            trees.append(weakref.ref(facts.source.tree.body[-1]))
            facts.let_go()
    assert len(trees) > 3
    assert not any(tree() for tree in trees)
    assert {each.path.name for each in given if each.is_held} <= {
        "f.py",
        "e.py",
        "shared.py",
        "late.py",
        "between.py",
        "__init__.py",
    }


def test_what_is_called_comes_behind_what_calls(program: list[Path]) -> None:
    project = Project(sources(program))
    modules = {each.path.stem: each for each in project.linted}
    order = list(turns([modules[name] for name in ("e", "d", "c", "b", "a")], project))
    assert [module.path.stem for module, _ in order] == ["d", "e", "a", "c", "b"]
    done = [sorted(each.path.stem for each in last) for _, last in order]
    assert done == [["d"], ["e"], ["a", "shared"], ["__init__"], ["b", "c"]]


def test_each_file_is_told_of_once(program: list[Path]) -> None:
    given = sources(program)
    told = [facts.source.path for facts in final_facts(given)]
    assert sorted(told) == sorted(program)


def test_what_is_read_again_must_be_what_it_was(program: list[Path]) -> None:
    source = Source.read(program[1])
    source.let_go()
    assert source.text == PROGRAM["pkg/shared.py"]
    source.let_go()
    program[1].write_text("x = 1\n")
    with pytest.raises(SourceError, match="changed while it was linted"):
        _ = source.text


def test_a_file_that_changes_meanwhile_is_one_line(program: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LARGE", 0)
    begun = check.Run._beginnings

    def change(run: check.Run, sources: list[Source]) -> frozenset[Path]:
        found = begun(run, sources)
        Path("pkg/a.py").write_text("x = 1\n")
        return found

    monkeypatch.setattr(check.Run, "_beginnings", change)
    text, errors, code = said(program)
    assert [line for line in errors if "pkg/a.py" in line] == ["pkg/a.py:1: the file has changed while it was linted"]
    assert "pkg/b.py" in text
    assert code == check.FAILED


def test_a_file_that_is_not_python_is_one_line(program: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pkg/a.py").write_text(PROGRAM["pkg/a.py"] + "def (:\n")
    small = said(program)
    monkeypatch.setattr(check, "LARGE", 0)
    large = said(program)
    assert large == small
    assert len(small[1]) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"import torch\n"])
    writer.start()
    source = Source.read(pipe)
    writer.join()
    source.let_go()
    assert source.text == "import torch\n"


def test_facts_of_compile_sites_last_to_the_end(program: list[Path]) -> None:
    given = sources(program)
    lasting = {facts.source.path.name: facts for facts in final_facts(given) if facts.lasting}
    assert isinstance(lasting["f.py"], Facts)
    assert lasting["f.py"].sites
    rules = list(load_rules().values())
    brief = frozenset(each.path for each in given)
    found = {(str(each.path), each.code) for each in engine.lint_part(sources(program), rules, brief=Brief(brief))}
    assert found == {(str(each.path), each.code) for each in engine.lint(given, rules, Settings())}


BASE = """\
import torch
from torch import nn


class Base(nn.Module):
    reads = True

    def forward(self, x, scale=2.0):
        if self.reads:
            return x * x.sum().item()
        return x * scale
"""
HEIR = """\
import torch
from base import Base
from torch import nn


class Heir(Base):
    reads = False


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Heir()

    def forward(self, x: torch.Tensor):
        return self.inner(x, x.shape[0])
"""


def test_what_an_heir_is_called_with_is_not_all_that_its_base_may_be() -> None:
    given = [Source(Path("base.py"), BASE), Source(Path("heir.py"), HEIR)]
    found = engine.lint(given, list(load_rules().values()), Settings())
    assert [(each.path.name, each.span.start.row) for each in found] == [("base.py", 10)]


def test_what_is_asked_of_every_file_is_asked_before_its_text_goes(program: list[Path]) -> None:
    source = sources(program)[1]
    source.skim()
    source.let_go()
    asked = (source.may_compile, source.may_hold_modules, source.headers, source.has_forward, source.has_star)
    assert len(asked) == 5
    assert not source.is_held


def test_a_caller_in_another_package_comes_first_whatever_the_order(tmp_path: Path) -> None:
    files = {
        "lib/__init__.py": "from lib.ask import ask\n",
        "lib/ask.py": "from lib.nets import check\n\n\ndef ask(t):\n    return check(t)\n",
        "lib/nets.py": "from torch import nn\n\n\nclass Net(nn.Module):\n    pass\n\n\n"
        "def check(t):\n    if t > 0:\n        return t\n    return -t\n",
        "main.py": "import torch\nfrom torch import nn\nfrom lib import ask\n\n\nclass Main(nn.Module):\n"
        "    def forward(self, x: torch.Tensor):\n        return ask(x)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    given = [tmp_path / name for name in files]
    for paths in (given, given[::-1]):
        found = [facts for facts in final_facts(sources(paths)) if facts.source.path == given[2]]
        test = next(node for node in ast.walk(found[0].source.tree) if isinstance(node, ast.If))
        assert found[0].needs_data(test.test)
