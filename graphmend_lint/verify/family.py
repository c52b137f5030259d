"""Models of Hugging Face families, from their config classes: tiny, with random weights, offline. In the worker only.

A recipe says which family, how far it is shrunk and what it is called with. `plan` finds one by trying, most shrunk
first; `build` and `more_inputs` follow a finished one and try nothing, so that no run has seen a call before its first.
"""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import torch

from graphmend_lint.verify import dummy, shrink
from graphmend_lint.verify.failures import FactoryError

LARGEST = 200_000_000  #: parameters; a model that cannot be made smaller than this is refused
TASKS = ("SEQ_TO_SEQ_CAUSAL_LM", "SPEECH_SEQ_2_SEQ", "CAUSAL_LM")  #: heads that are preferred to the bare model
SIZES = {
    "hidden": 64,
    "layers": 2,
    "heads": 2,
    "vocab": 256,
    "positions": 128,
    "image": 64,
    "batch": 1,
    "seq": 8,
    "sets": 2,
}

Recipe = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a target text asks for."""

    family: str
    model_class: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)  #: config attributes, nested with dots
    inputs: dict[str, str] = field(default_factory=dict)  #: forward parameter to KIND:SHAPE


def wanted(family: str, options: dict[str, Any]) -> Wanted:
    """The options sorted by what they are about.

    Raises:
        FactoryError: if a size is no positive number.
    """
    sizes = dict(SIZES)
    for name in options.keys() & SIZES.keys():
        if not isinstance(options[name], int) or options[name] < 1:
            raise FactoryError(f"hf:{family}: {name} must be a positive number, not {options[name]!r}")
        sizes[name] = options[name]
    inputs = {name.partition(".")[2]: str(value) for name, value in options.items() if name.startswith("input.")}
    rest = {name: value for name, value in options.items() if name not in SIZES and not name.startswith("input.")}
    return Wanted(family, str(rest.pop("class", "")), sizes, rest, inputs)


def build(recipe: Recipe) -> tuple[torch.nn.Module, tuple[()], dict[str, Any]]:
    """The model of a finished recipe, and one call."""
    asked = wanted(recipe["family"], recipe["options"])
    model = _model(asked, recipe["level"])
    return model, (), dummy.inputs(recipe["inputs"], asked.sizes["seq"])


def more_inputs(recipe: Recipe) -> list[tuple[tuple[()], dict[str, Any]]]:
    """A second call: other values, and longer where there is a length."""
    if not recipe["longer"]:
        return []
    seq = wanted(recipe["family"], recipe["options"]).sizes["seq"]
    torch.manual_seed(torch.initial_seed() + 1)
    return [((), dummy.inputs(recipe["inputs"], 3 * seq))]


def plan_job(job: dict[str, Any], out: Path) -> dict[str, Any]:
    """Finish the recipe in `job["target"]`; with it, the file that holds the model."""
    torch.set_num_threads(1)
    given = job["target"]["recipe"]
    asked = wanted(given["family"], given["options"])
    recipe, model = _plan(given, asked, job["seed"])
    return {
        "recipe": recipe,
        "file": inspect.getfile(type(model)),
        "class": type(model).__name__,
        "parameters": sum(each.numel() for each in model.parameters()),
        "transformers": _transformers().__version__,
    }


def _plan(given: Recipe, asked: Wanted, seed: int) -> tuple[Recipe, torch.nn.Module]:
    """The first recipe, from the most shrunk on, whose model can be made and called; and that model."""
    reasons = []
    for level in shrink.LEVELS:
        torch.manual_seed(seed)
        try:
            model = _model(asked, level, bounded=True)
        except FactoryError:
            raise
        except Exception as error:
            reasons.append(_told(error))
            continue
        for specs in dummy.candidates(model, asked.sizes, asked.inputs):
            reason = _refused(model, specs, asked.sizes["seq"])
            if reason is None:
                longer = asked.sizes["sets"] > 1 and _refused(model, specs, 3 * asked.sizes["seq"]) is None
                return {**given, "level": level, "inputs": specs, "longer": longer}, model
            reasons.append(f"{reason} (shrunk: {level}; called with {', '.join(specs)})")
    raise FactoryError(f"hf:{asked.family}: no tiny model of this family can be made and called: {_likeliest(reasons)}")


def _refused(model: torch.nn.Module, specs: dummy.Specs, seq: int) -> str | None:
    """Why the model cannot be called so; None if it can."""
    try:
        with torch.no_grad():
            model(**dummy.inputs(specs, seq))
    except Exception as error:
        return _told(error)
    return None


def _told(error: Exception) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0] if text else ''}"[:200]


def _likeliest(reasons: list[str]) -> str:
    """The reason that the first tries gave: later ones are about cruder guesses."""
    return reasons[0] if reasons else "it takes no input that could be made up"


def _transformers() -> Any:
    """The package, told to stay offline.

    Raises:
        FactoryError: if it is not installed.
    """
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    try:
        import transformers
    except ImportError:
        raise FactoryError("targets that begin with hf: need transformers: pip install transformers") from None
    return transformers


def _model(asked: Wanted, level: str, bounded: bool = False) -> torch.nn.Module:
    """The model at one level of shrinking, in eval mode.

    Raises:
        FactoryError: if there is no such family, class or config attribute.
        ValueError: if it is to be bounded and is too large.
    """
    transformers = _transformers()
    config_class = _config_class(transformers, asked.family)
    config = shrink.config(config_class, level, asked.sizes, asked.config, f"hf:{asked.family}")
    found = _model_class(transformers, config_class, asked)
    if bounded:
        _bound(found, config)
    with _quiet(transformers):
        model: torch.nn.Module = found(config)
    return model.eval()


def _config_class(transformers: Any, family: str) -> Any:
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    for name in (family, family.replace("_", "-"), family.replace("-", "_")):
        if name in CONFIG_MAPPING_NAMES:
            return transformers.CONFIG_MAPPING[name]
    close = get_close_matches(family, list(CONFIG_MAPPING_NAMES), n=1, cutoff=0.5)
    hint = f"; did you mean hf:{close[0]}?" if close else ""
    raise FactoryError(f"hf:{family}: transformers {transformers.__version__} has no such model family{hint}")


def _model_class(transformers: Any, config_class: Any, asked: Wanted) -> Any:
    if asked.model_class:
        return _named(transformers, config_class, asked)
    from transformers.models.auto import modeling_auto as auto

    masked = config_class in auto.MODEL_FOR_MASKED_LM_MAPPING
    for task in TASKS:
        mapping = getattr(auto, f"MODEL_FOR_{task}_MAPPING")
        if config_class in mapping and not (task == "CAUSAL_LM" and masked):
            return _first(mapping[config_class])
    if config_class in auto.MODEL_MAPPING:
        return _first(auto.MODEL_MAPPING[config_class])
    raise FactoryError(f"hf:{asked.family}: transformers lists no model for this family; name one with class=NAME")


def _first(found: Any) -> Any:
    return found[0] if isinstance(found, (tuple, list)) else found


def _named(transformers: Any, config_class: Any, asked: Wanted) -> Any:
    """A class by its name: of the package, or of the module beside the family's config."""
    found = getattr(transformers, asked.model_class, None)
    if found is None:
        beside = config_class.__module__.replace(".configuration_", ".modeling_")
        found = getattr(importlib.import_module(beside), asked.model_class, None)
    if not (isinstance(found, type) and issubclass(found, torch.nn.Module)):
        raise FactoryError(f"hf:{asked.family}: transformers has no model class {asked.model_class}")
    return found


def _bound(found: Any, config: Any) -> None:
    """Refuse a model that is too large, before memory is taken for it."""
    try:
        with torch.device("meta"):
            count = sum(each.numel() for each in found(config).parameters())
    except Exception:  # some models compute with numbers while they are built, which "meta" has not
        return
    if count > LARGEST:
        raise ValueError(f"{count:,} parameters, of which at most {LARGEST:,} are allowed")


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """No advice on how models are set up."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    try:
        yield
    finally:
        transformers.logging.set_verbosity(before)
