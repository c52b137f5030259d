"""What becomes of measured patterns: `python tests/patterns.py PATTERNS.json [GROUPS]`.

The list is that of `measure_patterns.py`. What breaks the graph is fixed, the unsafe fixes included, and run:
`proven`: no break is left, and results, gradients, state and exceptions are those of before, eager and compiled;
`partly`: the same, but it still breaks; `refused`: left as it is; `wrong`: it differs; `not-run`: no input suits.
A 0-dim tensor has the default dtype here: numbers that become tensors promote others, as their fix says.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

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


def mended(text: str) -> tuple[str, list[str]]:
    """The text with every fix, and the reasons for what is left."""
    done = fix([Source(Path("pattern.py"), text)], list(load_rules().values()), Settings(), Applicability.UNSAFE)
    left = [each.refusal.reason if each.refusal else "no-fix" for each in done.diagnostics]
    return done.sources[0].text, left


def inputs(names: list[str], shape: tuple[int, ...], dtype: torch.dtype, grad: bool) -> list[tuple[Any, ...]]:
    """Arguments of one shape that go different ways: A, B, A and others."""
    base = torch.randn(4, *shape, generator=torch.Generator().manual_seed(1))
    sets = [base, base.flip(0), base, base.abs() * 3, -base.abs() * 3, base * 1e-3, torch.zeros_like(base), base * 100]
    return [tuple(_value(name, each[at % 4], dtype, grad) for at, name in enumerate(names)) for each in sets]


def _value(name: str, x: torch.Tensor, dtype: torch.dtype, grad: bool) -> object:
    if name == "xs":
        return [x.to(dtype), -x.to(dtype)]
    if name in NUMBERS:
        return torch.tensor(2) if name == "k" else 2
    return x.to(dtype, copy=True).requires_grad_(grad)


def case(path: Path, text: str, shape: tuple[int, ...], dtype: torch.dtype, grad: bool) -> live.Case:
    """The pattern with inputs of its own."""
    names = live.load(path, text)
    made = [each for each in names.values() if isinstance(each, type) and issubclass(each, nn.Module)]
    target = names.get("f") or made[-1]
    function = target.forward if isinstance(target, type) else target
    code = function.__code__
    needed = code.co_varnames[: code.co_argcount - len(function.__defaults__ or ())]
    names_of = [each for each in needed if each != "self"]
    return {"forward": target, "inputs": lambda: inputs(names_of, shape, dtype, grad)}


def plain(found: list[live.Outcome]) -> str:
    """What must be equal. The sign of a zero is not: adding the zero gradient of the other side may change it."""
    return re.sub(r"-0\.0(?!\d)", "0.0", repr(live.results(found)))


def verdict(code: str, folder: Path) -> tuple[str, list[str]]:
    """One of the words above, and the reasons of refusals."""
    text = annotated(code)
    after, reasons = mended(text)
    if after == text:
        return "refused" if reasons else "missed", reasons
    ran, breaks = False, set()
    for shape in ((3, 3), (4,), ()):
        for dtype in (torch.float32, torch.float16)[: 2 if shape else 1]:
            for grad in (True, False):  # what is changed in place may be no leaf that requires gradients
                original, new = (case(folder / "before.py", each, shape, dtype, grad) for each in (text, after))
                expected = live.outcomes(original, compiled=False)
                if not any(each.error for each in expected):
                    break
            if all(each.error for each in expected):
                continue
            ran = True
            if plain(live.outcomes(new, compiled=False)) != plain(expected):
                return f"wrong {shape} {dtype} eager", reasons
            if plain(live.outcomes(new, compiled=True)) != plain(expected):
                return f"wrong {shape} {dtype} compiled", reasons
            breaks |= live.breaks(new)
    return ("proven" if not breaks else "partly") if ran else "not-run", [*reasons, *sorted(breaks)]


def main(path: str, groups: str = "AD") -> None:
    torch._logging.set_logs(graph_breaks=False)
    logging.disable(logging.WARNING)
    patterns = [each for each in json.loads(Path(path).read_text("utf-8")) if each["id"][0] in groups]
    breaking = [each for each in patterns if each["breaks_default"] or each["breaks_fullgraph"]]
    counts: Counter[tuple[str, bool]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for each in breaking:
            try:
                word, reasons = verdict(each["code"], Path(folder))
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
