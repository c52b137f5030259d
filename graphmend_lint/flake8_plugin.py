"""`flake8 --select GM`: the same diagnostics from flake8, on the tree it has parsed already.

flake8 hands over one file at a time, so calls from files that the linted one does not import are not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from graphmend_lint import __version__, budget, engine
from graphmend_lint.config import Settings, load_settings
from graphmend_lint.rule import Rule, load_rules
from graphmend_lint.source import Source

NOT_ANALYSED: Final = "GM000"  #: the code under which flake8 shows what went wrong in the analysis


class Plugin:
    """What flake8 makes for each file and runs."""

    name = "graphmend-lint"
    version = __version__

    def __init__(self, tree: ast.Module, filename: str, lines: Sequence[str]) -> None:
        self.source = Source(Path(filename), "".join(lines))
        self.source.tree = tree  # not parsed again

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Row, column from 0, text, and who says it. flake8 itself heeds `# noqa`."""
        settings, rules = _chosen(self.source.path.absolute().parent)
        trouble: list[str] = []
        with budget.limits():
            found = engine.lint([self.source], rules, settings, trouble=trouble)
        for each in found:
            start = each.span.start
            yield start.row, start.column - 1, f"{each.code} {each.message}", type(self)
        for line in trouble:
            yield 1, 0, f"{NOT_ANALYSED} {line}", type(self)


@cache
def _chosen(folder: Path) -> tuple[Settings, list[Rule]]:
    """The settings of files in a folder, and the rules that they select."""
    settings = load_settings([folder])
    settings.check(load_rules())
    return settings, [rule for code, rule in load_rules().items() if settings.selects(code)]
