"""
## What it does

Finds operations whose result has a shape that depends on data: `nonzero`, one-argument `torch.where`, `masked_select`,
`unique`, `bincount`, indexing with a bool mask, `x[mask] += 1`, `one_hot` without `num_classes`.

## Why it breaks the graph

The graph is compiled for shapes that are known before it runs. In default mode Dynamo ends the graph at such an
operation. `fullgraph=True` captures most of them with an unknown size; those it cannot capture are errors.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    mask = x > 0
    return x[mask].sum()


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    mask = x > 0
    return torch.where(mask, x, 0).sum()


compiled = torch.compile(forward)
```

## Fix safety

Everything that is not listed here is refused: whether a fixed shape will do depends on what becomes of the result.

Selected elements that are reduced or stored:

- A reduction of them (`sum`, `mean`, `any`, `all`) becomes one of all elements, in which the others are neutral;
  `index_put` stands in for `torch.where` if the mask may have fewer dimensions than the tensor. Unsafe: the order of
  additions changes, and with it the last digits. A mean is the mean of all elements over the share that is selected, so
  that a sum in half precision cannot overflow.
- What it selects from is given a name first where it would be evaluated twice: `values = (x - y).abs()`.
- So does what is computed of each element before it is added up, `(x[mask] - y[mask]).abs().mean()` or
  `F.mse_loss(x[mask], y[mask])`, also by way of names, if there is a number (0 or 1) that may stand for the others,
  adds nothing, and has a finite gradient.
- A store under the mask that the value is selected by, `x[mask] = y[mask]`, and `x[mask] += 1`, becomes
  `x.copy_(torch.where(mask, y, x))`, which still changes `x` in place. Safe if both sides are proven to have the mask's
  shape and one dtype, else unsafe. Refused if the value is more than sums and products with numbers: the gradient of an
  element that is left out could be NaN.
- `F.cross_entropy(x[mask], y[mask])` with `mask = y != -100` becomes a loss with `ignore_index=-100`.

Indices and their number:

- The number of selected elements, `len(torch.nonzero(mask))` or `x[mask].shape[0]`, becomes `mask.sum()` where a 0-dim
  tensor serves as well as a number; see [scalar-read](scalar-read.md).
- If the code only asks whether there are any indices, `mask.nonzero().numel() == 0`, the mask is asked:
  `not mask.any()`. What depends on it is mended by the rule of the `if`.
- Indices such as `torch.where(mask)` become the mask if they are used for nothing but a reduction as above, or to store
  one number.

Rows that are selected, computed and stored back (unsafe):

- `rows = torch.where(mask)[0]` and `x[rows] = f(x[rows])` are computed for all of `x`, and stored where the mask holds;
  `if len(rows) > 0` then asks whether there are any rows at all. A function or module of the same file that is given
  `rows` is given the mask instead. It is proven that `f` takes each row of its result from the same row alone, through
  functions, modules and reshapes. Batch normalization sees all rows while training, and callers in other files have to
  pass a mask, too.
- `x[mask] = f(x[mask])` likewise, whatever dimensions the mask has, if `f` looks at nothing but the last dimension:
  linear layers, layer normalization, activations, arithmetic; also modules of a `ModuleList` that a loop goes over.
  `if mask.any():` around it becomes `if mask.numel() > 0:`. A mask that is computed there, `x[~mask] = f(x[~mask])`, is
  given a name first.
- Rows that a mask leaves out before the best of the rest are taken, `scores = scores[mask]` and `scores.topk(k)`, stay
  with a score of minus infinity. Where fewer than `k` are left, `topk` raised.

Loops (unsafe):

- A loop over such indices that only fills tensors, which were made right there and hold no gradients, becomes an
  operator of its own (`torch.library.custom_op`): it runs as it did, as one node of the graph. The operator is not
  fused with others, CUDA graphs leave it out, and a program that is exported needs its definition.
- A loop over experts, each of which computes the rows that are sent to it, `slot, row = torch.where(masks[i])`, and
  adds them weighted, `out.index_add_(0, row, expert(x[row]) * weights[row, slot, None])`, lets every expert compute all
  rows, weighted with zero where they are not sent. A loop over the experts that `nonzero` finds becomes one over all.
  It is offered if the experts are proven to compute row by row, and costs as much as if all rows were sent to all.

`F.one_hot(torch.cat([x, torch.arange(n)]))`, where each of `n` classes is added once so that the result is that wide,
is given `num_classes=n`. Unsafe: a class of `n` or more raises, where it made the result wider.

`torch.bincount(x, minlength=n)` becomes `one_hot(x, n).sum(0)`. Unsafe: a class of `n` or more, which made the result
longer, raises in eager mode, and is not counted in compiled code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts, torch_api
from graphmend_lint.facts.conditions import breaks
from graphmend_lint.facts.values import ANSWER, BOOL, CONTAINER, MODULE, NDARRAY, NONE, TENSOR, UNKNOWN, Value
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rewrite.all_classes import all_classes
from graphmend_lint.rewrite.class_counts import class_counts
from graphmend_lint.rewrite.experts import dense
from graphmend_lint.rewrite.flow import decides
from graphmend_lint.rewrite.left_out import kept_with_worst_score
from graphmend_lint.rewrite.masked import masked
from graphmend_lint.rewrite.masked_rows import masked_rows
from graphmend_lint.rewrite.named_mask import named_mask
from graphmend_lint.rewrite.named_value import named_value
from graphmend_lint.rewrite.opaque import opaque
from graphmend_lint.rule import rule

IDS = ("GB0036", "GB0246")
UNPROVEN = Refusal("value-unknown", "the index is not known to be a tensor")
PICKED = Refusal(
    "shape-depends-on-data", "torch forgets that the bools are known: index with the places of those that hold"
)


def _may_depend(name: str, facts: Facts) -> bool:
    entry = _entry(name) if name.startswith("torch.") else None
    return entry is not None and entry.breaks_gb in IDS


@rule("GM501", graph_breaks=IDS, calls=_may_depend)
def dynamic_shape(node: ast.Call | ast.Subscript | ast.AugAssign, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.Call):
        yield from _operation(node, facts)
    elif isinstance(node, ast.Subscript):
        if isinstance(node.ctx, ast.Load) and (is_masked(node, facts) or _is_picked(node, facts)):
            hard = Severity.ERROR if decides(node, facts) else Severity.WARNING
            yield Finding(node, "how many elements the mask selects depends on data", hard)
    elif isinstance(node.target, ast.Subscript) and is_masked(node.target, facts):
        yield Finding(node, "how many elements are assigned depends on data", Severity.WARNING)


def _operation(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    name = facts.resolve(node.func)
    entry = _entry(name) if name and name.startswith("torch.") else None
    if entry is None or entry.breaks_gb not in IDS or _makes_module(name or "", node, facts):
        return
    if breaks(entry, node, facts):
        hard = entry.breaks_severity == "error" or decides(node, facts)
        words = f"the shape that `{facts.text(node.func)}` returns depends on data"
        yield Finding(node, words, Severity.ERROR if hard else Severity.WARNING)


def _makes_module(name: str, node: ast.Call, facts: Facts) -> bool:
    """True for `nn.CTCLoss()`: the module breaks the graph when it is called."""
    return torch_api.module(name) is not None and facts.kinds(node.func) != MODULE


def _entry(name: str) -> torch_api.Entry | None:
    """The data of a function or module; that of the method of the same name, if a function's data does not say."""
    entry = torch_api.function(name) or torch_api.module(name)
    if entry is not None and entry.breaks_gb is None and name.count(".") == 1:
        return torch_api.method(name.removeprefix("torch.")) or entry
    return entry


def is_masked(node: ast.Subscript, facts: Facts) -> bool:
    """True for `x[mask]`: the index is a tensor of bools, or a comparison of unknown values."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    indexed = facts.kinds(node.value) & (TENSOR | NDARRAY | UNKNOWN)
    return bool(indexed) and any(_is_mask(part, facts) for part in parts)


def _is_mask(part: ast.expr, facts: Facts) -> bool:
    value = facts.value(part)
    maybe_none = value.kinds in (TENSOR, TENSOR | NONE)  # nobody takes rows of None
    return bool(value.traits & (BOOL if maybe_none else ANSWER if value.kinds == UNKNOWN else 0))


def _is_picked(node: ast.Subscript, facts: Facts) -> bool:
    """True for `x[:, [True, False]]`: torch makes a mask of a list of Python's bools, and looks where it holds."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return facts.kinds(node.value) == TENSOR and any(_holds_bools(facts.value(part)) for part in parts)


def _holds_bools(value: Value) -> bool:
    if value.kinds != CONTAINER or value.element is None:
        return False
    if value.items:
        return all(isinstance(each.const, bool) or each.traits & ANSWER for each in value.items)
    return isinstance(value.element.const, bool) or bool(value.element.traits & ANSWER)


def _is_unproven(node: ast.Call | ast.Subscript | ast.AugAssign, facts: Facts) -> bool:
    """True if the index that selects is not known to be a tensor."""
    chosen = node.target if isinstance(node, ast.AugAssign) else node
    if not isinstance(chosen, ast.Subscript):
        return False
    parts = chosen.slice.elts if isinstance(chosen.slice, ast.Tuple) else [chosen.slice]
    return any(facts.kinds(part) != TENSOR and _is_mask(part, facts) for part in parts)


@dynamic_shape.fixer
def fixed_shape(node: ast.Call | ast.Subscript | ast.AugAssign, facts: Facts) -> Fix | Refusal:
    if _is_unproven(node, facts):
        return UNPROVEN
    if isinstance(node, ast.Subscript) and not is_masked(node, facts):
        return PICKED
    found = masked(node, facts)
    if isinstance(found, Refusal) and isinstance(node, ast.Subscript):
        more = kept_with_worst_score(node, facts) or masked_rows(node, facts) or named_mask(node, facts)
        return more or (named_value(node, facts) if found.reason == "evaluated-twice" else None) or found
    if isinstance(found, Refusal) and isinstance(node, ast.Call):
        return (
            all_classes(node, facts) or class_counts(node, facts) or dense(node, facts) or opaque(node, facts) or found
        )
    return found
