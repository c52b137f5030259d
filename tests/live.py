"""Ask torch itself: which graph breaks does a case have, and what does it compute, raise and print?

A case defines `forward`, a function or a module class, and `inputs()`, a list of argument tuples that take every
branch.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import runpy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from torch import nn
from torch._dynamo.testing import CompileCounter
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

Case = dict[str, Any]


def load(path: Path, text: str) -> Case:
    """The names that a case defines."""
    path.write_text(text, "utf-8")
    return runpy.run_path(str(path))


@cache
def registry() -> dict[str, str]:
    """Graph-break ids by the name that Dynamo reports."""
    path = Path(torch._dynamo.__file__ or "").with_name("graph_break_registry.json")
    return {entry["Gb_type"]: id for id, entries in json.loads(path.read_text()).items() for entry in entries}


def target(case: Case) -> Any:
    """What to compile: a new module with the same weights each time, or the function."""
    torch.manual_seed(0)
    forward = case["forward"]
    return forward() if isinstance(forward, type) and issubclass(forward, nn.Module) else forward


def arguments(case: Case) -> Iterator[tuple[Any, ...]]:
    """The inputs, made anew."""
    for given in case["inputs"]():
        yield given if isinstance(given, tuple) else (given,)


SKIPPED = "nothing compiled"  #: Dynamo gave up on the whole function, and names no break


def breaks(case: Case, *, whole: bool = False) -> set[str]:
    """Ids of the graph breaks that Dynamo meets over all inputs, in default mode or under `fullgraph=True`.

    `whole` asks about the latter alone, for code that is compiled so.
    """
    found: set[str] = set()
    for given in arguments(case):
        here = set() if whole else _default_breaks(case, given)
        torch._dynamo.reset()
        try:
            with quiet():
                graphs = CompileCounter()
                torch.compile(target(case), backend=graphs, fullgraph=True)(*given)
            here -= set() if graphs.frame_count else {SKIPPED}  # there is nothing to compile
        except torch._dynamo.exc.Unsupported as error:
            here.add(_id(str(error)))
        except (Exception, SystemExit):
            pass  # what the case itself raises
        found |= here
    return found


def _default_breaks(case: Case, given: tuple[Any, ...]) -> set[str]:
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    found: set[str] = set()
    with quiet(), contextlib.suppress(Exception, SystemExit):
        graphs = CompileCounter()
        torch.compile(target(case), backend=graphs)(*given)
        found |= set() if graphs.frame_count or not _computes(case, given) else {SKIPPED}
    return found | {_id(str(reason)) for reason in torch._dynamo.utils.counters["graph_break"]}


def _computes(case: Case, given: tuple[Any, ...]) -> bool:
    """True if a call computes anything that could be compiled."""
    ran: list[object] = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            ran.append(func)
            return func(*args, **kwargs or {})

    called = target(case)
    with Watch():
        called(*given)
    return bool(ran)


def _id(reason: str) -> str:
    first = reason.partition("\n")[0]
    known = registry()
    return known.get(first) or next((known[name] for name in known if name and first.startswith(name)), first)


@dataclass(frozen=True)
class Outcome:
    """What one call did."""

    result: object  #: as plain numbers, with dtypes, shapes and gradients; or the word "raises"
    state: object  #: buffers and parameters of a module afterwards
    error: str  #: name of the exception's class
    text: tuple[str, ...]  #: printed, logged and warned


def outcomes(case: Case, *, compiled: bool, whole: bool = False, backend: str = "eager") -> list[Outcome]:
    """What the case does, call after call, on one object; `whole` compiles with `fullgraph=True`."""
    torch._dynamo.reset()
    called = target(case)
    run = torch.compile(called, backend=backend, fullgraph=whole) if compiled else called
    return [outcome(run, called, given) for given in arguments(case)]


def outcome(run: Any, called: Any, given: tuple[Any, ...]) -> Outcome:
    """What one call does."""
    with quiet() as text:
        try:
            result, error = plain(run(*given), given), ""
        except (Exception, SystemExit) as raised:
            result, error = "raises", type(raised).__name__
    state = {name: x.tolist() for name, x in called.state_dict().items()} if isinstance(called, nn.Module) else {}
    return Outcome(result, state, error, tuple(text))


def results(found: list[Outcome]) -> list[tuple[object, object, bool]]:
    """The outcomes, whatever was printed and whichever exception was raised."""
    return [(each.result, each.state, bool(each.error)) for each in found]


def plain(result: object, given: tuple[Any, ...]) -> object:
    """Values, dtypes and shapes as Python data, and the gradients of the inputs."""
    leaves = [x for x in tree_leaves(given) if isinstance(x, torch.Tensor) and x.requires_grad]
    totals = [x.sum() for x in tree_leaves(result) if isinstance(x, torch.Tensor) and x.requires_grad]
    grads = torch.autograd.grad(sum(totals), leaves, allow_unused=True) if leaves and totals else []
    return repr(tree_map(_plain, (result, [x if x is None else x.detach() for x in grads])))


def _plain(x: object) -> object:
    return (x.tolist(), str(x.dtype), tuple(x.shape)) if isinstance(x, torch.Tensor) else x


@contextlib.contextmanager
def quiet() -> Iterator[list[str]]:
    """Collect what is printed, logged and warned, in the order of these three.

    Gradients are on, also after a case that turned them off for the whole process.
    """
    text: list[str] = []
    out, handler = io.StringIO(), Records()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(out), torch.enable_grad():
            warnings.simplefilter("always")
            yield text
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        seen = [str(each.message) for each in warned if each.filename.endswith(PLACES)]
        text += [out.getvalue(), *handler.found, *seen]


PLACES = ("before.py", "after.py", "_compiled_effects.py")  #: where a case's own warnings come from


class Records(logging.Handler):
    """Keeps the messages of a case's own loggers."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith(("torch", "root.torch")):
            self.found.append(record.getMessage())
