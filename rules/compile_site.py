"""
## What it does

Finds calls of `torch.compile`, decorators, and `model.compile()`, from which Dynamo meets no other graph breaks than
those that `fullgraph=True` takes into the graph: numbers read from tensors, sizes and shapes that depend on data. At
least one of them has no fix of its own.

## Why it breaks the graph

It does not; the breaks do that the message lists. In default mode Dynamo ends the graph where a number or a shape is
known only when it runs. `fullgraph=True` turns that off: such numbers and sizes stay symbolic, and the whole region
becomes one graph.

## Example

```python
import torch


@torch.compile
def forward(x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, torch.zeros(length.item())])
```

Use instead:

```python
import torch


@torch.compile(fullgraph=True)
def forward(x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, torch.zeros(length.item())])
```

## Fix safety

The fix is unsafe. Eager mode is not touched, and results stay the same; but with `fullgraph=True`, compilation fails
where it used to go on: at a break that is not seen here, or at a size that depends on data where the backend needs to
know more of it. Once `graphmend-lint verify` has run the compiled code, it is safe.

A site that has breaks of other kinds, which `fullgraph=True` rejects, is not reported: they are, each by its own rule.
What is compiled with `fullgraph=True`, and not without it elsewhere in the given files, has no breaks of this kind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.sites import TAKEN, CompileSite
from graphmend_lint.model import Applicability, Diagnostic, Finding, Fix, Refusal, Severity
from graphmend_lint.rule import rule

CAVEAT = "Compiling fails at a break that is not seen here, and at a size that the backend has to know more of."


@rule("GM904", graph_breaks=())
def compile_site(node: ast.Module, facts: Facts) -> Iterator[Finding]:
    for site in facts.sites:
        if _is_absorbed(site):
            words = f"`fullgraph=True` takes into one graph: {_listed(site.breaks, facts)}"
            yield Finding(site.node, words, Severity.WARNING)


def _is_absorbed(site: CompileSite) -> bool:
    """True if all breaks are of the kind that `fullgraph=True` takes, and not all of them can be mended."""
    return all(map(_is_tolerated, site.breaks)) and any(each.fix is None for each in site.breaks)


def _is_tolerated(found: Diagnostic) -> bool:
    return found.severity is Severity.WARNING and not TAKEN.isdisjoint(found.graph_breaks)


def _listed(breaks: list[Diagnostic], facts: Facts) -> str:
    """Codes, rows and files: `GM201 in line 12; GM501 in lines 15 and 18 of other.py`."""
    rows: dict[tuple[str, str], list[int]] = {}
    for each in breaks:
        file = "" if each.path == facts.source.path else f" of {each.path.name}"
        rows.setdefault((each.code, file), []).append(each.span.start.row)
    return "; ".join(f"{code} in {_rows(sorted(set(found)))}{file}" for (code, file), found in rows.items())


def _rows(rows: list[int]) -> str:
    *first, last = map(str, rows)
    return f"lines {', '.join(first)} and {last}" if first else f"line {last}"


@compile_site.fixer
def whole_graph(node: ast.expr, facts: Facts) -> Fix | Refusal:
    return Fix(
        title="Compile with `fullgraph=True`",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.keyword(node, "fullgraph", "True"),),
        caveat=CAVEAT,
        last=True,
    )
