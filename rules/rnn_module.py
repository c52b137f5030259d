"""
## What it does

Finds calls of `nn.RNN`, `nn.LSTM` and `nn.GRU` in compiled code, and of their methods: `rnn.flatten_parameters()`.

## Why it breaks the graph

Dynamo does not trace these modules unless `torch._dynamo.config.allow_rnn` is set, since compiling them unrolled is
slow.

## Example

```python
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.rnn(x)[0]
```

Use instead:

```python
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Conv1d(4, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mix(x)
```

## Fix safety

There is no automatic fix. `torch._dynamo.config.allow_rnn = True` has Dynamo trace such modules, in the whole program,
and unrolls them: measured on torch 2.13 for the CPU, five steps of a GRU with four features take 24 seconds to compile,
and as long again for another length; an LSTM in eval mode whose weights require gradients does not compile at all with
AOTAutograd. Compiling the parts around the module costs one break.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import MODULE, RECURRENT, RNNS, Value
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule


def _of_rnn(name: str, facts: Facts) -> bool:
    return name in RNNS or name.rpartition(".")[0] in RNNS


@rule("GM404", graph_breaks=("GB0014",), calls=_of_rnn)
def rnn_module(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    called = _used(node.func, facts)
    if called.kinds == MODULE and called.name in RNNS:
        kind = "a recurrent module" if called.name == RECURRENT else f"`{called.name.removeprefix('torch.')}`"
        yield Finding(node, f"Dynamo does not trace {kind} by default")


def _used(function: ast.expr, facts: Facts) -> Value:
    """The module that is called, or whose method is: `self.rnn.flatten_parameters()` breaks the graph, too."""
    value = facts.value(function)
    return facts.value(function.value) if value.kinds != MODULE and isinstance(function, ast.Attribute) else value


@rnn_module.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal(
        "rnn-not-traced", "`torch._dynamo.config.allow_rnn = True` unrolls it: slow to compile, and fails for some"
    )
