"""Inputs made up from the signature of `forward`, the config and `main_input_name`. In the worker only.

A spec is `[kind, shape, bound]`: "ids" below `bound`, "ones", "zeros" (whole numbers), "bool" or "float". "seq" in a
shape stands for a length that may vary.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import torch

from graphmend_lint.verify.failures import FactoryError

Spec = list[Any]
Specs = dict[str, Spec]

PRIMARY = ("input_ids", "pixel_values", "input_features", "input_values", "bbox", "flattened_patches")
TRIES = 24  #: combinations of guesses
RESERVED = 3  #: smallest ids are often special


def inputs(specs: Specs, seq: int) -> dict[str, Any]:
    """Tensors as the specs say, drawn from torch's generator."""
    return {name: _tensor(spec, seq) for name, spec in specs.items()}


def _tensor(spec: Spec, seq: int) -> torch.Tensor:
    kind, shape, bound = spec
    size = [seq if each == "seq" else each for each in shape]
    if kind == "ids":
        return torch.randint(min(RESERVED, bound - 1), bound, size)
    if kind == "float":
        return torch.randn(size)
    return {"ones": torch.ones, "zeros": torch.zeros, "bool": torch.ones}[kind](
        size, dtype=torch.bool if kind == "bool" else torch.long
    )


def read(name: str, text: str) -> Spec:
    """A spec written as `float:1x4x1001x64`, `ids:1xseq`, `ids<100:1x8` or `bool:1x1`.

    Raises:
        FactoryError: if it is not written so.
    """
    match = re.fullmatch(r"(ids|ones|zeros|bool|float)(?:<(\d+))?:((?:\d+|seq)(?:x(?:\d+|seq))*)", text)
    if match is None:
        raise FactoryError(f"input.{name}={text} is not KIND:SHAPE, such as float:1x3x64x64, ids:1xseq or bool:1x1")
    shape = [each if each == "seq" else int(each) for each in match[3].split("x")]
    return [match[1], shape, int(match[2] or 100)]


def candidates(model: Any, sizes: dict[str, int], asked: dict[str, str]) -> Iterator[Specs]:
    """Ways to call the model, likeliest first; what is asked for is in each of them."""
    fixed = {name: read(name, text) for name, text in asked.items()}
    parameters = {n: p for n, p in inspect.signature(model.forward).parameters.items() if n not in ("self", "kwargs")}
    seen = []
    for names in _choices(model, parameters):
        guesses = {name: _guesses(name, parameters[name], model.config, sizes) for name in names if name not in fixed}
        for combination in islice(product(*guesses.values()), TRIES):
            specs = {**dict(zip(guesses, combination, strict=True)), **fixed}
            if specs and specs not in seen:
                seen.append(specs)
                yield specs


def _choices(model: Any, parameters: dict[str, inspect.Parameter]) -> Iterator[list[str]]:
    """Which parameters to give: all that stand for a kind of input, or only the main one, or only text."""
    main = getattr(model, "main_input_name", "input_ids")
    main = [main] if isinstance(main, str) else list(main)
    required = [n for n, p in parameters.items() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    decoder = ["decoder_input_ids"] if getattr(model.config, "is_encoder_decoder", False) else []
    plain = [*main, *required, *decoder]
    everything = [*required, *PRIMARY, *main, "decoder_input_ids"]
    for names in ([*plain, *PRIMARY], plain, [*main, *required], everything, ["input_ids", *required]):
        yield [name for name in dict.fromkeys(names) if name in parameters]


def _guesses(name: str, parameter: inspect.Parameter, config: Any, sizes: dict[str, int]) -> list[Spec]:
    """The specs that an input of this name may have, likeliest first."""
    batch = sizes["batch"]
    if name.endswith("input_ids") or name in ("input_ids", "labels"):
        return [["ids", [batch, "seq"], _vocab(config, name)]]
    if name == "bbox":
        return [["zeros", [batch, "seq", 4], 0]]
    if name.endswith("attention_mask") or name.endswith("token_type_ids"):
        return [["zeros" if "type" in name else "ones", [batch, "seq"], 0]]
    if "pixel_values" in name:
        return _images(config, sizes)
    if name == "input_features":
        return _features(config, batch)
    if name == "input_values":
        return _waves(config, batch)
    return _by_annotation(str(parameter.annotation), config, batch)


def _by_annotation(annotation: str, config: Any, batch: int) -> list[Spec]:
    if "Bool" in annotation:
        return [["bool", [batch, "seq"], 0], ["bool", [batch, 1], 0]]
    if "Long" in annotation or "Int" in annotation:
        return [["ids", [batch, "seq"], _vocab(config, "")], ["zeros", [batch, "seq"], 0]]
    width = find(config, "hidden_size", "d_model", "input_size") or 8
    length = find(config, "context_length", "prediction_length")
    whole = [["float", [batch, length], 0], ["float", [batch, length, 1], 0]] if length else []
    return [*whole, ["float", [batch, "seq", width], 0], ["float", [batch, "seq"], 0]]


def _images(config: Any, sizes: dict[str, int]) -> list[Spec]:
    size = find(config, "image_size", "img_size", "vision_image_size") or sizes["image"]
    high, wide = (size, size) if isinstance(size, int) else (size[0], size[-1])
    channels = find(config, "num_channels", "in_channels", "in_chans") or 3
    channels = channels if isinstance(channels, int) else 3
    image, larger = (["float", [sizes["batch"], channels, k * high, k * wide], 0] for k in (1, 2))
    frames = find(config, "num_frames") or 0
    moving = [["float", [sizes["batch"], frames, channels, high, wide], 0]] if frames else []
    several = ["float", [sizes["batch"], 1, channels, high, wide], 0]
    return [*moving, image, larger, several]


def _features(config: Any, batch: int) -> list[Spec]:
    mel = find(config, "num_mel_bins", "feature_size", "input_feat_per_channel", "feature_projection_input_dim") or 80
    positions = find(config, "max_source_positions") or 64
    shapes = [[batch, mel, 2 * positions], [batch, 64, mel], [batch, 1, 1001, mel], [batch, 4, 1001, mel]]
    return [["float", shape, 0] for shape in shapes]


def _waves(config: Any, batch: int) -> list[Spec]:
    mel = find(config, "num_mel_bins", "feature_size") or 80
    length = find(config, "max_length") or 64
    shapes = [[batch, 3200], [batch, 1, 3200], [batch, length, mel], [batch, 64, mel], [batch, 1, 1024, 128]]
    return [["float", shape, 0] for shape in shapes]


def _vocab(config: Any, name: str) -> int:
    """Ids stay below those that were moved to the top for special tokens."""
    part = getattr(config, "decoder", None) if name.startswith("decoder") else None
    size = find(part, "vocab_size") if part is not None else None
    size = size or find(config, "vocab_size") or 64
    return int(size) - 16 if size > 64 else int(size)


def find(config: Any, *names: str) -> Any:
    """The first of these attributes in the config or in the configs within it."""
    for name in names:
        value = getattr(config, name, None)
        if value is not None:
            return value
    for part in vars(config).values():
        if hasattr(part, "to_diff_dict"):
            value = find(part, *names)
            if value is not None:
                return value
    return None
