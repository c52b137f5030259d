"""
## What it does

Finds imports in compiled code that may fail: those that stand in a `try` which catches `ImportError`, and which the
function surely comes to.

## Why it breaks the graph

Where the module is missing, Dynamo compiles nothing of the function at all. Where it is there, the import is traced.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    try:
        import fast_kernels
    except ImportError:
        return x * 2
    return fast_kernels.double(x)


compiled = torch.compile(forward)
```

Use instead:

```python
import torch

try:
    import fast_kernels
except ImportError:
    fast_kernels = None


def forward(x: torch.Tensor) -> torch.Tensor:
    if fast_kernels is None:
        return x * 2
    return fast_kernels.double(x)


compiled = torch.compile(forward)
```

## Fix safety

There is no automatic fix: the import would run when the file is imported, and what it does then may not be wanted.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rule import rule
from graphmend_lint.syntax import walk

CAUGHT: Final = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
LEAVES: Final = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)
#: what compiled code cannot do without
THERE: Final = sys.stdlib_module_names | {"torch", "numpy"}


@rule("GM411", graph_breaks=("GB0069",))
def missing_import(node: ast.Import | ast.ImportFrom, facts: Facts) -> Iterator[Finding]:
    missing = [each for each in _modules(node) if each.partition(".")[0] not in THERE]
    if not missing or not isinstance(facts.function(node), ast.FunctionDef) or not _is_caught(node, facts):
        return
    if not any(each.partition(".")[0] in facts.source.path.parts for each in missing):
        yield Finding(node, f"where `{missing[0]}` is not installed, nothing here is compiled", Severity.WARNING)


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that are imported; relative imports are left out."""
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    return [node.module] if node.module and not node.level else []


def _is_caught(node: ast.stmt, facts: Facts) -> bool:
    """True if a `try` that is always reached catches what a missing module raises."""
    around = facts.parent(node)
    if not isinstance(around, ast.Try) or node not in around.body or not any(map(_catches, around.handlers)):
        return False
    function = facts.parent(around)
    before = function.body[: function.body.index(around)] if isinstance(function, ast.FunctionDef) else None
    return before is not None and not any(isinstance(each, LEAVES) for part in before for each in walk(part))


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(each is None or (isinstance(each, ast.Name) and each.id in CAUGHT) for each in kinds)


@missing_import.fixer
def refuse(node: ast.Import | ast.ImportFrom, facts: Facts) -> Fix | Refusal:
    return Refusal("import-may-fail", "import it at the top of the file, and ask there whether it is there")
