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
WAITING: Final = frozenset({"acquire", "release", "wait", "notify", "set", "clear", "put", "get", "join", "notify_all"})
DRAWING: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})
SCRIPTS: Final = frozenset({"torch.jit.trace", "torch.jit.load"})


@rule("GM408", graph_breaks=("GB0142", "GB0156", "GB0025", "GB4695", "GB0008", "GB7650"))
def foreign_object(node: ast.Call | ast.With, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.With):
        for item in node.items:
            if (maker(item.context_expr, facts) or "").removeprefix("threading.") in LOCKS:
                yield Finding(item.context_expr, f"Dynamo cannot enter the lock `{facts.text(item.context_expr)}`")
    elif facts.kinds(node.func) & UNKNOWN and (why := _why(node, facts)):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`: it {why}")


def _why(node: ast.Call, facts: Facts) -> str | None:
    """What keeps the call out of the graph."""
    match node.func:
        case ast.Attribute(value=owner, attr="step") if (maker(owner, facts) or "").startswith("torch.optim."):
            return "takes a step of an optimizer" if "lr_scheduler" not in (maker(owner, facts) or "") else None
        case ast.Attribute(value=owner, attr=attr) if attr in WAITING:
            return (
                "waits for other threads" if (maker(owner, facts) or "").startswith(("threading.", "queue.")) else None
            )
        case ast.Attribute(value=owner, attr=attr) if attr in DRAWING and maker(owner, facts) == "torch.Generator":
            return "changes a random number generator"
    name = maker(node.func, facts)
    if name == "torch.jit.script" and isinstance(node.func, ast.Attribute):
        return "runs TorchScript"
    return "runs TorchScript" if name in SCRIPTS else None


@foreign_object.fixer
def refuse(node: ast.Call | ast.With, facts: Facts) -> Fix | Refusal:
    return Refusal("call-not-traceable", "the object has to stay outside of the compiled code")
