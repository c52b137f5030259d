"""
## What it does

Finds uses of objects that Dynamo cannot trace, made at the top of the file or in the class: locks, queues and events,
optimizers, random number generators, context variables, scripted and traced modules. And `with device:`, which says
where new tensors are made.

## Why it breaks the graph

Locks wait, optimizers change what the graph is compiled for, and TorchScript runs in its own interpreter. Dynamo leaves
the graph for them. It does not know how to enter a device: tell it to the functions that make tensors, `device=...`.

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
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

LOCKS: Final = frozenset(
    f"threading.{name}()" for name in ("Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore")
)
WAITING: Final = frozenset("acquire release wait notify notify_all set clear put get join".split())
CONTEXT: Final = frozenset({"get", "set", "reset"})
SEEDING: Final = frozenset({"manual_seed", "seed", "initial_seed", "get_state", "set_state"})
SCRIPTS: Final = frozenset({"torch.jit.trace()", "torch.jit.load()", "torch.jit.script()"})


@rule(
    "GM408",
    graph_breaks=("GB0142", "GB0156", "GB0025", "GB4695", "GB0008", "GB7650"),
    calls=lambda name, _: "()" in name,
)
def foreign_object(node: ast.Call | ast.With, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.With):
        yield from (_entered(item, facts) for item in node.items if _kind(item.context_expr, facts))
    elif (name := facts.resolve(node.func)) and "()" in name and (why := _why(name)):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`: it {why}")


def _entered(item: ast.withitem, facts: Facts) -> Finding:
    node = item.context_expr
    return Finding(node, f"Dynamo cannot enter the {_kind(node, facts)} `{facts.text(node)}`")


def _kind(node: ast.expr, facts: Facts) -> str | None:
    """What Dynamo cannot enter: "lock", "device"; None for anything else."""
    if facts.resolve(node) in LOCKS:
        return "lock"
    given = definition(node, facts).value if isinstance(node, ast.Name) else node
    match given:
        case ast.Call(func=func) if facts.resolve(func) == "torch.device":
            return "device"
        case ast.Attribute(value=owner, attr="device") if facts.kinds(owner) == TENSOR:
            return "device"
    return None


def _why(name: str) -> str | None:
    """Why a call of this object, or of one of its methods, does not get into the graph; None if it may."""
    made, _, method = name.rpartition(".") if not name.endswith("()") else (name, "", "")
    if name in SCRIPTS or made in SCRIPTS:
        return "runs TorchScript"
    if made.startswith(("threading.", "queue.")) and method in WAITING:
        return "waits for other threads"
    if made == "contextvars.ContextVar()" and method in CONTEXT:
        return "holds a value for each context"
    if made == "torch.Generator()" and method in SEEDING:
        return "changes a random number generator"
    if made.startswith("torch.optim.") and "lr_scheduler" not in made and method == "step":
        return "takes a step of an optimizer"
    return None


@foreign_object.fixer
def refuse(node: ast.Call | ast.With, facts: Facts) -> Fix | Refusal:
    return Refusal("call-not-traceable", "the object has to stay outside of the compiled code")
