"""
## What it does

Finds `print`, and what writes to standard output like it, in compiled code.

## Why it breaks the graph

Printing is an effect that Python must perform in order, so Dynamo ends the graph before it and begins another after it.
`torch._higher_order_ops.print` is an operator of the graph: it formats and prints when the graph runs.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    print("rows:", x.shape[0])
    return x + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    torch._higher_order_ops.print("rows: {!s}", x.shape[0])
    return x + 1


compiled = torch.compile(forward)
```

## Fix safety

The operator prints the same text, compiled or not; f-strings, `str.format`, `%s`, `str` and `repr` become its fields.

- **Safe** if no tensor is printed.
- **Unsafe** if one is: a tensor that requires grad shows its `grad_fn` in eager mode only. What the operator does not
  take (sizes, lists, dicts, unknown values, `end`, `file`, `flush`) is kept for eager mode, under
  `if not torch.compiler.is_compiling():`, and not printed when compiled.

The setting `side-effects` chooses something else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.text_calls import is_print
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.defer import text_only_test
from graphmend_lint.rewrite.policy import keep
from graphmend_lint.rewrite.printing import print_op
from graphmend_lint.rule import Option, rule

FUNCTIONS: Final = Option("functions", "more functions that print; `a.b.*` stands for all below `a.b`")


@rule("GM301", graph_breaks=("GB0059", "GB0156"), options=(FUNCTIONS,), calls=is_print)
def print_call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    if is_print(facts.resolve(node.func), facts):
        yield Finding(node, f"`{facts.text(node.func)}` writes text while the graph is traced")


@print_call.fixer
def print_in_graph(node: ast.Call, facts: Facts) -> Fix | Refusal:
    statement = statement_of(node, facts)
    operator = facts.side_effects == "print-op" and facts.print_op
    plain = operator and facts.resolve(node.func) == "builtins.print" and isinstance(statement, ast.Expr)
    if plain and isinstance(statement, ast.Expr) and text_only_test(statement, facts) is None:
        found = print_op(statement, facts)
        if found is not None:
            return found
    return keep(node, facts, "The text is not printed when compiled.")
