"""
## What it does

Finds calls that Dynamo does not trace: clocks, `copy.deepcopy`, Python's and NumPy's random numbers, `inspect`,
hashing, files, `uuid`, `torch.get_default_device`, text made of tensors, functions that numba compiles, and the like.

## Why it breaks the graph

These functions have effects, or are written in C, or look at the interpreter. Dynamo ends the graph and calls them from
Python.

## Example

```python
import logging
import time

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    begun = time.perf_counter()
    x = x + 1
    logger.info("begun at %f", begun)
    return x


compiled = torch.compile(forward)
```

Use instead:

```python
import logging
import time

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        begun = time.perf_counter()
    x = x + 1
    if not torch.compiler.is_compiling():
        logger.info("begun at %f", begun)
    return x


compiled = torch.compile(forward)
```

## Fix safety

Everything that is not listed here is refused: what a call is for decides whether it can move out of the compiled code.

A value that only people see (a clock, an id, text made of a tensor) is left out when compiled, with all that depends on
it, by `if not torch.compiler.is_compiling():`. Safe if nothing is lost by that; unsafe if text is, or a time that is
kept. It is not done if the value is used for anything else.

Safe:

- `copy.deepcopy` of a tensor that is proven not to require grad becomes `clone()`, `copy.copy` of one `detach()`;
  `copy.copy` of a list, dict or set becomes its `copy()`.
- `torch.get_default_device()` asks an empty tensor; `torch.empty(...).random_(...)` becomes `torch.randint`;
  `torch.autograd.Variable(x)`, from before torch 0.4, is `x.detach()`; `torch.jit.isinstance` of a plain class is
  `isinstance`.
- Hashes and JSON of constants, `importlib.import_module("name")` and `logging.getLogger("name")` move into a function
  that Dynamo calls while it traces.
- Contexts that a `contextlib.ExitStack` enters first are entered by the `with` itself.

Unsafe:

- `os.path.exists("name")`, `Path("name").is_file()`, `torch.backends.mps.is_available()`,
  `torch.is_inference_mode_enabled()` and the like are asked once per trace.
- `gc.collect()`, `time.sleep`, profiler ranges, files that are only written, and progress bars are left out when
  compiled.
- `warnings.catch_warnings()` and `torch.autograd.set_detect_anomaly(...)` are not entered when compiled, and the
  filters of warnings not set.
- A tensor is never copied for the sake of its address.
- A function of SciPy, or one of NumPy that torch has not, is called in an operator of its own, if it is known what
  shape it gives: `scipy.special.expit`, `scipy.ndimage.gaussian_filter`, `linear_sum_assignment`, `np.interp`, and
  others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.grad_mode import maybe_no_grad
from graphmend_lint.facts.random_numbers import DRAWN, reader
from graphmend_lint.facts.untraced import OF_ARRAYS, UNSIZED, UNTRACED
from graphmend_lint.facts.values import CONTAINER, KNOWN, MODULE, NDARRAY, TENSOR
from graphmend_lint.model import Applicability, Finding, Fix, Refusal
from graphmend_lint.rewrite.aside import aside
from graphmend_lint.rewrite.contexts import context
from graphmend_lint.rewrite.copies import copied
from graphmend_lint.rewrite.equivalents import equivalent
from graphmend_lint.rewrite.errands import errand
from graphmend_lint.rewrite.hoisted import hoisted
from graphmend_lint.rewrite.outside import outside
from graphmend_lint.rule import Option, rule
from graphmend_lint.shapes import in_test, walk_function

GRAPH_BREAKS: Final = tuple(
    """
    GB0007 GB0156 GB0208 GB4198 GB5976 GB0059 GB0569 GB0363 GB0055 GB0107 GB0294 GB0033 GB0467 GB0374 GB0277 GB0090
    GB0001 GB0045 GB0046 GB4197 GB0147 GB0087 GB0117 GB0126 GB6215 GB0158 GB0262 GB0008 GB0233 GB0245 GB0112 GB0134
    GB4315 GB0250 GB0157 GB0015 GB0213 GB0104 GB0292
    """.split()
)
CALL: Final = "{call}"  #: stands in a message for what is called
STAYS: Final = Refusal(
    "call-not-traceable", "the call has to stay, but it may move to where the compiled code is called"
)
WITH_TENSOR: Final = frozenset({"builtins.str", "builtins.repr", "builtins.pow", "operator.index"})
ARRAY_ATTRIBUTES: Final = frozenset({"base", "dtype", "flags"})
ARRAY_METHODS: Final = frozenset({"tobytes", "tofile", "dump", "dumps"})
#: what Dynamo cannot copy, by function
HOOKS: Final = (".register_forward_hook", ".register_forward_pre_hook")
COPIES: Final = {"copy.copy": TENSOR | NDARRAY | MODULE | CONTAINER, "copy.deepcopy": TENSOR | NDARRAY | MODULE}
#: one random number from NumPy is an array without dimensions, which torch's NumPy turns into a number
ONE_NUMBER: Final = frozenset(
    f"numpy.random.{name}"
    for name in ("rand", "randn", "random", "random_sample", "sample", "uniform", "normal", "randint")
)
#: what is skipped only with certain arguments, or on certain objects
CLIPS: Final = "torch.nn.utils.clip_grad_norm_"
PICKING: Final = frozenset({"builtins.max", "builtins.min"})
PAIRS: Final = frozenset({"builtins.enumerate", "builtins.zip"})
IN_PART: Final = (
    PICKING | WITH_TENSOR | COPIES.keys() | ONE_NUMBER | OF_ARRAYS.keys() | DRAWN | UNSIZED.keys() | {CLIPS}
)
METHODS: Final = ("numpy.ndarray.", "torch.nn.")
FUNCTIONS: Final = Option("functions", "more functions that Dynamo does not trace; `a.b.*` stands for all below `a.b`")
TRACED: Final = Option(
    "traced", "functions that Dynamo does trace here, say by `torch.compiler.substitute_in_graph`: not reported"
)


@rule(
    "GM401",
    graph_breaks=GRAPH_BREAKS,
    options=(FUNCTIONS, TRACED),
    calls=lambda name, facts: reason(name, facts) is not None or name in IN_PART or name.startswith(METHODS),
)
def skipped_call(node: ast.Call | ast.BinOp | ast.Attribute, facts: Facts) -> Iterator[Finding]:
    match node:
        case ast.Attribute():
            yield from _attribute(node, facts)
        case ast.BinOp() if _is_formatted(node, facts):
            yield Finding(node, "`%` formats a tensor, which needs its value")
        case ast.Call():
            yield from _call(node, facts)


def _call(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    name = facts.resolve(node.func) or ""
    if facts.lists("skipped-call.traced", name):
        return
    if name == "torch.Tensor.data_ptr" and in_test(node, facts.parent):
        return  # whether there is an address is known
    message = _whatever_is_given(node, name, facts) or _for_what_is_given(node, name, facts)
    if message is not None:
        yield Finding(node, message.replace(CALL, f"`{facts.text(node.func)}`"))
    elif name in DRAWN:
        yield from _random_number(node, facts)


def _whatever_is_given(node: ast.Call, name: str, facts: Facts) -> str | None:
    """The message, with CALL for the function, if Dynamo never traces the function or method; else None."""
    why = reason(name, facts)
    if why is not None:
        return f"Dynamo does not trace {CALL}: it {why}"
    if isinstance(node.func, ast.Attribute) and (_is_array_method(node.func, facts) or _makes_objects(node, facts)):
        return f"{CALL} is not part of torch's NumPy"
    if name.startswith("torch.nn.") and name.endswith(HOOKS):
        return f"{CALL} puts a hook on a module while it is traced"
    return None


def _for_what_is_given(node: ast.Call, name: str, facts: Facts) -> str | None:
    """The message, with CALL for the function, if Dynamo does not trace it with these arguments; else None."""
    if name in WITH_TENSOR and any(_holds_tensor(argument, facts) for argument in node.args):
        return f"Dynamo does not trace {CALL} of a tensor"
    if name == CLIPS and _is_on(node, "error_if_nonfinite"):
        return f"{CALL} with `error_if_nonfinite` needs the value of the norm"
    if name in PICKING and len(node.args) == 1 and _is_lazy(node.args[0], node.keywords, facts):
        return f"Dynamo does not trace {CALL} of an iterator here: it does of a list"
    if name in COPIES and any(_is_copied_outside(argument, COPIES[name], facts) for argument in node.args):
        return f"Dynamo does not trace {CALL} of this"
    if name in OF_ARRAYS and _is_of_array(node, name, facts):
        return f"Dynamo does not trace {CALL} of an array: it {OF_ARRAYS[name]}"
    if name in UNSIZED and _is_unsized(node, *UNSIZED[name]):
        return f"{CALL} reads a size that it is not given: `{UNSIZED[name][1]}`"
    if name in ONE_NUMBER and _draws_one(node, name):
        return f"{CALL} without a size draws one number from NumPy, which is read"
    return None


def _is_lazy(given: ast.expr, keywords: list[ast.keyword], facts: Facts) -> bool:
    """True for an iterator that `min` and `max` are given with a key or default, or whose items are tuples or lists."""
    match given:
        case ast.GeneratorExp(elt=item):
            return bool(keywords) or facts.kinds(item) == CONTAINER
        case ast.Call(func=function):
            return facts.resolve(function) in PAIRS
    return False


def _random_number(node: ast.Call, facts: Facts) -> Iterator[Finding]:
    """The finding about a random number of Python: it is traced until something other than a tensor asks for it."""
    asks = node if any(map(facts.is_tensor, node.args)) else reader(node, facts)
    if asks is not None:
        yield Finding(
            asks, f"`{facts.text(asks)}` asks for a number of Python's generator, which draws outside the graph"
        )


def _is_unsized(node: ast.Call, place: int, word: str) -> bool:
    """True for a call without the argument that says how many graphs or nodes there are."""
    given = len(node.args) > place or any(each.arg in {word, None} for each in node.keywords)
    batch = node.args[1] if len(node.args) > 1 else None
    return not given and not (isinstance(batch, ast.Constant) and batch.value is None)


def _holds_tensor(node: ast.expr, facts: Facts) -> bool:
    """True for a tensor, and for a container of tensors."""
    value = facts.value(node)
    within = value.kinds == CONTAINER and value.element is not None and value.element.kinds == TENSOR
    return value.kinds == TENSOR or within


def _attribute(node: ast.Attribute, facts: Facts) -> Iterator[Finding]:
    if node.attr in ARRAY_ATTRIBUTES and facts.kinds(node.value) == NDARRAY:
        if not facts.value(node.value).traits & KNOWN:
            yield Finding(node, f"`{facts.text(node)}` is not part of torch's NumPy")
    elif node.attr == "grad_fn" and _has_gradient(node, facts):
        yield Finding(node, f"Dynamo knows no `{facts.text(node)}` of a tensor that the graph makes")


def _has_gradient(node: ast.Attribute, facts: Facts) -> bool:
    """True for a tensor that a method makes: its module has parameters. In a function nothing may require grad."""
    function = facts.function(node)
    is_method = function is not None and isinstance(facts.parent(function), ast.ClassDef)
    return is_method and _is_made(node.value, facts) and not maybe_no_grad(node, facts)


def _is_made(node: ast.expr, facts: Facts) -> bool:
    """True for a tensor that the function itself makes, and does not get as an argument."""
    function = facts.function(node)
    if facts.kinds(node) != TENSOR or not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef):
        return isinstance(node, ast.Call | ast.BinOp) and facts.kinds(node) == TENSOR
    names = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == node.id]
    return any(isinstance(each.ctx, ast.Store) and each.lineno < node.lineno for each in names)


def _is_array_method(node: ast.Attribute, facts: Facts) -> bool:
    return node.attr in ARRAY_METHODS and facts.kinds(node.value) == NDARRAY


def _is_of_array(node: ast.Call, name: str, facts: Facts) -> bool:
    """True if an argument is an array. `np.where` counts only in its form that selects, with one argument."""
    if name == "numpy.where" and len(node.args) != 1:
        return False
    return any(facts.kinds(argument) == NDARRAY for argument in node.args)


def _makes_objects(node: ast.Call, facts: Facts) -> bool:
    """True for `array.astype(object)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=array, attr="astype"), args=[ast.Name(id="object"), *_]):
            return facts.kinds(array) == NDARRAY
    return False


def _is_formatted(node: ast.BinOp, facts: Facts) -> bool:
    match node:
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=ast.Tuple(elts=parts)):
            return any(facts.kinds(each) == TENSOR for each in parts)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            return facts.kinds(right) == TENSOR
    return False


def _is_on(node: ast.Call, flag: str) -> bool:
    return any(word.arg == flag and getattr(word.value, "value", None) is True for word in node.keywords)


def _is_copied_outside(node: ast.expr, kinds: int, facts: Facts) -> bool:
    """True for what Dynamo cannot copy. Plain objects, and `deepcopy` of constants, are copied while tracing."""
    value = facts.value(node)
    deep = value.element is not None and kinds & ~CONTAINER and value.element.kinds & kinds & ~CONTAINER
    return bool(value.kinds & kinds or (deep and not kinds & CONTAINER))


def _draws_one(node: ast.Call, name: str) -> bool:
    """True if no argument is a size: the first of `rand`, `randn` and `random`, the third of the others."""
    sizes = 2 if name.endswith(("uniform", "normal", "randint")) else 0
    return len(node.args) <= sizes and not any(keyword.arg == "size" for keyword in node.keywords)


def reason(name: str, facts: Facts) -> str | None:
    """Why Dynamo does not trace the function of this name; None if it does, or is not known not to."""
    if facts.lists("skipped-call.functions", name):
        return "is listed in the settings"
    if name in UNTRACED or "()" in name:
        return UNTRACED.get(name)
    parts = name.split(".")
    prefixes = (".".join(parts[:end]) + "." for end in range(1, len(parts)))
    return next((UNTRACED[prefix] for prefix in prefixes if prefix in UNTRACED), None)


@skipped_call.fixer
def traced(node: ast.Call | ast.BinOp | ast.Attribute, facts: Facts) -> Fix | Refusal:
    if isinstance(node, ast.Attribute):
        return STAYS
    if isinstance(node, ast.BinOp):
        return aside(node, facts, "%") or STAYS
    for rewrite in (equivalent, copied, errand, context, outside):
        if found := rewrite(node, facts):
            return found
    unseen = aside(node, facts, facts.text(node.func))
    if isinstance(unseen, Fix) and unseen.applicability is Applicability.SAFE:
        return unseen
    return hoisted(node, facts) or unseen or STAYS
