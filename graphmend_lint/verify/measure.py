"""Count what Dynamo does: graphs, break events with their sites, recompiles. Runs in the worker only."""

from __future__ import annotations

import json
import linecache
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import torch
import torch._dynamo as dynamo
from torch._dynamo import convert_frame, symbolic_convert
from torch._dynamo import exc as errors

from graphmend_lint.verify.coverage import Lines

_RECOMPILED = "get_and_maybe_log_recompilation_reasons"

TORCH = str(Path(torch.__file__).parent)


@dataclass(slots=True)
class Measured:
    """What was seen since the recording began."""

    graphs: int = 0
    timeline: list[dict[str, Any]] = field(default_factory=list)  #: each graph: its operations, and what ended it
    breaks: list[dict[str, Any]] = field(default_factory=list)
    recompiles: list[dict[str, Any]] = field(default_factory=list)
    log: IO[str] | None = None  #: where each row goes at once, as JSON lines, in case the process dies

    def add(self, kind: str, row: dict[str, Any]) -> None:
        """Keep a row of `breaks` or `recompiles`."""
        getattr(self, kind).append(row)
        if self.log is not None:
            self.log.write(json.dumps({"kind": kind, **row}) + "\n")
            self.log.flush()


@contextmanager
def recording(lines: Lines, log: IO[str] | None = None) -> Iterator[Measured]:
    """Record graph breaks, recompiles and traced lines while the block runs."""
    seen = Measured(log=log)
    translator = symbolic_convert.InstructionTranslatorBase
    log_break, starts_line = translator.log_graph_break, translator.starts_line
    reasons_of = getattr(convert_frame, _RECOMPILED)

    def on_break(self: Any, code_options: Any, reason: str, exc: Any) -> None:
        if not exc.logged:
            seen.add("breaks", break_row(exc, reason, code_options))
        log_break(self, code_options, reason, exc)

    def on_line(self: Any, line: int) -> None:
        lines.add(self.f_code.co_filename, line)
        starts_line(self, line)

    def on_recompile(entries: Any, frame: Any, *args: Any, **kwargs: Any) -> Any:
        reasons = reasons_of(entries, frame, *args, **kwargs)
        code = frame.f_code
        where = {"path": code.co_filename, "line": code.co_firstlineno, "function": code.co_name}
        seen.add("recompiles", {**where, "reason": (reasons or ["no reason given"])[0].strip()[:300]})
        return reasons

    hooks: list[tuple[Any, str, Any, Any]] = [
        (translator, "log_graph_break", log_break, on_break),
        (translator, "starts_line", starts_line, on_line),
        (convert_frame, _RECOMPILED, reasons_of, on_recompile),
    ]
    for owner, name, _, hook in hooks:
        setattr(owner, name, hook)
    try:
        yield seen
    finally:
        for owner, name, original, _ in hooks:
            setattr(owner, name, original)


@contextmanager
def saving(path: Path) -> Iterator[Measured]:
    """Record as `recording` does, and write each row to `path` at once."""
    with path.open("w", encoding="utf-8") as log, recording(Lines(()), log) as seen:
        yield seen


def break_row(error: BaseException, reason: str = "", code_options: Any = None) -> dict[str, Any]:
    """One break as JSON: GB id, reason, the user's line, the innermost line, a link."""
    kind = getattr(error, "gb_type", None) or type(error).__name__
    stack = list(getattr(error, "real_stack", None) or torch._guards.TracingContext.extract_stack())
    users = [frame for frame in stack if not frame.filename.startswith(TORCH)]
    site = (users or stack or [None])[-1]
    row: dict[str, Any] = {"gb_id": gb_id(kind), "gb_type": kind, "reason": _reason(reason or str(error))}
    row["url"] = errors.get_gbid_documentation_link(kind)
    row |= _site(site, code_options)
    row["files"] = list(dict.fromkeys(frame.filename for frame in users))
    if stack and stack[-1] is not site:
        row["inside"] = f"{stack[-1].filename}:{stack[-1].lineno}"
    return row


def _site(site: traceback.FrameSummary | None, code_options: Any) -> dict[str, Any]:
    if site is None:
        path = code_options["co_filename"] if code_options else "?"
        line = code_options["co_firstlineno"] if code_options else 0
        return {"path": path, "line": line, "function": "", "code": linecache.getline(path, line).strip()}
    code = linecache.getline(site.filename, site.lineno or 0).strip()
    return {"path": site.filename, "line": site.lineno or 0, "function": site.name, "code": code}


def gb_id(kind: str) -> str | None:
    """The id of a break type in torch's registry, if it is listed there."""
    known: dict[str, str] = errors._load_gb_type_to_gb_id_map()
    return known.get(kind)


def _reason(text: str) -> str:
    """The explanation, or else the first line."""
    lines = [line.strip() for line in text.strip().splitlines()]
    told = [line.removeprefix("Explanation: ") for line in lines if line.startswith("Explanation:")]
    return (told or lines or [""])[0][:300]


def counting_backend(name: str, seen: Measured) -> Callable[..., Any]:
    """The backend `name`, counting the graphs it is given."""
    inner = dynamo.lookup_backend(name)

    def backend(graph: Any, example_inputs: Any, **kwargs: Any) -> Any:
        seen.graphs += 1
        seen.timeline.append(_graph_row(graph, seen))
        return inner(graph, example_inputs, **kwargs)

    return backend


def _graph_row(graph: Any, seen: Measured) -> dict[str, Any]:
    """How many operations a graph holds, and the break that ended it, if one did."""
    operations = sum(node.op.startswith("call_") for node in graph.graph.nodes)
    reason = getattr(graph, "compile_subgraph_reason", None)
    ended_by = None
    if getattr(reason, "graph_break", False) and seen.breaks:
        last = seen.breaks[-1]
        ended_by = {name: last[name] for name in ("gb_id", "gb_type", "path", "line", "code")}
    return {"operations": operations, "ended_by": ended_by}
