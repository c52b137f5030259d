"""How much of a list of measured patterns is found: `python tests/measure_patterns.py PATTERNS.json [GROUPS]`.

The list holds objects with `id` (whose first letter is the group), `title`, `code` (a function `f`, or a module class),
`breaks_default` and `breaks_fullgraph` (what Dynamo did with it). Parameters without a default are taken to be tensors,
unless their name is in `OTHERS`.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphmend_lint.engine import lint
from graphmend_lint.model import Diagnostic
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

HEAD = """\
import collections, contextlib, copy, dataclasses, functools, itertools, logging, math, os, random, sys, time, warnings
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
"""
OTHERS = {"n": "int", "step": "int", "xs": "list[torch.Tensor]"}
RULES = list(load_rules().values())


def annotated(code: str, tensors: bool = False) -> str:
    """The code with its inputs declared, and its function or module compiled. `tensors`: all inputs are tensors."""
    tree, others = ast.parse(code), {} if tensors else OTHERS
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in ("f", "forward"):
            given = function.args.args
            for each in given[: len(given) - len(function.args.defaults)]:
                if each.arg not in ("self", "ctx") and each.annotation is None:
                    each.annotation = ast.parse(others.get(each.arg, "torch.Tensor"), mode="eval").body
    names = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    compiled = "f" if "f" in names else "M()" if "M" in names and tensors else ""
    return HEAD + ast.unparse(tree) + (f"\ncompiled = torch.compile({compiled})\n" if compiled else "\n")


def found(pattern: dict[str, Any]) -> list[Diagnostic]:
    return lint([Source(Path(f"{pattern['id']}.py"), annotated(pattern["code"]))], RULES)


def missed(patterns: list[dict[str, Any]]) -> Iterator[str]:
    """One line for each pattern that we and Dynamo take differently."""
    for each in patterns:
        breaks, codes = _breaks(each), sorted({diagnostic.code for diagnostic in found(each)})
        if breaks and not codes:
            yield f"missed {each['id']} {each['gb_id'] or ''} {each['title']}"
        elif codes and not breaks:
            yield f"wrong  {each['id']} {' '.join(codes)} {each['title']}"


def _breaks(pattern: dict[str, Any]) -> bool:
    return bool(pattern["breaks_default"] or pattern["breaks_fullgraph"])


def main(path: str, groups: str = "EFGXY") -> None:
    patterns = [each for each in json.loads(Path(path).read_text("utf-8")) if each["id"][0] in groups]
    lines = list(missed(patterns))
    print("\n".join(lines))
    breaking = sum(map(_breaks, patterns))
    lost = sum(line.startswith("missed") for line in lines)
    print(
        f"found {breaking - lost} of {breaking} that break, {len(lines) - lost} of {len(patterns) - breaking} wrongly"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
