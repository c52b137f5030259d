"""
## What it does

Finds `if` and `elif` whose condition is a tensor, or a number read from one.

## Why it breaks the graph

Which branch to take is known only once the tensor's value is. Dynamo compiles what it has seen so far, returns to
Python to read the value, and compiles each branch on its own: several graphs where one would do, with a device
synchronisation between them. Under `fullgraph=True` it is an error.

## Example

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        y = x * 2.0
    else:
        y = x * 0.5
    return y + 1


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() > 0, x * 2.0, x * 0.5)
    return y + 1


compiled = torch.compile(forward)
```

## Fix safety

Both branches are computed, and `torch.where` selects.

- **Safe** if both are proven to be plain arithmetic on the same tensors that cannot raise, with one shape and dtype.
- **Unsafe** if shapes or dtypes are only likely to agree; if only one side uses a tensor, whose gradient is then zero
  where it was None; or if the result used to be the same tensor object as an operand. Also if a branch calls a function
  or property of the same file, which is looked into and must only compute a value.
- **Refused** if a branch calls what cannot be seen, or draws random numbers; and where a gradient would be wrong: only
  one side rests on what is tested for NaN or infinity, or the condition reads a buffer that is changed in place.

Stores and numbers in a branch (unsafe):

- What a branch stores in a tensor, or changes in place, is selected and always stored: `x.mul_(2)` becomes
  `x.copy_(torch.where(condition, x * 2, x))`, so that whoever else has the tensor sees what it saw before. Where a
  gradient needs the tensor as it was, `backward` raises. Lists and dicts must get their values in both branches.
- Numbers that a branch sets or counts, `n += 1`, become 0-dim tensors where they are only operands of tensors. Other
  0-dim tensors may be promoted by them; numbers of both types become floating. Floats are not counted. So does the
  `ratio = 1.0` that a branch replaces by a 0-dim tensor.
- In `if n > 0: y = x / n` the division is by `torch.where(n > 0, n, 1)` first, so that no gradient is NaN once both
  sides are computed. The same goes for other comparisons with a number that tell 0: `if norm >= 1: x = x / norm`.
- Elements that a branch stores are read and written always: `if c: out[i] = x[i]` becomes
  `out[i] = torch.where(c, x[i], out[i])`. An index that is out of range raises always, then. In a condition, `x[1]` is
  asked always if the first part of the condition indexes `x` with a number as well.
- What is stored in elements of a NumPy array under a condition of arrays is chosen by `np.where`.

Branches that cannot both be computed, since they run modules, index, or have gradients that may be NaN, become local
functions. When compiled, `torch.cond` runs the one that is taken; in eager mode Python branches as before. It is
unsafe, since compiling raises unless both give tensors of one shape, dtype and layout. It is refused if a branch draws
random numbers, keeps statistics (BatchNorm), changes something or may use None, and if the class stores attributes in
its methods, which torch may lose around `torch.cond`.

Loops and lists (unsafe):

- Around a list, the choice is made for each item: `if c: xs = [f(x) for x in xs]` becomes
  `xs = [torch.where(c, f(x), x) for x in xs]`, and an `if` around a loop over a list goes inside it. A new list is made
  where the old one was kept.
- A loop that only tests each element and stores one is done at once: `for i in range(len(x)): if x[i] > 0: y[i] = x[i]
  * 2` becomes `y = torch.where(x > 0, x * 2, y)`, or writes into `y` where others may have it or its dtype is not
  known. All values are computed, and tensors must have as many dimensions as there are indices.
- `if done: break` in a loop of known length becomes a flag: every turn runs, and changes nothing once the loop is over.
  It is refused if the loop does more than give values to tensors of fixed shape, or if its counter is used afterwards.
  Divisors, and what a root or a logarithm is taken of, are 1 in turns that no longer count, so that no gradient is NaN:
  `x / torch.where(active, n, 1)`.

Conditions that can be asked in another way:

- What Python knows is asked first, if nothing else will do: `if t.any() and flag` as `if flag and t.any()`.
- A condition whose tensors are made of sizes and other numbers of Python's, `torch.tensor(x.shape).prod() > 100`, is
  asked of those numbers: `math.prod(x.shape) > 100`. Safe for whole numbers that are not divided.
- A condition that has one answer wherever an argument is left out, since a mask is made of ones then, is only asked if
  the argument was given; see [scalar-read](scalar-read.md).
- `random.random() < self.rate`, which leaves out layers while training, draws a number only if the rate is above zero,
  unless the file itself sets one that is. Unsafe, since Python's generator moves on less often; at any other rate the
  graph breaks as before. `p < self.rate` with `p = torch.rand([])` becomes `self.rate > 0 and p < self.rate`, which is
  safe.
- `if not torch.jit.is_tracing() and t.all():` is not taken when compiled either, if nothing else will do. Unsafe:
  compiled code goes the way of traced code.

Masks:

- `if not mask.all(): scores = scores[mask]`, before the best scores are taken, gives the others a score that is never
  the best; see [dynamic-shape](dynamic-shape.md).
- Three branches for none, all and some rows of a mask, `x = x.index_put((mask,), f(y[mask]))` the last of them, become
  one `torch.where`, if `f` is proven to compute row by row.
- `if not mask.any(): return out`, before all that is done is `out[mask] = f(x[mask])`, goes: there would be nothing to
  store. So does `if mask.all(): return f(x)`. Unsafe, since the store runs always.

Rearranged first, so that the branch can be selected: `if done: return` before the last stores of a function becomes
`if not done:` around them, a `with torch.no_grad():` around all that a branch stores goes around the `if`, and what a
branch unpacks, `a, b = f(a, b)`, gets names of its own.

`if mask.all(): mask = None` is taken in eager mode alone, if all that becomes of the mask is `x.masked_fill(~mask, 0)`
or `x * mask` under `if mask is not None:`. Unsafe: the mask must not be larger than `x`. The same of a function that
returns `x, None` then, or `mask` only `if 0.0 in mask:` and None otherwise, if its callers do no more with the mask.

`if norm > limit: g.mul_(share)`, also in a loop over a list, becomes `g.mul_(torch.where(norm > limit, share, 1))`
where the tensor cannot be selected. Unsafe: it is written to always.

A branch that only logs, warns or prints is skipped while compiling, condition included; one that does so before it does
something else says it in eager mode only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphmend_lint.facts import Facts
from graphmend_lint.model import Finding, Fix, Refusal
from graphmend_lint.rewrite.active import exit_as_flag
from graphmend_lint.rewrite.arrays import chosen_by_numpy
from graphmend_lint.rewrite.as_traced import as_traced
from graphmend_lint.rewrite.branches import assigned
from graphmend_lint.rewrite.by_default import by_default
from graphmend_lint.rewrite.defer import speaks_only
from graphmend_lint.rewrite.divisors import safe_divisors
from graphmend_lint.rewrite.draws import drawn_if_needed, rate_first
from graphmend_lint.rewrite.each import for_each
from graphmend_lint.rewrite.elements import all_at_once
from graphmend_lint.rewrite.finite import spreads
from graphmend_lint.rewrite.growth import grown
from graphmend_lint.rewrite.left_out import unguarded_with_worst_score
from graphmend_lint.rewrite.needless import needless_mask
from graphmend_lint.rewrite.needless_answers import needless_answer
from graphmend_lint.rewrite.noop import idle_guard
from graphmend_lint.rewrite.opened import opened
from graphmend_lint.rewrite.order import known_first
from graphmend_lint.rewrite.outline import outlined
from graphmend_lint.rewrite.policy import keep_if
from graphmend_lint.rewrite.python_numbers import tested_in_python
from graphmend_lint.rewrite.returns import returns
from graphmend_lint.rewrite.scaled_in_place import scaled_in_place
from graphmend_lint.rewrite.shortcuts import shortcut
from graphmend_lint.rewrite.some_rows import by_row
from graphmend_lint.rewrite.turn import leaves
from graphmend_lint.rule import rule
from graphmend_lint.shapes import guarded_raise


@rule("GM101", graph_breaks=("GB0170", "GB0124", "GB0033"))
def tensor_branch(node: ast.If, facts: Facts) -> Iterator[Finding]:
    if facts.needs_data(node.test) and guarded_raise(node) is None:
        what = "tensor" if facts.is_tensor(node.test) else "number read from a tensor"
        yield Finding(node.test, f"`if` needs the value of a {what}")


@tensor_branch.fixer
def select(node: ast.If, facts: Facts) -> Fix | Refusal:
    special = _special(node, facts)
    if special is not None:
        return (rate_first(node.test, facts) if isinstance(special, Refusal) else None) or special
    found = _selected(node, facts)
    return found if isinstance(found, Fix) else _without_selecting(node, facts) or found


def _special(node: ast.If, facts: Facts) -> Fix | Refusal | None:
    """The answer for a branch of a special form; None if selecting between its two sides is to be tried."""
    found = (
        tested_in_python(node.test, facts)
        or drawn_if_needed(node.test, facts)
        or chosen_by_numpy(node, facts)
        or unguarded_with_worst_score(node, facts)
        or by_row(node, facts)
        or shortcut(node, facts)
    )
    if found is not None:
        return found
    if speaks_only(node, facts):
        return keep_if(node, facts, "The message is not emitted when compiled.")
    return exit_as_flag(node, facts) if leaves(node, facts) else spreads(node, facts)


def _selected(node: ast.If, facts: Facts) -> Fix | Refusal:
    """Both sides computed, and one selected; where that is refused, the one side that is taken run by `torch.cond`."""
    found = all_at_once(node, facts) or idle_guard(node, facts) or returns(node, facts) or assigned(node, facts)
    if isinstance(found, Fix):
        return found
    each = for_each(node, facts)
    other = each if isinstance(each, Fix) else outlined(node, facts, each or found)
    if found.reason != "nan-gradient":
        return other
    return safe_divisors(node, facts, other if isinstance(other, Fix) else None) or other


def _without_selecting(node: ast.If, facts: Facts) -> Fix | Refusal | None:
    """What helps where the two sides cannot be selected between: asking less often, or in another order."""
    return (
        grown(node, facts)
        or scaled_in_place(node, facts)
        or needless_mask(node, facts)
        or needless_answer(node, facts)
        or rate_first(node.test, facts)
        or known_first(node.test, facts)
        or by_default(node.test, facts)
        or as_traced(node.test, facts)
        or opened(node, facts)
    )
