"""Golden facts: every file under tests/facts_cases/ says in comments what is known there; a folder is one project.

`# kind: tensor 0-dim`   the value of the statement: what it assigns, returns or computes
`# reached`              Dynamo gets to the statement; `# not reached`: it does not
`# chain: main > inner`  how it gets there
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import (
    BOOL,
    CONSTANT,
    FLOATING,
    INTEGRAL,
    KNOWN,
    NDARRAY,
    TENSOR,
    ZERO_DIM,
    Value,
    describe,
)
from graphmend_lint.region import analyse
from graphmend_lint.source import Source

ROOT = Path(__file__).with_name("facts_cases")
PROJECTS = sorted(path for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
MARK = re.compile(r"  # (kind: .*|chain: .*|reached|not reached)$")
TRAITS = {ZERO_DIM: "0-dim", BOOL: "bool", INTEGRAL: "integer", FLOATING: "float", KNOWN: "known"}
SHOWN = CONSTANT | NDARRAY | TENSOR


def test_there_are_many() -> None:
    assert len(PROJECTS) >= 25


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.stem)
def test_facts_are_those_in_the_comments(project: Path) -> None:
    files = [project] if project.suffix else sorted(project.glob("*.py"))
    known = analyse([Source.read(path) for path in files])
    for path in files:
        wanted = list(marks(path))
        assert [(row, said(known[path], row, mark)) for row, mark in wanted] == wanted
    assert any(any(marks(path)) for path in files)


def marks(path: Path) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if found := MARK.search(line):
            yield row, found[1]


def said(facts: Facts, row: int, mark: str) -> str:
    """What the facts say where the comment stands, in the comment's words."""
    statement = at(facts.source.tree, row)
    word = mark.partition(":")[0]
    if word == "kind":
        return f"kind: {words(facts.value(subject(statement)))}"
    if word == "chain":
        return "chain: " + " > ".join(frame.name for frame in facts.chain(statement))
    return "reached" if facts.reached(statement) else "not reached"


def at(tree: ast.Module, row: int) -> ast.stmt:
    """The innermost statement that ends on a row."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node.end_lineno == row]
    return max(found, key=lambda node: (node.lineno, node.col_offset))


def subject(statement: ast.stmt) -> ast.expr:
    value = getattr(statement, "value", None)
    assert isinstance(value, ast.expr)
    return value


def words(value: Value) -> str:
    traits = [word for trait, word in TRAITS.items() if value.kinds & SHOWN and value.traits & trait]
    return " ".join([describe(value), *traits])
