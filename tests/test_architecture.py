"""The invariants of docs/architecture.md, each held by a test."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "graphmend_lint"
RULES = sorted((ROOT / "rules").glob("[!_]*.py"))
MODULES = sorted(PACKAGE.rglob("*.py"))
FOR_RULES = {"model", "rule", "facts", "shapes", "syntax", "rewrite"}


def imports(file: Path) -> Iterator[str]:
    """Full names of the modules that a file imports, wherever it does; `from a import b` gives a.b as well."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, check=False)


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.stem)
def test_rules_import_the_vocabulary_and_nothing_else(file: Path) -> None:
    for each in imports(file):
        head, *rest = each.split(".")
        if head == "graphmend_lint":
            assert rest, f"{file.name} imports the package as a whole"
            assert rest[0] in FOR_RULES, f"{file.name} imports {each}"
        else:
            assert head == "libcst" or head in sys.stdlib_module_names, f"{file.name} imports {each}"


@pytest.mark.parametrize("file", RULES, ids=lambda file: file.stem)
def test_nothing_imports_a_rule_by_name(file: Path) -> None:
    word = f"graphmend_lint.rules.{file.stem}"
    for each in [*MODULES, *RULES]:
        assert word not in imports(each), f"{each} imports {word}"


def test_only_the_worker_of_verify_imports_torch() -> None:
    torch = {name(file) for file in MODULES if any(each.split(".")[0] == "torch" for each in imports(file))}
    assert torch, "the worker imports torch"
    assert {each.rpartition(".")[0] for each in torch} == {"graphmend_lint.verify"}
    for file in MODULES:
        if name(file) not in torch:
            assert not torch & set(imports(file)), f"{file} brings torch in through {torch & set(imports(file))}"


def pyproject() -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


PROBE = """
import sys
from graphmend_lint.cli import main
code = main(sys.argv[1:])
heavy = [each for each in ("torch", "libcst", "fixit", "rich", "asyncio") if each in sys.modules]
print(code, heavy)
"""


def test_a_clean_run_imports_neither_torch_nor_libcst_nor_fixit(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n")
    done = run("-c", PROBE, "--isolated", "--quiet", "a.py", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "0 []", done.stdout + done.stderr


LOADED = """
import sys
from graphmend_lint.cli import main
main(sys.argv[1:])
print([each for each in sys.modules if each.startswith("graphmend_lint.rewrite.")])
"""
DEFERRED = """
import importlib, sys
from graphmend_lint.deferred import Deferred
from graphmend_lint.rule import load_rules
load_rules()
rules = [module for name, module in sys.modules.items() if name.startswith("graphmend_lint.rules.")]
late = [each for rule in rules for each in vars(rule).values() if isinstance(each, Deferred)]
wrong = [each.name for each in late if not callable(getattr(importlib.import_module(each.module), each.name, None))]
print(len(late) > 30, wrong)
"""


def test_deciding_on_a_fix_does_not_load_libcst() -> None:
    """What builds edits is imported inside the functions that do."""
    editing = {"libcst", *(f"graphmend_lint.rewrite.{each}" for each in ("apply", "site", "signature"))}
    for file in [*PACKAGE.glob("rewrite/*.py"), *RULES]:
        if name(file) not in editing:
            for each in ast.parse(file.read_text("utf-8")).body:
                module = each.module if isinstance(each, ast.ImportFrom) else None
                assert module not in editing, f"{name(file)} imports {module}"


def test_a_clean_run_does_not_load_what_fixes_are_built_from(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n")
    done = run("-c", LOADED, "--isolated", "--quiet", "--no-cache", "a.py", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_what_is_loaded_later_is_there() -> None:
    done = run("-c", DEFERRED)
    assert done.stdout == "True []\n", done.stdout + done.stderr


def test_fixing_does_not_import_torch(tmp_path: Path) -> None:
    body = "class Model(torch.nn.Module):\n    def forward(self, x):\n        print('hi')\n        return x + 1\n"
    text = f"import torch\n\n\n{body}"
    (tmp_path / "a.py").write_text(text)
    done = run("-c", PROBE, "--isolated", "--fix", "--unsafe-fixes", "a.py", cwd=tmp_path)
    code, _, heavy = done.stdout.splitlines()[-1].partition(" ")
    assert code in "01", done.stdout + done.stderr
    assert "libcst" in heavy, "something was fixed"
    assert "torch" not in heavy
    assert (tmp_path / "a.py").read_text() != text


def test_every_package_folder_is_listed() -> None:
    listed = pyproject()["tool"]["setuptools"]["packages"]
    folders = {name(file) for file in PACKAGE.rglob("__init__.py")} | {"graphmend_lint.rules"}
    assert sorted(listed) == sorted(folders)


def test_every_package_that_is_imported_is_required() -> None:
    project = pyproject()["project"]
    required = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    needed = {re.split(r"[^\w.-]", each)[0].lower() for each in required}
    for file in [*MODULES, *RULES]:
        for each in imports(file):
            head = each.split(".")[0]
            if head not in {"graphmend_lint", "tomllib"} and head not in sys.stdlib_module_names:  # since 3.11
                assert head in needed, f"{file} imports {head}, which pyproject.toml does not require"


def test_every_required_package_has_its_reason() -> None:
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *(each for extra in extras if extra != "test" for each in extras[extra])]
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    explained = set(re.findall(r"^\| ([\w-]+) \| [\w.-]+ \| ", page, re.M))
    assert {re.split(r"[^\w.-]", each)[0].lower() for each in required} <= explained


def test_every_file_has_a_docstring_and_is_short_enough_to_read() -> None:
    for file in [*MODULES, *RULES]:
        text = file.read_text("utf-8")
        if text.strip():
            assert ast.get_docstring(ast.parse(text)), f"{file} says nothing about itself"
        assert text.count("\n") < 400, f"{file} is too long"


def test_the_code_map_names_every_module_of_the_top() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## What must stay true")[0]
    missing = [file.stem for file in PACKAGE.glob("[!_]*.py") if f"`{file.stem}`" not in page.replace(".py`", "`")]
    assert missing == []


@pytest.mark.parametrize("package", ["facts", "rewrite"])
def test_the_map_of_a_package_names_every_module(package: str) -> None:
    page = ast.get_docstring(ast.parse((PACKAGE / package / "__init__.py").read_text("utf-8"))) or ""
    rows = re.findall(r"^    ([a-z]\w*(?:, \w+)*)(?= |$)", page, re.M)
    named = {each for row in rows for each in row.split(", ")}
    assert named == {file.stem for file in PACKAGE.glob(f"{package}/[!_]*.py")}


TREES = {"ast", "Facts", "FunctionDef", "FunctionNode", "ClassDef", "Module"}


@pytest.mark.parametrize("file", [*RULES, *MODULES], ids=lambda file: file.stem)
def test_what_is_remembered_of_trees_is_forgotten_with_the_run(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        marks = [ast.unparse(each) for each in node.decorator_list] if isinstance(node, ast.FunctionDef) else []
        if any(each.partition("(")[0].rpartition(".")[2] in ("cache", "lru_cache") for each in marks):
            names = {each.id for each in ast.walk(node.args) if isinstance(each, ast.Name)}
            assert not names & TREES, f"{node.name} remembers trees for ever: `syntax.kept` lets them go"
