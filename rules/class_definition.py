"""
## What it does

Finds classes that are defined inside compiled code.

## Why it breaks the graph

Dynamo does not run the body of a class. The graph ends before the statement.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    class Scale:
        factor = 2

    return x * Scale.factor


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


class Scale:
    factor = 2


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * Scale.factor


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: a class that is made once is not the same as one made at each call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule


@rule("GM406", graph_breaks=("GB8977", "GB0075"))
def class_definition(node: ast.ClassDef, facts: Facts) -> Iterator[Finding]:
    if facts.function(node) is not None:
        yield Finding(node, f"class `{node.name}` is defined while the graph is traced")


@class_definition.fixer
def refuse(node: ast.ClassDef, facts: Facts) -> Fix | Refusal:
    return Refusal("made-at-each-call", "a class that is made once is another than one made at each call")
