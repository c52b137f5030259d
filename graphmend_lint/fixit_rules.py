"""The same diagnostics as fixit rules: `enable = ["graphmend_lint.fixit_rules"]`. Class names are the codes.

fixit hands over one file at a time, so calls from files that the linted one does not import are not seen. It replaces
one node by one other: fixes that need more are reported, and left to `graphmend-lint --fix`. It does not say which file
it is: the configuration that counts is that of the current folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst
from fixit import LintRule
from libcst.metadata import CodePosition, CodeRange, PositionProvider

from graphmend_lint import budget, engine
from graphmend_lint.config import Settings, load_settings
from graphmend_lint.model import Applicability, Diagnostic, Edit
from graphmend_lint.rewrite.imports import name_of
from graphmend_lint.rewrite.site import EditError, Site
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

if TYPE_CHECKING:  # on Python 3.10, fixit takes such a name for a class, and asks what it derives from
    Corners = tuple[type[cst.CSTNode], CodeRange]


@lru_cache(maxsize=4)
def lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
    """The diagnostics of a text; every rule of a run asks for the same one."""
    source = Source(Path("module.py"), text)
    settings = chosen()
    rules = [rule for code, rule in load_rules().items() if settings.selects(code)]
    trouble: list[str] = []
    with budget.limits():
        found = engine.lint([source], rules, settings, trouble=trouble)
    sys.stderr.writelines(f"{line}\n" for line in trouble)
    return source, tuple(found)


@cache
def chosen() -> Settings:
    """The settings of the current folder."""
    settings = load_settings([Path()])
    settings.check(load_rules())
    return settings


@lru_cache(maxsize=4)
def site(source: Source) -> Site:
    return Site(source)


class _Rule(LintRule):
    """What all classes below share."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def visit_Module(self, node: cst.Module) -> None:  # noqa: N802 - the name says when it is called
        source, found = lint(node.code)
        mine = [each for each in found if each.code == self.name]
        if mine:
            nodes = {corners: each for each in _below(node) if (corners := self._corners(each))}
            for each in mine:
                self._tell(each, source, nodes)

    def _corners(self, node: cst.CSTNode) -> Corners | None:
        where = self.get_metadata(PositionProvider, node, None)
        return (type(node), where) if isinstance(where, CodeRange) else None

    def _tell(self, each: Diagnostic, source: Source, nodes: dict[Corners, cst.CSTNode]) -> None:
        where = _range(each)
        edit = only_edit(each, source)
        if edit is not None and (corners := (type(edit.node), site(source).ranges[edit.node])) in nodes:
            self.report(nodes[corners], each.message, position=where, replacement=edit.replacement)
        else:
            place = next((found for (_, at), found in nodes.items() if at == where), None)
            self.report(place or _statement_at(where, nodes), each.message, position=where)


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for child in node.children:
        yield child
        yield from _below(child)


def _range(each: Diagnostic) -> CodeRange:
    start, end = each.span.start, each.span.end
    return CodeRange(CodePosition(start.row, start.column - 1), CodePosition(end.row, end.column - 1))


def _statement_at(where: CodeRange, nodes: dict[Corners, cst.CSTNode]) -> cst.CSTNode:
    """The innermost node around a place."""
    around = (
        found
        for (_, at), found in nodes.items()
        if _key(at.start) <= _key(where.start) and _key(where.end) <= _key(at.end)
    )
    return list(around)[-1]


def _key(at: CodePosition) -> tuple[int, int]:
    return at.line, at.column


def only_edit(each: Diagnostic, source: Source) -> Edit | None:
    """The edit of a fix that keeps the meaning and is no more than one node for another."""
    if each.fix is None or each.fix.applicability is not Applicability.SAFE:
        return None
    if any(name_of(name, source.tree) is None for name in each.fix.imports):
        return None
    try:
        edits = each.fix.edits(site(source))
    except EditError:
        return None
    return edits[0] if len(edits) == 1 else None


for _code, _rule in load_rules().items():
    globals()[_code] = type(_code, (_Rule,), {"MESSAGE": _rule.name, "__doc__": _rule.doc, "__module__": __name__})
del _Rule  # or fixit would take it for a rule too
