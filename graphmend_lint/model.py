"""The vocabulary: what a rule says (`Diagnostic`) and what it offers (`Fix`, or a `Refusal` with its reason).

Every run defines these classes, and a named tuple takes an eighth of a frozen dataclass's time to define.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum, IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import libcst as cst

    from graphmend_lint.rewrite.site import Site


class Severity(Enum):
    """What a graph break means: an error under `fullgraph=True`, or only a split graph."""

    ERROR = "error"  #: `fullgraph=True` fails
    WARNING = "warning"  #: a break in default mode, which `fullgraph=True` tolerates


class Applicability(IntEnum):
    """How far a fix may be trusted, from least to most."""

    DISPLAY = 0  #: shown, never applied
    UNSAFE = 1  #: applied on request; `Fix.caveat` says what may change
    SAFE = 2  #: applied by default; meaning is kept


class Position(NamedTuple):
    """A place in a text: 1-based row, 1-based column in code points (as ruff counts)."""

    row: int
    column: int


class Span(NamedTuple):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position


class Edit(NamedTuple):
    """One node of the syntax tree, and what stands there afterwards (`None`: nothing)."""

    node: cst.CSTNode
    replacement: cst.CSTNode | cst.FlattenSentinel[cst.CSTNode] | cst.RemovalSentinel


class TextEdit(NamedTuple):
    """A stretch of source text, and what stands there afterwards."""

    span: Span
    content: str
    cell: int | None = None  #: the cell of a notebook that the span is in


class Fix(NamedTuple):
    """A rewrite that removes a graph break: decided on facts, its edits built only when asked for.

    The edits apply together or not at all.
    """

    title: str  #: one line, imperative: "Select with `torch.where`"
    applicability: Applicability
    edits: Callable[[Site], tuple[Edit, ...]]
    caveat: str = ""  #: one sentence, for UNSAFE: what may change
    imports: tuple[str, ...] = ()  #: what the new code names: "torch", or a whole line "from . import effects"
    definitions: tuple[str, ...] = ()  #: functions that the new code calls, for the module's top level
    last: bool = False  #: only if nothing else in the file can be fixed
    opens: bool = False  #: makes room for another fix, and is worth nothing without it
    lessens: bool = False  #: fewer calls break the graph afterwards, but some may: the diagnostic stays
    otherwise: Fix | None = None  #: what is tried if this one leads nowhere

    @property
    def promised(self) -> Applicability:
        """How far the graph break is sure to go: what a fix only makes room for may be unsafe, or not there at all."""
        return min(self.applicability, Applicability.UNSAFE) if self.opens else self.applicability


class Refusal(NamedTuple):
    """Why there is no fix here: a stable reason, and one sentence for this place."""

    reason: str  #: "branch-may-raise"; docs/refusals.md lists them all
    detail: str


class Frame(NamedTuple):
    """One step of a call chain from an entry point to a diagnostic."""

    path: Path
    row: int
    name: str  #: qualified name of the function that is entered


class Finding(NamedTuple):
    """What a check yields: a node and a message; the engine adds the rest."""

    node: ast.expr | ast.stmt
    message: str
    severity: Severity = Severity.ERROR


class Diagnostic(NamedTuple):
    """One graph break: what, where, how Dynamo gets there, and how to fix it if we know."""

    code: str
    name: str
    message: str
    path: Path
    span: Span
    severity: Severity
    graph_breaks: tuple[str, ...]
    chain: tuple[Frame, ...]
    outcome: Fix | Refusal | None
    node: ast.AST  #: where it was found, for the fix engine

    @property
    def fix(self) -> Fix | None:
        return self.outcome if isinstance(self.outcome, Fix) else None

    @property
    def refusal(self) -> Refusal | None:
        return self.outcome if isinstance(self.outcome, Refusal) else None
