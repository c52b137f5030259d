"""What becomes of measured patterns: `python tests/patterns.py PATTERNS.json [GROUPS]`.

The list is that of `measure_patterns.py`. What breaks the graph is fixed, the unsafe fixes included, and run:
`proven`: no break is left, and results, gradients, state and exceptions are those of before, eager and compiled;
`partly`: the same, but it still breaks; `refused`: left as it is; `wrong`: it differs; `not-run`: no input suits.
A 0-dim tensor has the default dtype here: numbers that become tensors promote others, as their fix says.
In groups B and C, fixes say that last digits may change: there, floats need only be close.
Code that a fix has compiled with `fullgraph=True` is run so, and by way of AOTAutograd as well; masks have dimensions
there, and where indices are counted: without them, torch captures none, and counts none, as those fixes say.
"""

from __future__ import annotations

import json
import logging
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import live
import torch
from measure_patterns import annotated
from torch import nn

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

NUMBERS = ("n", "step", "k")
COUNTS = (2, 3, 2, 1, 1, 3, 0, 2)  #: values of a tensor that holds a number of things
ROWS = ((0, 1, 2), (2, 0, 1), (0, 1, 2), (1, 1, 1), (0, 0, 0), (2, 2, 2), (1, 0, 0), (0, 2, 0))
LOOSE = "BC"  #: groups in which floats need only be close
TURNS = "GB0059"  #: a number of turns that is a tensor
NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")


def mended(text: str) -> tuple[str, list[str]]:
    """The text with every fix, and the reasons for what is left."""
    done = fix([Source(Path("pattern.py"), text)], list(load_rules().values()), Settings(), Applicability.UNSAFE)
    left = [each.refusal.reason if each.refusal else "no-fix" for each in done.diagnostics]
    return done.sources[0].text, left


class Form(NamedTuple):
    """What arguments look like."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    grad: bool = True
    loose: bool = False  #: names of numbers stand for tensors


def inputs(names: list[str], form: Form) -> list[tuple[Any, ...]]:
    """Arguments of one shape that go different ways: A, B, A and others."""
    shape = form.shape
    base = torch.randn(4, *shape, generator=torch.Generator().manual_seed(1))
    sets = [base, base.flip(0), base, base.abs() * 3, -base.abs() * 3, base * 1e-3, torch.zeros_like(base), base * 100]
    return [
        tuple(
            _counted(name, row, each[at % 4], form) if form.loose else _value(name, each[at % 4], form)
            for at, name in enumerate(names)
        )
        for row, each in enumerate(sets)
    ]


def _value(name: str, x: torch.Tensor, form: Form) -> object:
    if name == "mask":
        return x > 0
    if name == "xs":
        return [x.to(form.dtype), -x.to(form.dtype)]
    if name in NUMBERS:
        return torch.tensor(2) if name == "k" else 2
    return x.to(form.dtype, copy=True).requires_grad_(form.grad)


def _counted(name: str, row: int, x: torch.Tensor, form: Form) -> object:
    """A value where names of numbers are tensors: counts, sizes, rows, labels, masks."""
    length = x.shape[0] if x.dim() else 3
    match name:
        case "n" | "k":
            return torch.tensor(COUNTS[row])
        case "r" | "lengths":
            return torch.tensor([*ROWS[row], 1][:length])
        case "sizes":
            return torch.tensor([COUNTS[row] % 3, length - COUNTS[row] % 3])
        case "shapes":
            return torch.tensor([[1, COUNTS[row]], [2, 4]])
        case "v":
            return x.reshape(-1)[:1].expand(1, 8 + COUNTS[row], 2).to(form.dtype, copy=True).requires_grad_(form.grad)
        case "m":
            return torch.tensor([*ROWS[row], 1][:length]) > 0
        case "y":
            return torch.tensor([-100 if each == 2 else each for each in [*ROWS[row], 1][:length]])
        case "s" | "p":
            return torch.tensor(COUNTS[row] / 4, dtype=form.dtype)
    return _value(name, x, form)


def case(path: Path, text: str, form: Form) -> live.Case:
    """The pattern with inputs of its own."""
    names = live.load(path, text)
    made = [each for each in names.values() if isinstance(each, type) and issubclass(each, nn.Module)]
    target = names.get("f") or made[-1]
    function = target.forward if isinstance(target, type) else target
    code = function.__code__
    needed = code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())]
    return {"forward": target, "inputs": lambda: inputs([each for each in needed if each != "self"], form)}


def plain(found: list[live.Outcome]) -> str:
    """What must be equal. The sign of a zero is not: adding the zero gradient of the other side may change it."""
    return re.sub(r"-0\.0(?!\d)", "0.0", repr(live.results(found)))


def differs(found: list[live.Outcome], expected: list[live.Outcome], form: Form) -> bool:
    """True if two runs differ by more than the pattern's group allows."""
    one, other = plain(found), plain(expected)
    if not form.loose or one == other:
        return one != other
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=False)
    small = 1e-2 if form.dtype == torch.float16 else 1e-4
    close = all(math.isclose(float(a), float(b), rel_tol=small, abs_tol=small) for a, b in numbers)
    return not close or NUMBER.sub("#", one) != NUMBER.sub("#", other)


def fewer(case: live.Case) -> live.Case:
    """The case with inputs A and B, and another."""
    given = case["inputs"]
    return {**case, "inputs": lambda: given()[1:4]}


def forms(loose: bool) -> Iterator[Form]:
    for shape in ((3, 3), (4,), ()):
        for dtype in (torch.float32, torch.float16)[: 2 if shape else 1]:
            if not loose or (dtype == torch.float16) == (shape == (4,)):
                yield Form(shape, dtype, True, loose)


def verdict(code: str, folder: Path, loose: bool) -> tuple[str, list[str]]:
    """One of the words above, and the reasons of refusals."""
    text = annotated(code, loose)
    after, reasons = mended(text)
    if after == text:
        return "refused" if reasons else "missed", reasons
    ran, breaks, whole = False, set(), "fullgraph=True" in after
    for form in forms(loose):
        if (whole or "nonzero" in text) and not form.shape:
            continue
        original, new = (case(folder / "before.py", each, form) for each in (text, after))
        expected = live.outcomes(original, compiled=False)
        failed = all if loose else any
        if failed(bool(each.error) for each in expected):  # no gradient; or a leaf that is changed in place
            form = form._replace(grad=False)
            original, new = (case(folder / "before.py", each, form) for each in (text, after))
            expected = live.outcomes(original, compiled=False)
        if all(each.error for each in expected):
            continue
        ran = True
        if differs(live.outcomes(new, compiled=False), expected, form):
            return f"wrong {form} eager", reasons
        for backend in ("eager", "aot_eager") if whole else ("eager",):
            if differs(live.outcomes(new, compiled=True, whole=whole, backend=backend), expected, form):
                return f"wrong {form} compiled {backend}", reasons
        breaks |= live.breaks(fewer(new) if loose else new, whole=whole)
    return ("proven" if not breaks else "partly") if ran else "not-run", [*reasons, *sorted(breaks)]


def main(path: str, groups: str = "AD", only: str = "") -> None:
    torch._logging.set_logs(graph_breaks=False)
    logging.disable(logging.WARNING)
    patterns = [
        each
        for each in json.loads(Path(path).read_text("utf-8"))
        if each["id"][0] in groups and each["id"] in (only or each["id"])
    ]
    breaking = [each for each in patterns if each["breaks_default"] or each["breaks_fullgraph"]]
    counts: Counter[tuple[str, bool]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for each in breaking:
            try:
                word, reasons = verdict(each["code"], Path(folder), each["id"][0] in LOOSE or each["gb_id"] == TURNS)
            except Exception as error:
                word, reasons = "not-run", [repr(error)[:80]]
            fixable = bool(each["working_rewrites"])
            counts[word.split()[0], fixable] += 1
            print(each["id"], "fixable" if fixable else "-", word, each["title"], *sorted(set(reasons)), flush=True)
    for fixable in (True, False):
        found = {word: count for (word, known), count in sorted(counts.items()) if known == fixable}
        print("a rewrite is known:" if fixable else "none is known:", found, sum(found.values()))


if __name__ == "__main__":
    main(*sys.argv[1:])
