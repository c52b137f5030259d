"""What a file calls a module, above all torch. On `ast`: deciding on a fix needs no LibCST."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Refusal
from graphmend_lint.shapes import bound_in

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

SHADOWED: Final = Refusal("torch-shadowed", "the name `torch` means something else in this function")


def module_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, those under `if` and `try` included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With) and not _for_types_only(statement):
            for name in ("body", "orelse", "finalbody"):
                yield from module_statements(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", ()):
                yield from module_statements(handler.body)


def _for_types_only(statement: ast.stmt) -> bool:
    """True for `if TYPE_CHECKING:`, which does not run."""
    test = statement.test if isinstance(statement, ast.If) else None
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def name_of(module: str, tree: ast.Module) -> str | None:
    """The module-level name bound to `module`: "torch", "th"; None if the file does not import it."""
    for statement in module_statements(tree.body):
        for alias in statement.names if isinstance(statement, ast.Import) else ():
            if alias.name == module:
                return alias.asname or module
            if alias.asname is None and alias.name.partition(".")[0] == module:
                return module
    return None


def is_imported(line: str, tree: ast.Module) -> bool:
    """True if the file has `import line`, or the line itself where it is a whole `from ... import name`."""
    if not line.startswith("from "):
        return name_of(line, tree) is not None
    return any(ast.unparse(statement) == line for statement in tree.body if isinstance(statement, ast.ImportFrom))


def torch_name(facts: Facts, node: ast.AST) -> str | None:
    """What to call torch at `node`; None if that name means something else there."""
    function = facts.function(node)
    if function not in facts.torch_names:
        facts.torch_names[function] = _torch_name(facts, function)
    return facts.torch_names[function]


def _torch_name(facts: Facts, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None) -> str | None:
    name = name_of("torch", facts.source.tree) or "torch"
    binding = re.compile(rf"\b{name}\s*[=,:)]|\bimport\b.*\b{name}\b|\bas\s+{name}\b|\bdel\b")
    while function is not None:
        if binding.search(facts.text(function)) and bound_in(function, name):
            return None
        function = facts.function(function)
    return name
