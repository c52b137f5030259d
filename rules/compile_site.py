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
know more of it. Once `graphmend-lint verify` has run the compiled code, it is safe. It is applied last, when nothing
else in the file can be fixed.

Inductor of torch 2.13 fails on some slices of such a size if gradients are taken through them. Its bounds help:
`torch._check(n >= 0)` and `torch._check(n <= x.shape[0])` before `x[:n]`. They hold in eager mode, too, so they are not
written for you.

A site that has breaks of other kinds, which `fullgraph=True` rejects, is not reported: they are, each by its own rule.
With the option `blocked = "name"`, it is, and says which ones stand in the way.
What is compiled with `fullgraph=True`, and not without it elsewhere in the given files, has no breaks of this kind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.sites import TAKEN, CompileSite
from graphmend_lint.model import Applicability, Diagnostic, Finding, Fix, Refusal, Severity
from graphmend_lint.rule import Option, rule

BLOCKED = Option("blocked", 'with `"name"`, sites are told what stands in the way of one graph', ("silent", "name"))
CAVEAT = "Compiling fails at a break that is not seen here, and at a size that the backend has to know more of."


@rule("GM904", graph_breaks=(), options=(BLOCKED,))
def compile_site(node: ast.Module, facts: Facts) -> Iterator[Finding]:
    for site in facts.sites:
        hard = _hard(site)
        if not hard and any(each.fix is None or each.fix.opens for each in site.breaks):
            words = f"`fullgraph=True` takes into one graph: {_listed(site.breaks, facts)}"
            yield Finding(site.node, words, Severity.WARNING)
        elif hard and facts.lists("compile-site.blocked", "name"):
            count = (
                f"{len(hard)} of {len(site.breaks)} graph breaks stand"
                if len(site.breaks) > 1
                else "a graph break stands"
            )
            yield Finding(site.node, f"{count} in the way of one graph: {_listed(hard, facts)}", Severity.WARNING)


def _hard(site: CompileSite) -> list[Diagnostic]:
    """The breaks that `fullgraph=True` does not take."""
    return [each for each in site.breaks if each.severity is Severity.ERROR or TAKEN.isdisjoint(each.graph_breaks)]


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
    if any(_hard(site) for site in facts.sites if site.node is node):
        return Refusal("breaks-remain", "`fullgraph=True` would fail at them")
    return Fix(
        title="Compile with `fullgraph=True`",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.keyword(node, "fullgraph", "True"),),
        caveat=CAVEAT,
        last=True,
    )
