"""What a random program does before it is fixed and after, in eager mode and compiled."""

from __future__ import annotations

import math
import re
import runpy
import warnings
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

DTYPES = ("float32", "float16")
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
#: gradients of `torch.while_loop` are added up in another order
ROUNDED = {"torch.float32": 1e-4, "torch.float16": 2e-2}


def agrees(text: str, folder: Path) -> None:
    """Compare before and after; what torch itself compiles otherwise than it runs it is left out.

    Eager mode is run in both dtypes, what is compiled in one of them, by the text of the program.
    """
    mended = fixed(text)
    if mended == text:
        return
    before = outcomes(folder / "before.py", text, DTYPES, compiled=False)
    assert pairs(before, outcomes(folder / "after.py", mended, DTYPES, compiled=False)), mended
    dtype = DTYPES[zlib.crc32(text.encode()) % 2]
    expected = [loose(each, mended) for each in outcomes(folder / "before.py", text, (dtype,), compiled=False)]
    compiled = [loose(each, mended) for each in outcomes(folder / "after.py", mended, (dtype,), compiled=True)]
    if mended.count(".copy_(") > text.count(".copy_("):  # "which autograd must allow", says the fix
        compiled = [
            b._replace(gradients=a.gradients) if b.gradients == "raises" else b
            for a, b in zip(expected, compiled, strict=False)
        ]
    if not pairs(expected, compiled):
        again = outcomes(folder / "before.py", text, (dtype,), compiled=True)
        assert not pairs(expected, [loose(each, mended) for each in again]), mended


def pairs(before: list[Call], after: list[Call]) -> bool:
    """True if all calls did the same. Where no gradient could be taken before, it does not matter."""
    known = [
        b._replace(gradients="raises") if a.gradients == "raises" else b for a, b in zip(before, after, strict=False)
    ]
    return len(before) == len(after) and all(map(alike, before, known))


def alike(a: Call, b: Call) -> bool:
    """True if both did the same; gradients may be rounded otherwise."""
    return a._replace(gradients="") == b._replace(gradients="") and near(a, b)


def near(a: Call, b: Call) -> bool:
    """True if the gradients are the same but for rounding."""
    if a.gradients == b.gradients:
        return True
    numbers, others = NUMBER.findall(a.gradients), NUMBER.findall(b.gradients)
    share = max(each for name, each in ROUNDED.items() if name in a.result or name == "torch.float32")
    close = all(
        math.isclose(float(x), float(y), rel_tol=share, abs_tol=share) for x, y in zip(numbers, others, strict=False)
    )
    return NUMBER.sub("", a.gradients) == NUMBER.sub("", b.gradients) and len(numbers) == len(others) and close


def loose(call: Call, mended: str) -> Call:
    """What must be equal when compiled: text that is kept out, and classes of exceptions, need not."""
    result = "raises" if call.result.startswith("raises") else call.result
    return call._replace(result=result, printed="" if "is_compiling" in mended else call.printed, logged=())


def fixed(text: str) -> str:
    """The text with every fix, the unsafe ones as well."""
    source = Source(Path("program.py"), text)
    return fix([source], list(load_rules().values()), Settings(), Applicability.UNSAFE).sources[0].text


class Call(NamedTuple):
    """What one call did."""

    result: str  #: values, dtypes and shapes; or "raises" and the class of the exception
    gradients: str  #: or "raises": a program may change what a gradient needs
    state: str
    printed: str
    logged: tuple[str, ...]


def inputs(dtype: Any) -> Iterator[tuple[bool, tuple[Any, ...]]]:
    """Whether to take gradients, and arguments: A, B, A and others, for calls of one object."""
    import torch

    small = torch.randn(2, 2, 3, generator=torch.Generator().manual_seed(3))
    large = torch.tensor([[[4.0, -2.0, 1.5], [0.5, 6.0, 2.5]], [[-3.0, -1.0, -0.5], [-2.0, -4.0, -1.5]]])
    odd = torch.tensor([[[float("nan"), 1.0, 2.0], [0.0, -0.0, float("inf")]], [[1.0, 1.0, 1.0], [1.0, 0.0, -1.0]]])
    for pair, rest in (
        (small, (False,)), (small.flip(0), (True, small[0])), (small, (False,)), (large / 2, (True,)),
        (large.flip(0) / 2, (False,)), (small.abs() + 0.1, (True, small[1], 1)), (odd, (True,)), (large, (False,)),
    ):  # fmt: skip
        yield pair is not odd, (*(x.to(dtype).clone() for x in pair), *rest)


def outcomes(path: Path, text: str, dtypes: Sequence[str], *, compiled: bool) -> list[Call]:
    """What the program does with all inputs. A call that raises ends those on its object."""
    import torch
    import torch._dynamo

    path.write_text(text, "utf-8")
    made = runpy.run_path(str(path))["forward"]
    found: list[Call] = []
    for dtype in (getattr(torch, name) for name in dtypes):
        torch._dynamo.reset()
        torch.manual_seed(0)
        called = made().to(dtype)
        run = torch.compile(called, backend="eager") if compiled else called
        for grad, given in inputs(dtype):
            torch.manual_seed(len(found))
            found.append(call(run, called, given, grad))
            if found[-1].result.startswith("raises"):
                break
    return found


def call(run: Any, called: Any, given: tuple[Any, ...], grad: bool) -> Call:
    """One call, its gradients and its state."""
    import live
    from torch.utils._pytree import tree_leaves, tree_map

    leaves = [x.requires_grad_(grad) for x in given[:2]]
    with live.quiet() as text, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = run(*given)
        except Exception as error:
            return Call(f"raises {type(error).__name__}", "", "", "", ())
    state = repr({name: x.tolist() for name, x in called.state_dict().items()})
    grads = gradients(tree_leaves(result), leaves) if grad else ""
    return Call(repr(tree_map(live._plain, result)), grads, state, text[0], tuple(text[1:]))


def gradients(results: list[Any], leaves: list[Any]) -> str:
    """The gradients of the inputs, zero where there are none; or "raises"."""
    import torch

    outputs = [x.float().sum() for x in results if x.requires_grad]
    try:
        grads = torch.autograd.grad(sum(outputs), leaves, allow_unused=True, retain_graph=True) if outputs else ()
    except RuntimeError:
        return "raises"
    return repr([None if g is None or not g.any() else g.tolist() for g in grads or [None] * len(leaves)])
