"""
## What it does

Finds code that reads a Python number out of a tensor: `.item()`, `.tolist()`, `int(t)`, `map(int, t)`, `math.sqrt(t)`,
a tensor as the bound of a slice or as the index of a list, `x[k]` with a `k` without dimensions that the graph
computes.

## Why it breaks the graph

The number exists only when the graph runs. In default mode Dynamo ends the graph to get it. `fullgraph=True` captures
the read, unless the number decides what Python does next; then it is an error.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x / x.abs().max().item()


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x / x.abs().max().detach()


compiled = torch.compile(forward)
```

## Fix safety

The number stays a 0-dim tensor if all that becomes of it is an operand of tensor arithmetic or of a comparison, a bound
of `clamp`, or a value for `masked_fill`, `where`, `full` or `tensor`; also by way of a name, which may hold another
number on another path, or be a sum that it is added to. The fix adds `detach()`, which keeps the gradient as it was;
`reshape(())` where the tensor may have dimensions of size 1; `mul(1.0)` where `float()` may be given integers; and
`clone()` where the tensor may be changed in place before the number is used.

- **Unsafe**: Python's number has no dtype of its own. A tensor may give the result another dtype where the other
  operand holds integers or has no dimensions either, and arithmetic between numbers is done in the tensor's precision.
  Both tensors must be on one device.
- **Refused** where the number is stored in an object, formatted, the index of a list, a size, an argument of any other
  function, or decides what Python does. A size can only stay one if the region is compiled with `fullgraph=True`; see
  [compile-site](compile-site.md).

Conversions and lists, under the same terms:

- `math.sqrt(t)` becomes `t.sqrt()`; `math.floor(t)`, `ceil`, `trunc` and `round` a tensor of an integer;
  `round(t.item(), 1)` a rounded tensor. So does `math.sqrt(1 - 0.9**n)` with what is computed of the number; a division
  by it gives infinity for zero, where Python's raised.
- `max(t.tolist())` becomes `t.max()`, and a loop over `t.tolist()` one over `t.unbind()`.
- A list that is made of `t.tolist()` one by one, `[first if flag else place for place, flag in enumerate(flags)]`, and
  made a tensor again is made at once by `torch.where`; so is the first place of a value, `flags.index(True) if True in
  flags else n`. The tensor must have one dimension.

Where Python wants a number, another form takes the tensor:

- `x[n]` becomes `x[n.reshape(1)].squeeze(0)`. (`x[n]` with a tensor is no such form: it breaks the graph, or compiles
  anew for each value.) A slice of known length, `x[n : n + 4]`, becomes `x[n + torch.arange(4)]`, also where something
  is stored. It has to lie within the tensor. What an index gives is a copy then, no view: where the view is changed in
  place, or shows a change of the tensor, there is no fix.
- One number is stored up to any bound: `x[:, :n] = 0` becomes `x[:, torch.arange(x.shape[1]) < n] = 0`.
- `alpha=n` becomes a product, `max(n, 1)` becomes `n.clamp(min=1)`.

Numbers that Python knew all along:

- `int(np.prod(x.shape))` becomes `math.prod(x.shape)`, which is safe; `sum`, `max` and `min` alike, and the same of
  `torch.tensor(x.shape)`. `torch.arange(n).tolist()` becomes `list(range(n))`, safe for sizes.
- Numbers that are made of constants alone, `[r.item() for r in torch.linspace(0, self.rate, self.depth)]`, are computed
  by the constructor, if it alone sets the attributes; with nothing but literals, by a function that Dynamo calls once
  per trace, which is safe if no other module holds a part of it.
- A number that is the same wherever an argument is left out is read only if it was given: `(mask == 0).any().item()` is
  False where `if mask is None: mask = torch.ones(...)` made the mask. What the elements are is followed through
  padding, arithmetic, comparisons and calls, also in other files. `any_given and ...` then stands before what is read,
  and a function that reads it for its caller gets one more parameter. Safe if no method was looked into, which another
  class might override. With a mask, the graph breaks as before.
- The longest of lengths that are shares of a size, `lengths = (shares * x.shape[1]).round()` and
  `lengths.max().item()`, is that size where only a mask is made of it, also by a function that takes the longest as an
  argument. If all are shorter, the mask is wider than it was.

Answers, checks and tables:

- An answer that only decides, `found = mask.any().item()` and then `if found:`, stays a tensor, also where it is passed
  to functions of the same file, so that what it decides can be selected.
- A number that is read for one check alone, `n = t.item()` and `if n != size: raise ...`, is read in eager mode only;
  compiled code asserts on the tensor. So is one whose comparison gets a name, `wrong = t.item() != size`.
- A table that grows to `max(needed, self.limit)`, with `needed = int(positions.max()) + 1`, is made that long at once
  in compiled code, which asserts that no more is needed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts, torch_api
from graphmend_lint.facts.conditions import breaks
from graphmend_lint.facts.library_calls import is_python_number
from graphmend_lint.facts.ranks import rank
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.selected import is_selection
from graphmend_lint.facts.values import (
    BOOL,
    CONSTANT,
    CONTAINER,
    FLOATING,
    KNOWN,
    MODULE,
    NDARRAY,
    NONE,
    SCALAR,
    SYMINT,
    TENSOR,
    UNKNOWN,
    ZERO_DIM,
)
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rewrite.answers import answered
from graphmend_lint.rewrite.built_from import from_list
from graphmend_lint.rewrite.by_default import by_default
from graphmend_lint.rewrite.constants import computed_once
from graphmend_lint.rewrite.first_match import read_place
from graphmend_lint.rewrite.flow import decides
from graphmend_lint.rewrite.growth import grown
from graphmend_lint.rewrite.longest import longest_as_size
from graphmend_lint.rewrite.number_lists import listed
from graphmend_lint.rewrite.python_numbers import read_in_python
from graphmend_lint.rewrite.ranges import as_range
from graphmend_lint.rewrite.rejected import is_rejected
from graphmend_lint.rewrite.row import index_with_dimension
from graphmend_lint.rewrite.scalar import scalar
from graphmend_lint.rewrite.static_numbers import static_numbers
from graphmend_lint.rewrite.vectors import vectorised
from graphmend_lint.rule import rule
from graphmend_lint.shapes import in_test

CONVERSIONS: Final = frozenset({"builtins.int", "builtins.float", "builtins.complex", "builtins.round"})
OWNERS: Final = ("torch.Tensor", "numpy.ndarray")
METHODS: Final = frozenset(f"{owner}.{name}" for owner in OWNERS for name in ("item", "tolist"))
#: ids of functions that read their argument: `torch.equal`, `torch._check_tensor_all`
READ: Final = ("GB0124", "GB0033")
#: besides a tensor, what a bound may be on other paths without casting doubt on the tensor
PLAIN: Final = CONSTANT | SYMINT | SCALAR | NONE
#: what may be cut by a slice, whose bounds are numbers
CUT: Final = TENSOR | NDARRAY | CONTAINER | CONSTANT | NONE | UNKNOWN


def _may_read(name: str, facts: Facts) -> bool:
    entry = torch_api.function(name) if name.startswith("torch.") else None
    known = name in METHODS or name in CONVERSIONS or name == "builtins.map" or name.startswith("math.")
    return known or (entry is not None and entry.breaks_gb in READ)


@rule("GM201", graph_breaks=("GB0124", "GB0033", "GB0109"), calls=_may_read)
def scalar_read(node: ast.Call | ast.Subscript, facts: Facts) -> Iterator[Finding]:
    words = _reads(node, facts) if isinstance(node, ast.Call) else _indexes(node, facts)
    if words is not None:
        hard = decides(node, facts) or _hard(node, facts) or is_rejected(node, facts)
        yield Finding(node, words, Severity.ERROR if hard else Severity.WARNING)


def _reads(node: ast.Call, facts: Facts) -> str | None:
    name = facts.resolve(node.func) or ""
    if name in METHODS and not (isinstance(node.func, ast.Attribute) and _is_kept(node.func.value, facts)):
        return f"`.{name.rpartition('.')[2]}()` reads a tensor's value into Python"
    if name == "builtins.map" and _converts(node, facts):
        return f"`{facts.text(node)}` reads a tensor's values into Python"
    takes_number = name in CONVERSIONS or name.startswith("math.")
    if takes_number and any(_is_data(argument, facts) for argument in node.args):
        return f"`{facts.text(node.func)}` reads a tensor's value into Python"
    entry = torch_api.function(name) if name.startswith("torch.") else None
    if entry is not None and entry.breaks_gb in READ and breaks(entry, node, facts) and not in_test(node, facts.parent):
        return f"`{facts.text(node.func)}` reads a tensor's value into Python"
    return None


def _is_data(node: ast.expr, facts: Facts) -> bool:
    return facts.kinds(node) in (TENSOR, NDARRAY) and not _is_kept(node, facts)


def _is_kept(node: ast.expr, facts: Facts) -> bool:
    """True for a number of NumPy's that was made outside the graph: Dynamo treats it as one of Python's."""
    return is_python_number(facts.value(node))


def _converts(node: ast.Call, facts: Facts) -> bool:
    """True for `map(int, t)`."""
    match node.args:
        case [function, given]:
            return facts.resolve(function) in CONVERSIONS and facts.kinds(given) in (TENSOR, NDARRAY)
    return False


def _indexes(node: ast.Subscript, facts: Facts) -> str | None:
    base = facts.kinds(node.value)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not base & ~CUT and any(_tensor_bound(part, facts) for part in parts):
        return "a tensor is the bound of a slice, so its value is read into Python"
    if base == TENSOR and any(_is_place(part, facts) for part in parts):
        return "an index without dimensions is read into Python; one with a dimension is not"
    if base == TENSOR and any(_is_bare_mask(part, facts) for part in parts) and isinstance(node.ctx, ast.Store):
        return "a mask without dimensions is read into Python; `masked_fill_` does not read it"
    if base in (CONTAINER, MODULE) and facts.kinds(node.slice) == TENSOR and not _is_dict(node.value, facts):
        return "a tensor is the index of a Python container, so its value is read into Python"
    return None


def _is_place(part: ast.expr, facts: Facts) -> bool:
    """True for an index that the graph computes, and that is proven to have no dimensions."""
    value = facts.value(part)
    if value.kinds != TENSOR or value.traits & (KNOWN | BOOL):
        return False
    return bool(value.traits & ZERO_DIM) or (isinstance(part, ast.Subscript) and rank(part, facts) == 0)


def _is_bare_mask(part: ast.expr, facts: Facts) -> bool:
    value = facts.value(part)
    return value.kinds == TENSOR and value.traits & (KNOWN | BOOL | ZERO_DIM) == BOOL | ZERO_DIM


def _is_dict(node: ast.expr, facts: Facts) -> bool:
    """True for a dict: a tensor as its key is not read, but looked up as any object is."""
    given = definition(node, facts).value if isinstance(node, ast.Name) else node
    return facts.value(node).keys is not None or isinstance(given, ast.Dict | ast.DictComp)


def _tensor_bound(part: ast.expr, facts: Facts) -> bool:
    bounds = [part.lower, part.upper, part.step] if isinstance(part, ast.Slice) else []
    return any(
        bound is not None and _may_be_tensor(facts.kinds(bound)) and not _is_kept(bound, facts) for bound in bounds
    )


def _may_be_tensor(kinds: int) -> bool:
    return bool(kinds & (TENSOR | NDARRAY)) and not kinds & ~(TENSOR | NDARRAY | PLAIN)


def _hard(node: ast.Call | ast.Subscript, facts: Facts) -> bool:
    """True where `fullgraph=True` fails too: `tolist` of floats, bools or a selection, `math` functions, indices."""
    if not isinstance(node, ast.Call):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        places = any(_is_place(part, facts) or _is_bare_mask(part, facts) for part in parts)
        return places or not facts.kinds(node.value) & (TENSOR | UNKNOWN)
    name = facts.resolve(node.func) or ""
    if name == "torch.Tensor.tolist" and isinstance(node.func, ast.Attribute):
        owner = node.func.value
        return bool(facts.value(owner).traits & (FLOATING | BOOL)) or is_selection(owner, facts)
    entry = torch_api.function(name) if name.startswith("torch.") else None
    return name.startswith("math.") or (entry is not None and entry.breaks_severity == "error")


@scalar_read.fixer
def keep_tensor(node: ast.Call | ast.Subscript, facts: Facts) -> Fix | Refusal:
    if isinstance(node, ast.Subscript) and facts.kinds(node.value) & UNKNOWN:
        return Refusal("scalar-escapes", "what is cut may be something else than a tensor")
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _is_bare_mask(node.slice, facts):
        return Refusal("value-escapes", "torch asks a mask without dimensions whether all or nothing is stored")
    found = (
        _known_to_python(node, facts) or index_with_dimension(node, facts) or listed(node, facts) or scalar(node, facts)
    )
    if isinstance(found, Refusal):
        return grown(node, facts) or answered(node, facts) or by_default(node, facts) or found
    first = read_place(node, facts)
    if first is not None:
        return first
    return found._replace(otherwise=by_default(node, facts)) if found.opens else found


def _known_to_python(node: ast.Call | ast.Subscript, facts: Facts) -> Fix | None:
    """The number without the tensor, where Python had it or could have computed it."""
    return (
        as_range(node, facts)
        or computed_once(node, facts)
        or static_numbers(node, facts)
        or read_in_python(node, facts)
        or (vectorised(node, facts) or longest_as_size(node, facts) if isinstance(node, ast.Call) else None)
        or from_list(node, facts)
    )
