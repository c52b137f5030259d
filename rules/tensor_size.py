"""
## What it does

Finds a tensor in a place where torch takes a Python number: `torch.arange(n)`, `torch.zeros(b, n)`, `x.view(n, -1)`,
`x.narrow(0, start, length)`, `F.one_hot(x, n)`, `F.pad(x, (0, n))`, `x.split([a, b])`, `x.sum(dim=n)`. Also numbers
that are no sizes: `torch.full_like(x, t)`, `x.clamp(0, t)`, where the other bound is a number, `F.dropout(x, p)`,
`F.leaky_relu(x, slope)`, `x.normal_(0, std)`.

## Why it breaks the graph

torch reads the number out of the tensor, although the code does not say `.item()`. In default mode Dynamo ends the
graph for it. `fullgraph=True` captures a size with an unknown value; a number of a dimension or of classes, or one that
is no size, is an error.

## Example

```python
import torch


def forward(lengths: torch.Tensor) -> torch.Tensor:
    positions = torch.arange(lengths.max())
    return positions[None, :] < lengths[:, None]


compiled = torch.compile(forward)
```

Use instead:

```python
import torch


def forward(lengths: torch.Tensor, longest: int) -> torch.Tensor:
    positions = torch.arange(longest)
    return positions[None, :] < lengths[:, None]


compiled = torch.compile(forward)
```

## Fix safety

`F.one_hot(x, max(x.max() + 1, n))[..., :n]`, which drops the classes that were added, becomes a comparison with the `n`
classes that are kept. The fix is unsafe: where `one_hot` raised, for a negative class, it gives zeros.

A loop over the rows of a tensor that was made of a Python list, `torch.as_tensor(sizes)`, loops over the list. Where
the loop stands in a function that is given the tensor, its callers pass the list instead, if each of them has it at
hand: made there, or passed along beside the tensor. The numbers must go to sizes, bounds and arithmetic alone. The fix
is unsafe: numbers are computed in Python's precision, and callers elsewhere must pass the two together.

`torch.full_like(x, t)` becomes `torch.empty_like(x).fill_(t)`, and `x.clamp(0, t)` becomes
`x.clamp(min=0).clamp(max=t)`. The fix is unsafe: a tensor that has dimensions or requires grad raised before.

Else there is no automatic fix, as in the example: what bounds the number is not in the code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts, torch_api
from graphmend_lint.facts.callee import arguments, runs_function
from graphmend_lint.facts.conditions import breaks
from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.number_arguments import BOUND, Numbers, is_clamp, is_floating, lone_bound, places
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import CONSTANT, CONTAINER, KNOWN, NDARRAY, NONE, SCALAR, SYMINT, TENSOR, Value
from graphmend_lint.model import Finding, Fix, Refusal, Severity
from graphmend_lint.rewrite.built_from import from_list
from graphmend_lint.rewrite.given_as_tensors import filled, one_by_one
from graphmend_lint.rewrite.one_hot import clipped
from graphmend_lint.rewrite.python_numbers import read_in_python
from graphmend_lint.rewrite.static_numbers import static_numbers
from graphmend_lint.rule import rule
from graphmend_lint.shapes import walk_function
from graphmend_lint.syntax import kept, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
OTHERWISE: Final = NONE | SYMINT | CONSTANT | SCALAR  #: what `n` may be on other paths: `if n is None: n = t.max()`
SHORT: Final = frozenset({"int32", "int16", "int8", "uint8"})
READ: Final = TENSOR | NDARRAY  #: what is no number, and whose value torch reads
MAX_CALLERS: Final = 3  #: how far back the making of a tensor is looked for


def _may_size(name: str, facts: Facts) -> bool:
    return bool(places(name)[0]) or is_clamp(name)


@rule("GM202", graph_breaks=("GB0033", "GB0124"), calls=_may_size)
def tensor_size(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    found = next(((n, a) for n, a in _found(node, facts) if not _is_free(n, a, node, facts)), None)
    if found is not None:
        numbers, argument = found
        words = f"`{facts.text(node.func)}` needs a number, so it reads the value of `{facts.text(argument)}`"
        yield Finding(node, words, Severity.ERROR if numbers.hard else Severity.WARNING)


def _is_free(numbers: Numbers, argument: ast.expr, node: ast.Call, facts: Facts) -> bool:
    """True for an input of the graph whose number torch reads without a break; its elements are no inputs."""
    elements = isinstance(facts.parent(argument), ast.Starred) and facts.is_tensor(argument)
    floating = numbers.hard and is_floating(argument, facts)
    return not floating and not elements and _is_input(argument, node, facts)


def _found(node: ast.Call, facts: Facts, other: int = OTHERWISE) -> Iterator[tuple[Numbers, ast.expr]]:
    """The arguments that are tensors where a number is wanted, or of `other` kinds on other paths."""
    several, shift = places(facts.resolve(node.func) or "")
    for numbers in several:
        for argument in _asked(node, numbers, shift):
            value = facts.value(argument)
            if _holds(value, READ, NONE) or (_holds(value, READ, other) and _is_left_out(argument, node, facts)):
                yield numbers, argument
    if (bound := lone_bound(node, facts)) is not None:
        yield BOUND, bound


def _asked(node: ast.Call, numbers: Numbers, shift: int) -> Iterator[ast.expr]:
    end = None if numbers.last < 0 else numbers.last + 1 - shift
    for argument in node.args[numbers.first - shift : end]:
        yield argument.value if isinstance(argument, ast.Starred) else argument
    yield from (keyword.value for keyword in node.keywords if keyword.arg in numbers.keywords)


def _is_left_out(argument: ast.expr, node: ast.Call, facts: Facts) -> bool:
    """True for a name that is only a tensor if no argument is given: `if n is None: n = lengths.max()`."""
    function = facts.function(node)
    if not isinstance(argument, ast.Name) or not isinstance(function, ast.FunctionDef):
        return False
    statements = [each for each in walk_function(function) if isinstance(each, ast.If | ast.Assign)]
    return any(_sets(each, argument.id, facts) for each in statements)


def _sets(node: ast.If | ast.Assign, name: str, facts: Facts) -> bool:
    """True for `if n is None: n = t.max()`, and for `n = n or t.max()`."""
    match node:
        case ast.If(ast.Compare(left=ast.Name(id=asked), ops=[ast.Is()]), [ast.Assign([ast.Name(id=bound)], made)]):
            return asked == bound == name and facts.kinds(made) == TENSOR
        case ast.Assign([ast.Name(id=bound)], ast.BoolOp(ast.Or(), [ast.Name(id=asked), made])):
            return asked == bound == name and facts.kinds(made) == TENSOR
    return False


def _holds(value: Value, kinds: int, other: int) -> bool:
    """True for a tensor, and for a tuple or list with one in it."""
    if value.kinds & CONTAINER:
        parts = value.items or ((value.element,) if value.element is not None else ())
        return any(_is_tensor(part, kinds, other) for part in parts)
    return _is_tensor(value, kinds, other)


def _is_tensor(value: Value, kinds: int, other: int) -> bool:
    return bool(value.kinds & kinds) and not value.kinds & ~(kinds | other) and not value.traits & KNOWN


def _is_input(argument: ast.expr, node: ast.Call, facts: Facts) -> bool:
    """True for a tensor that is an input of the graph: torch reads those of int64 without a break.

    A graph starts at the entry point, and again behind each break.
    """
    names = argument.elts if isinstance(argument, ast.Tuple | ast.List) else [argument]
    tensors = [name for name in names if facts.is_tensor(name) or facts.kinds(name) & CONTAINER]
    return all(
        (isinstance(name, ast.Name) and _starts_graph(name.id, node, facts)) or _is_held(name, facts)
        for name in tensors
    ) and not any(meta(name, facts).dtype in SHORT for name in tensors)


def _is_held(node: ast.expr, facts: Facts) -> bool:
    """True for an attribute that this file stores only in constructors: its tensor enters the graph from outside."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or not facts.is_tensor(node):
        return False
    owner = facts.value(node.value).target
    return isinstance(owner, Instance) and node.attr not in _stored_later(facts.source.tree)


@kept(4)
def _stored_later(tree: ast.Module) -> frozenset[str]:
    """Names of the attributes that methods of the file store, constructors left out."""
    bodies = [each.body for each in walk(tree) if isinstance(each, ast.ClassDef)]
    methods = [each for body in bodies for each in body if isinstance(each, ast.FunctionDef)]
    later = [each for each in methods if each.name != "__init__"]
    nodes = [each for method in later for each in walk(method) if isinstance(each, ast.Attribute)]
    return frozenset(each.attr for each in nodes if isinstance(each.ctx, ast.Store))


def _starts_graph(name: str, node: ast.Call, facts: Facts, depth: int = 0) -> bool:
    """True if `name` holds an argument of the entry point, or was set before a break that lies before `node`."""
    function = facts.function(node)
    if function is None or depth > MAX_CALLERS:
        return False
    before = [each for each in walk(function) if getattr(each, "lineno", node.lineno) < node.lineno]
    stores = [n.lineno for n in before if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    made = max(stores, default=function.lineno)
    calls = [each for each in before if isinstance(each, ast.Call) and each.lineno >= made]
    if any(_breaks_inside(call, facts) or (call.lineno > made and _breaks(call, facts)) for call in calls):
        return True
    return not stores and (len(facts.chain(node)) == 1 or _is_passed(name, function, facts, depth))


def _is_passed(name: str, function: Function, facts: Facts, depth: int) -> bool:
    """True if every call of the function in this file passes a name for which `_starts_graph` holds."""
    calls = [call for call in facts.calls() if runs_function(call, function, facts)]
    given = [arguments(call, function, facts).get(name) for call in calls]
    return bool(calls) and all(
        isinstance(argument, ast.Name) and _starts_graph(argument.id, call, facts, depth + 1)
        for call, argument in zip(calls, given, strict=True)
    )


def _breaks_inside(node: ast.Call, facts: Facts) -> bool:
    """True for a call of a function in this file that ends the graph: its result is an input of the next one."""
    inner = getattr(facts.value(node.func).target, "node", None)
    calls = walk(inner) if isinstance(inner, Function) else ()
    return any(isinstance(call, ast.Call) and _breaks(call, facts) for call in calls)


def _breaks(node: ast.Call, facts: Facts) -> bool:
    """True for a call of torch that ends the graph."""
    name = facts.resolve(node.func) or ""
    entry = torch_api.function(name)
    if entry is not None and entry.breaks_gb is not None:
        return breaks(entry, node, facts)
    return any(True for _ in _found(node, facts))


@tensor_size.fixer
def without_number(node: ast.Call, facts: Facts) -> Fix | Refusal:
    return (
        static_numbers(node, facts)
        or next((fix for _, argument in _found(node, facts, NONE) if (fix := read_in_python(argument, facts))), None)
        or clipped(node, facts)
        or filled(node, facts)
        or one_by_one(node, facts)
        or from_list(node, facts)
        or Refusal("scalar-escapes", "torch needs the number itself")
    )
