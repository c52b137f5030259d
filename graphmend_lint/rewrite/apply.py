"""Write edits into a file: whole sets of them, no two that touch, imports included."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

import libcst as cst
from libcst import helpers

from graphmend_lint.lines import line_edits, lines_of
from graphmend_lint.model import Edit, Fix, TextEdit
from graphmend_lint.rewrite.folded import folded
from graphmend_lint.rewrite.imports import is_imported
from graphmend_lint.rewrite.site import EditError, Site

Place = tuple[tuple[int, int], tuple[int, int]]
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
DEFINED: Final = re.compile(r"^(?:def|class) (\w+)", re.M)
IMPORTS_TORCH: Final = re.compile(r"^[ \t]*(?:import|from)[ \t]+torch\b", re.MULTILINE)
FUTURE: Final = "__future__"  #: imports from there stand first


def apply(site: Site, fixes: Iterable[Fix]) -> tuple[str, list[Fix]]:
    """The text after the fixes, and those that went in.

    Of two fixes whose edits touch, or that define one name in two ways, the one that begins first goes in, or the outer
    one; the other must wait.
    """
    edits: list[Edit] = []
    taken: list[Place] = []
    applied: list[Fix] = []
    defined: dict[str, str] = {}
    for start, fix, built in sorted(_built(site, fixes), key=lambda each: each[0]):
        places = [place(site, edit.node) for edit in built]
        new = {name: text for text in fix.definitions for name in DEFINED.findall(text)[:1]}
        alone = not any(_touch(a, b) for a in places for b in taken)
        if start and alone and all(defined.get(name, text) == text for name, text in new.items()):
            edits += built
            taken += places
            defined |= new
            applied.append(fix)
    module = rewritten(site, edits) if edits else site.module
    for name in dict.fromkeys(name for fix in applied for name in fix.imports):
        module = module if is_imported(name, site.source.tree) else add_import(module, name)
    for text in reversed(dict.fromkeys(text for fix in applied for text in fix.definitions)):
        module = add_definition(module, text)
    return _as_written(site, folded(site.text, module.code, site.width)), applied


def _as_written(site: Site, text: str) -> str:
    """The text, with unchanged lines as they stand in the file: LibCST drops a form feed before a statement.

    Raises:
        EditError: if its lines are not those of the file.
    """
    read, source = site.text, site.source
    if read == source.text:
        return text
    before = lines_of(read)
    if len(before) != len(source.lines) or before[-1] != source.lines[-1]:
        raise EditError("LibCST reads other lines than Python")
    return source.edited(line_edits(read, text))


def text_edits(site: Site, fix: Fix) -> tuple[TextEdit, ...]:
    """The smallest line-wise change that one fix makes."""
    text, _ = apply(site, [fix])
    return tuple(line_edits(site.source.text, text))


Order = tuple[tuple[int, int], tuple[int, int]]


def _built(site: Site, fixes: Iterable[Fix]) -> Iterator[tuple[Order, Fix, tuple[Edit, ...]]]:
    for fix in fixes:
        try:
            edits = fix.edits(site)
        except EditError:
            continue
        if edits:
            start, end = min(place(site, edit.node) for edit in edits)
            yield (start, (-end[0], -end[1])), fix, edits


def place(site: Site, node: cst.CSTNode) -> Place:
    """Where a node begins and ends: (line, column) each."""
    found = site.ranges[node]
    return (found.start.line, found.start.column), (found.end.line, found.end.column)


def _touch(a: Place, b: Place) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def rewritten(site: Site, edits: Iterable[Edit]) -> cst.Module:
    """The module with every edit made."""
    replacements = {edit.node: edit.replacement for edit in edits}
    path = {above for node in replacements for above in _ancestors(site, node)}

    class Replace(cst.CSTTransformer):
        def on_visit(self, node: cst.CSTNode) -> bool:
            return node in path and node not in replacements

        def on_leave(self, original: cst.CSTNode, updated: cst.CSTNodeT) -> object:  # type: ignore[override]
            new = replacements.get(original, updated)
            return _joined(new, original) if isinstance(new, cst.IndentedBlock) else new

    return cst.ensure_type(site.module.visit(Replace()), cst.Module)


def _joined(block: cst.IndentedBlock, before: cst.CSTNode) -> cst.IndentedBlock:
    """The block, with guards for eager mode that have come to stand next to each other as one."""
    old, body = set(before.children), list[cst.BaseStatement]()
    for each in block.body:
        last = body[-1] if body else None
        new = each not in old or last not in old
        if new and _is_guard(each) and not _leading(each) and last is not None and _is_guard(last):
            kept = cst.ensure_type(last, cst.If)
            inner = [*kept.body.body, *cst.ensure_type(each, cst.If).body.body]
            body[-1] = kept.with_changes(body=kept.body.with_changes(body=inner))
        else:
            body.append(each)
    return block.with_changes(body=body) if len(body) < len(block.body) else block


def _is_guard(node: cst.CSTNode) -> bool:
    """True for `if not torch.compiler.is_compiling():` and nothing else."""
    match node:
        case cst.If(
            test=cst.UnaryOperation(operator=cst.Not(), expression=cst.Call(func=cst.Attribute(attr=name))),
            orelse=None,
            body=cst.IndentedBlock(),
        ):
            return name.value == "is_compiling"
    return False


def _ancestors(site: Site, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    while (above := site.parents.get(node)) is not None:
        yield above
        node = above


def add_import(tree: cst.Module, module: str) -> cst.Module:
    """`import module` in its place among the imports at the top, or below the docstring if there are none."""
    at, imports = _insertion_point(tree)
    line = cst.parse_statement(module if module.startswith("from ") else f"import {module}")
    body = list(tree.body)
    alike = [i for i in range(at) if _absolute(body[i]) is not None and _same_section(body[i], module)]
    if alike and not module.startswith("from "):
        return tree.with_changes(body=_sorted_in(body, alike, line, module))
    if at > 0 and not (imports and _same_section(body[at - 1], module)):
        line = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    if at < len(body) and not imports and not _starts_blank(body[at]):
        body[at] = body[at].with_changes(leading_lines=[cst.EmptyLine(indent=False), *_leading(body[at])])
    return tree.with_changes(body=[*body[:at], line, *body[at:]])


def _sorted_in(body: list[Statement], alike: list[int], line: Statement, module: str) -> list[Statement]:
    """The statements with an import among those of its section: behind the plain ones that come before it by name."""
    before = [i for i in alike if _is_plain(body[i]) and (_absolute(body[i]) or "") < module]
    if before:
        return [*body[: before[-1] + 1], line, *body[before[-1] + 1 :]]
    first = alike[0]
    if any(each.comment for each in _leading(body[first])):
        return [*body[: alike[-1] + 1], line, *body[alike[-1] + 1 :]]
    line = line.with_changes(leading_lines=_leading(body[first]))
    return [*body[:first], line, body[first].with_changes(leading_lines=[]), *body[first + 1 :]]


def add_definition(tree: cst.Module, text: str) -> cst.Module:
    """The function below the imports at the top, and that of torch, with two blank lines around it."""
    blank = cst.EmptyLine(indent=False)
    body = list(tree.body)
    imports = [i for i, each in enumerate(body, 1) if IMPORTS_TORCH.search(_head(tree, each))]
    at = max(_insertion_point(tree)[0], *imports, 0)
    at = next((i for i in range(at, len(body)) if isinstance(body[i], cst.FunctionDef | cst.ClassDef)), len(body))
    new = cst.parse_statement(text).with_changes(leading_lines=[blank] * 2 if at else [])
    if at < len(body):
        lines = _leading(body[at])
        head = next((i for i, line in enumerate(lines) if line.comment), len(lines))
        body[at] = body[at].with_changes(leading_lines=[blank, blank, *lines[head:]])
    return tree.with_changes(body=[*body[:at], new, *body[at:]])


def _head(tree: cst.Module, statement: cst.CSTNode) -> str:
    """The text of a statement of the module; nothing for a function or class, whose imports are its own."""
    return "" if isinstance(statement, cst.FunctionDef | cst.ClassDef) else tree.code_for_node(statement)


def _insertion_point(tree: cst.Module) -> tuple[int, bool]:
    """Where the import goes, and whether it follows another import."""
    at, imports = 0, False
    for index, statement in enumerate(tree.body):
        if _is_import(statement):
            at, imports = index + 1, True
        elif index == 0 and _is_docstring(statement):
            at = 1
        else:
            break
    return at, imports


def _is_import(statement: cst.CSTNode) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(small, cst.Import | cst.ImportFrom) for small in statement.body
    )


def _is_docstring(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
            return True
    return False


def _same_section(statement: cst.CSTNode, module: str) -> bool:
    """True if an import line for `module` may follow `statement` without a blank line."""
    if module.startswith("from ."):
        return _is_relative(statement)
    name = _absolute(statement)
    return name is None or (name != FUTURE and _is_stdlib(name) == _is_stdlib(module))


def _absolute(statement: cst.CSTNode) -> str | None:
    """The module that an import names, if that is not relative."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Import(names=[cst.ImportAlias(name=name), *_]), *_]):
            return helpers.get_full_name_for_node_or_raise(name)
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.BaseExpression() as name, relative=[]), *_]):
            return helpers.get_full_name_for_node_or_raise(name)
    return None


def _is_plain(statement: cst.CSTNode) -> bool:
    """True for `import a`, which comes before `from a import b`."""
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Import)


def _is_stdlib(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_relative(statement: cst.CSTNode) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.ImportFrom(relative=[_, *_]), *_]):
            return True
    return False


def _leading(statement: cst.CSTNode) -> list[cst.EmptyLine]:
    return list(getattr(statement, "leading_lines", ()))


def _starts_blank(statement: cst.CSTNode) -> bool:
    lines = _leading(statement)
    return bool(lines) and lines[0].comment is None
