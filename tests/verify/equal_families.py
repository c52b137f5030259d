"""Do models of transformers compute the same after its whole source was fixed?

    cp -r SITE/transformers OLD/; cp -r OLD/transformers NEW/; graphmend-lint --fix --unsafe-fixes NEW/transformers
    python tests/verify/equal_families.py record OLD old.json
    python tests/verify/equal_families.py record NEW new.json --as old.json
    python tests/verify/equal_families.py compare old.json new.json

Tiny models of every family are run with random weights: in eval and train mode, with gradients and without, with
labels, with a mask, in bfloat16, and once more at the end. Recorded are hashes of the outputs, the gradients, the
buffers and the state of the random numbers, so that equal means equal in every bit. Takes an hour per tree.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 60  #: for one model
HEADS: Final = (
    "",
    *(f"FOR_{name}" for name in "CAUSAL_LM SEQUENCE_CLASSIFICATION TOKEN_CLASSIFICATION QUESTION_ANSWERING".split()),
    *(f"FOR_{name}" for name in "SEQ_TO_SEQ_CAUSAL_LM IMAGE_CLASSIFICATION MASKED_LM PRETRAINING".split()),
    *(f"FOR_{name}" for name in "OBJECT_DETECTION MULTIPLE_CHOICE AUDIO_CLASSIFICATION CTC".split()),
)
LIKE_INPUTS: Final = ("CAUSAL_LM", "MASKED_LM", "SEQ_TO_SEQ", "PRETRAINING", "CTC", "TOKEN")  #: heads, by their labels
Row = dict[str, Any]


def models() -> Iterator[Row]:
    """Every class that transformers lists for one of the heads."""
    from transformers.models.auto import configuration_auto, modeling_auto

    seen: set[tuple[str, str]] = set()
    for head in HEADS:
        listed = getattr(modeling_auto, f"MODEL_{head}_MAPPING_NAMES" if head else "MODEL_MAPPING_NAMES")
        for family, names in listed.items():
            for name in names if isinstance(names, tuple) else (names,):
                if family in configuration_auto.CONFIG_MAPPING_NAMES and (family, name) not in seen:
                    seen.add((family, name))
                    yield {"family": family, "class": name, "head": head}


def record(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows with what their models computed, each in a process of its own."""
    for row in rows:
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            _answer(row, writing)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        yield json.loads(text) if text else {**row, "error": "the process died"}


def _answer(row: Row, writing: int) -> None:
    signal.alarm(SECONDS)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        answer = {**row, **_computed(row)}
    except Exception as error:
        answer = {**row, "error": f"{type(error).__name__}: {error}"[:200]}
    with os.fdopen(writing, "w") as pipe:
        json.dump(answer, pipe)
    os._exit(0)


def _computed(row: Row) -> Row:
    import torch

    from graphmend_lint.verify import family

    options = {"class": row["class"]}
    recipe = row.get("recipe")
    if recipe is None:
        recipe, _ = family._plan(
            {"family": row["family"], "options": options}, family.wanted(row["family"], options), 0
        )
    torch.manual_seed(0)
    model, _, inputs = family.build(recipe)
    calls = {f"call {n}": each for n, each in enumerate([inputs, *(more for _, more in family.more_inputs(recipe))])}
    calls |= {name: inputs | extra for name, extra in _extras(row["head"], inputs)}
    found: Row = {"recipe": recipe}
    for name, given in calls.items():
        for mode in ("without gradients", "eval", "train"):
            found[f"{name}, {mode}"] = _run(model, given, mode)
    found["again"] = _run(model, inputs, "eval")
    half = {k: v.bfloat16() if v.is_floating_point() else v for k, v in inputs.items()}
    found["bfloat16"] = _run(model.bfloat16(), half, "eval")
    return found


def _extras(head: str, inputs: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Inputs that a model may be given as well: labels that fit its head, a mask."""
    import torch

    first, ids = next(iter(inputs.values())), inputs.get("input_ids")
    if "ANSWERING" in head:
        ends = torch.full(first.shape[:1], 9_999)
        yield "labels", {"start_positions": torch.ones_like(ends), "end_positions": ends}
    elif any(each in head for each in LIKE_INPUTS) and ids is not None:
        yield "labels", {"labels": torch.zeros_like(ids) if "TOKEN" in head else ids.clone()}
    elif "CLASSIFICATION" in head or "CHOICE" in head:
        yield "labels", {"labels": torch.zeros(first.shape[:1], dtype=torch.long)}
    if ids is not None and ids.dim() == 2:
        mask = torch.ones_like(ids)
        mask[:, :1] = 0
        yield "a mask", {"attention_mask": mask}
        yield "nothing but padding", {"attention_mask": torch.zeros_like(ids)}


def _run(model: Any, inputs: dict[str, Any], mode: str) -> dict[str, str]:
    """Hashes of what one call gives, or its exception."""
    import numpy as np
    import torch
    from torch.utils._pytree import tree_leaves

    random.seed(3)
    np.random.seed(3)
    torch.manual_seed(3)
    model.train(mode == "train")
    model.zero_grad(set_to_none=True)
    try:
        with torch.set_grad_enabled(mode != "without gradients"):
            result = model(**inputs)
        outputs = [each for each in tree_leaves(_plain(result)) if isinstance(each, torch.Tensor)]
        sums = [each.float().nan_to_num().sum() for each in outputs if each.requires_grad]
        if sums:
            torch.autograd.backward(torch.stack(sums).sum())
        grads = [each.grad for each in model.parameters()]
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}
    parts = {"outputs": outputs, "gradients": grads, "buffers": model.buffers(), "random numbers": [torch.rand(2)]}
    return {name: _hash(tensors) for name, tensors in parts.items()}


def _plain(value: Any) -> Any:
    """The result as lists and dictionaries, all the way down."""
    match value:
        case dict():
            return {name: _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    return value if not hasattr(value, "__dict__") or hasattr(value, "dtype") else _plain(vars(value))


def _hash(tensors: Iterable[Any]) -> str:
    import torch

    found = hashlib.sha256()
    for each in tensors:
        found.update(b"None" if each is None else f"{each.dtype} {tuple(each.shape)}".encode())
        if each is not None:
            found.update(each.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return found.hexdigest()[:16]


def compare(old: list[Row], new: list[Row]) -> int:
    """Print what differs, by family; exit status 1 if anything does."""
    after = {(row["family"], row["class"]): row for row in new}
    made = [row for row in old if "error" not in row]
    differ: dict[str, set[str]] = {}
    for row in made:
        other = after.get((row["family"], row["class"]), {})
        for call, was in row.items():
            now = other.get(call)
            if isinstance(was, dict) and call != "recipe" and was != now:
                parts = {part for part in was if isinstance(now, dict) and was[part] != now.get(part)}
                differ.setdefault(row["family"], set()).update(parts or {other.get("error", "not recorded")})
    for family, parts in differ.items():
        print(f"{family}: {', '.join(sorted(parts))}")
    families = {row["family"] for row in made}
    print(f"{len(made)} models of {len(families)} families, {len(families - differ.keys())} equal in every bit")
    return int(bool(differ))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recording = commands.add_parser("record")
    recording.add_argument("tree", type=Path)
    recording.add_argument("out", type=Path)
    recording.add_argument("--as", dest="first", type=Path, help="the models and inputs of an earlier record")
    recording.add_argument("--only", nargs="*", default=(), metavar="FAMILY")
    recording.set_defaults(run=_record)
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.set_defaults(run=lambda given: compare(_read(given.old), _read(given.new)))
    given = parser.parse_args()
    run: Callable[[argparse.Namespace], int] = given.run
    return run(given)


def _record(given: argparse.Namespace) -> int:
    sys.path.insert(0, str(given.tree.resolve()))
    warnings.simplefilter("ignore")
    import torch
    from transformers import logging

    torch.set_num_threads(1)
    logging.set_verbosity_error()
    rows = [_bare(row) for row in _read(given.first) if "error" not in row] if given.first else list(models())
    wanted = [row for row in rows if not given.only or row["family"] in given.only]
    found = list(record(wanted))
    given.out.write_text(json.dumps(found), "utf-8")
    print(f"{sum('error' not in row for row in found)} of {len(found)} models could be made")
    return 0


def _bare(row: Row) -> Row:
    return {name: row[name] for name in ("family", "class", "head", "recipe")}


def _read(path: Path) -> list[Row]:
    found: list[Row] = json.loads(path.read_text("utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(main())
