"""
## What it does

Finds calls of logger methods and of the functions of `logging`, also through wrappers, and for levels that are off.

## Why it breaks the graph

Dynamo does not trace the logging machinery, whatever the level. It ends the graph, runs the call in Python, and begins
another graph; each enclosing function is split as well.

## Example

```python
import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    logger.info("running")
    return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        logger.info("running")
    return x + 1


compiled = torch.compile(forward)
```

## Fix safety

Unsafe: the message is not emitted when compiled. Eager mode is unchanged. Refused if the value of the call is used, or
if evaluating its arguments changes something or draws random numbers, in functions of the program as well. The setting
`side-effects` chooses something else: `"guard"` accepts the loss, `"once"` keeps constant messages once per trace,
`"vendor"` keeps all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.text_calls import is_log
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.policy import keep
from graphmend_lint.rule import Option, rule

FUNCTIONS: Final = Option("functions", "more functions that log; `a.b.*` stands for all below `a.b`")
LOGGERS: Final = Option("loggers", "more objects whose methods log, such as `loguru.logger`")


@rule("GM302", graph_breaks=("GB0291", "GB4841"), options=(FUNCTIONS, LOGGERS), calls=is_log)
def log_call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    if is_log(facts.resolve(node.func), facts):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`")


@log_call.fixer
def skip(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return keep(node, facts, "The message is not emitted when compiled.")
