"""
## What it does

Finds uses of objects that Dynamo cannot trace, made at the top of the file or in the class: locks, queues and events,
optimizers, random number generators, scripted and traced modules.

## Why it breaks the graph

Locks wait, optimizers change what the graph is compiled for, and TorchScript runs in its own interpreter. Dynamo leaves
the graph for them.

## Example

```python
import threading

import torch

lock = threading.Lock()


def forward(x: torch.Tensor) -> torch.Tensor:
    with lock:
        return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import threading

import torch

lock = threading.Lock()


def forward(x: torch.Tensor) -> torch.Tensor:
    return x + 1


compiled = torch.compile(forward)


def locked(x: torch.Tensor) -> torch.Tensor:
    with lock:
        return compiled(x)
```

## Fix safety

There is no automatic fix: use the object where the compiled code is called from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.made import maker
from graphmend_lint.facts.values import UNKNOWN
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

LOCKS: Final = frozenset({"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"})
#: by the name of a method: how the constructor of its object begins, and what the method does
METHODS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "step": (("torch.optim.",), "takes a step of an optimizer"),
    **dict.fromkeys(
        ("acquire", "release", "wait", "notify", "notify_all", "set", "clear", "put", "get", "join"),
        (("threading.", "queue."), "waits for other threads"),
    ),
    **dict.fromkeys(
        ("manual_seed", "seed", "initial_seed", "get_state", "set_state"),
        (("torch.Generator",), "changes a random number generator"),
    ),
}
SCRIPTS: Final = frozenset({"torch.jit.trace", "torch.jit.load"})


@rule("GM408", graph_breaks=("GB0142", "GB0156", "GB0025", "GB4695", "GB0008", "GB7650"))
def foreign_object(node: ast.Call | ast.With, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.With):
        if "threading" in facts.source.text:
            yield from (_entered(item, facts) for item in node.items if _is_lock(item, facts))
    elif facts.kinds(node.func) & UNKNOWN and (why := _why(node.func, facts)):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`: it {why}")


def _is_lock(item: ast.withitem, facts: Facts) -> bool:
    return (maker(item.context_expr, facts) or "").removeprefix("threading.") in LOCKS


def _entered(item: ast.withitem, facts: Facts) -> Finding:
    return Finding(item.context_expr, f"Dynamo cannot enter the lock `{facts.text(item.context_expr)}`")


def _why(called: ast.expr, facts: Facts) -> str | None:
    """What keeps the call out of the graph."""
    if isinstance(called, ast.Attribute) and called.attr in METHODS:
        start, why = METHODS[called.attr]
        named = any(each.strip(".").rpartition(".")[2] in facts.source.text for each in start)
        made = (maker(called.value, facts) or "") if named else ""
        return why if made.startswith(start) and "lr_scheduler" not in made else None
    if "torch.jit" not in facts.source.text and "import jit" not in facts.source.text:
        return None
    name = maker(called, facts)
    scripted = name == "torch.jit.script" and isinstance(called, ast.Attribute)
    return "runs TorchScript" if scripted or name in SCRIPTS else None


@foreign_object.fixer
def refuse(node: ast.Call | ast.With, facts: Facts) -> Fix | Refusal:
    return Refusal("call-not-traceable", "the object has to stay outside of the compiled code")
