"""
## What it does

Finds calls of `nn.RNN`, `nn.LSTM` and `nn.GRU` in compiled code, and of their methods: `rnn.flatten_parameters()`; and
where their settings are read, `self.rnn.hidden_size`, or their class, `isinstance(self.rnn, nn.LSTM)`.

## Why it breaks the graph

Dynamo does not trace these modules unless `torch._dynamo.config.allow_rnn` is set, since compiling them unrolled is
slow. It stops where it meets one, whatever is done with it.

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
from graphmend_lint.facts.values import MODULE, NONE, RECURRENT, RNNS, Value
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rule import rule

ASKS: Final = "builtins.isinstance"
#: what recurrent modules hold, and few others
SETTINGS: Final = frozenset(
    "input_size hidden_size num_layers bidirectional batch_first proj_size weight_ih_l0 weight_hh_l0".split()
)


def _of_rnn(name: str, facts: Facts) -> bool:
    return name in RNNS or name.rpartition(".")[0] in RNNS or name == ASKS


@rule("GM404", graph_breaks=("GB0014",), calls=_of_rnn)
def rnn_module(node: ast.Call | ast.Attribute, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.Attribute):
        if node.attr in SETTINGS and _is_rnn(facts.value(node.value)):
            yield Finding(node, f"reading `{facts.text(node)}` breaks the graph, as Dynamo does not trace the module")
        return
    if facts.resolve(node.func) == ASKS:
        if node.args and isinstance(node.args[0], ast.Attribute) and _is_rnn(facts.value(node.args[0])):
            yield Finding(node, f"reading `{facts.text(node.args[0])}` breaks the graph, as Dynamo does not trace it")
        return
    called = _used(node.func, facts)
    if _is_rnn(called):
        kind = "a recurrent module" if called.name == RECURRENT else f"`{(called.name or '').removeprefix('torch.')}`"
        yield Finding(node, f"Dynamo does not trace {kind} by default")


def _is_rnn(value: Value) -> bool:
    return not value.kinds & ~(MODULE | NONE) and value.name in RNNS


def _used(function: ast.expr, facts: Facts) -> Value:
    """The module that is called, or whose method is: `self.rnn.flatten_parameters()` breaks the graph, too."""
    value = facts.value(function)
    return value if value.kinds & MODULE or not isinstance(function, ast.Attribute) else facts.value(function.value)


@rnn_module.fixer
def refuse(node: ast.Call | ast.Attribute, facts: Facts) -> Fix | Refusal:
    return Refusal(
        "rnn-not-traced", "`torch._dynamo.config.allow_rnn = True` unrolls it: slow to compile, and fails for some"
    )
