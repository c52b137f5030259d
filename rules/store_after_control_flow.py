"""
## What it does

Finds attributes that are stored after `torch.cond` or `while_loop`, in the two cases where torch 2.13 loses the store:
another attribute of the same object was stored before the operator; or an arm reads a buffer of the object, and a
buffer is stored.

## Why it breaks the graph

It does not: it is worse. When Dynamo comes back from tracing the arms, it forgets the object's later stores. No error
is raised, and the attribute keeps its old value.

## Example

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls = 1
        y = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        self.last = y
        return y
```

Use instead:

```python
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        self.calls = 1
        self.last = y
        return y
```

## Fix safety

There is no automatic fix: whether the stores may change their order depends on who reads them. Bind buffers to local
names before the operator, and store after it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rule import rule
from graphmend_lint.shapes import CONTROL_FLOW, walk_function
from graphmend_lint.syntax import kept, walk

WORDS = (".cond(", " cond(", "while_loop")  #: a text without them has no torch.cond


@rule("GM903", graph_breaks=())
def store_after_control_flow(node: ast.Assign, facts: Facts) -> Iterator[Finding]:
    store = _store(node)
    if store is None or not _may_hold_control_flow(facts):
        return
    function = facts.function(node)
    if not isinstance(function, ast.FunctionDef):
        return
    for call in _control_flow(function, facts):
        if call.lineno <= node.lineno and _is_lost(store, call, function, facts):
            text = facts.text(call.func)
            yield Finding(node, f"the store is lost when compiled: it comes after `{text}`", Severity.WARNING)
            return


@kept(4)
def _may_hold_control_flow(facts: Facts) -> bool:
    return any(word in facts.source.text for word in WORDS)


def _store(node: ast.AST) -> ast.Attribute | None:
    """The `x.name` that a statement stores; None for any other statement or target."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name()) as target]):
            return target
    return None


def _control_flow(function: ast.FunctionDef, facts: Facts) -> list[ast.Call]:
    calls = [each for each in walk_function(function) if isinstance(each, ast.Call)]
    return [each for each in calls if facts.resolve(each.func) in CONTROL_FLOW]


def _is_lost(store: ast.Attribute, call: ast.Call, function: ast.FunctionDef, facts: Facts) -> bool:
    assert isinstance(store.value, ast.Name)
    owner = store.value.id
    buffers, plain = _attributes(function, facts)
    if store.attr in buffers:
        return bool(_read_in_arms(call, function, owner) & buffers)
    before = [each for each in walk_function(function) if getattr(each, "lineno", call.lineno) < call.lineno]
    stored = [found for each in before if (found := _store(each)) is not None]
    return store.attr in plain and any(getattr(each.value, "id", "") == owner for each in stored)


def _attributes(function: ast.FunctionDef, facts: Facts) -> tuple[set[str], set[str]]:
    """Names of the buffers that the class around registers, and of the plain attributes that it sets up."""
    above = facts.parent(function)
    buffers: set[str] = set()
    plain: set[str] = set()
    for each in walk(above) if isinstance(above, ast.ClassDef) else ():
        match each:
            case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=str(name)), *_]):
                buffers.add(name)
            case ast.FunctionDef(name="__init__"):
                stores = (_store(statement) for statement in walk(each))
                plain |= {found.attr for found in stores if found is not None}
    return buffers, plain - buffers


def _read_in_arms(call: ast.Call, function: ast.FunctionDef, owner: str) -> set[str]:
    """Attributes of `owner` that the arms of the operator read themselves."""
    named = {each.id for each in call.args if isinstance(each, ast.Name)}
    inner = [each for each in walk(function) if isinstance(each, ast.FunctionDef) and each.name in named]
    arms = [*(each for each in call.args if isinstance(each, ast.Lambda)), *inner]
    return {
        child.attr
        for arm in arms
        for child in walk(arm)
        if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and child.value.id == owner
    }


@store_after_control_flow.fixer
def refuse(node: ast.Assign, facts: Facts) -> Fix | Refusal:
    return Refusal("store-order", "move the stores behind the operator, and give its arms local names")
