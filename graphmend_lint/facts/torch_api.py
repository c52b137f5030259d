"""What is known about torch's API, from torch_api.json; `generate` tells what the words in it mean.

The file is read once, on first use. torch is not imported.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

METHOD: Final = "torch.Tensor."

#: spelled-out homes of public names, longest first
ALIASES: Final = (
    ("torch._C._VariableFunctions.", "torch."),
    ("torch._C._nn.", "torch.nn.functional."),
    ("torch._C.TensorBase.", METHOD),
    ("torch._tensor.Tensor.", METHOD),
    ("torch.nn.parameter.Parameter.", METHOD),
    ("torch.nn.parameter.", "torch.nn."),
    ("torch.nn.Parameter.", METHOD),
    ("torch.functional.", "torch."),
    ("torch.random.", "torch."),
    ("torch.serialization.", "torch."),
)

TENSOR_CLASSES: Final = frozenset(
    f"torch.{prefix}{kind}Tensor"
    for prefix in ("", "cuda.")
    for kind in ("BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")
)


class Entry(NamedTuple):
    """One function, method or module."""

    returns: str  #: a category
    when: MappingProxyType[str, str] | None = None  #: condition: category
    breaks_gb: str | None = None  #: GB id, if a call breaks the graph
    breaks_severity: str | None = None  #: "warning" or "error"
    breaks_when: str | None = None  #: None: always
    reduces_full: bool = False
    dtype: str | None = None  #: "bool", "long"
    random: bool = False
    pure: bool = True
    same: bool = False
    same_with_numbers: bool = False  #: also true if `same` is
    tensor_only: bool = False


def function(name: str) -> Entry | None:
    """The entry of a qualified name: "torch.any", or "torch.Tensor.any" for a method."""
    name = canonical(name)
    if name.startswith(METHOD):
        return method(name.removeprefix(METHOD))
    return _entry("functions", name)


def method(name: str) -> Entry | None:
    """The entry of a method of torch.Tensor, by its bare name."""
    return _entry("methods", name)


def module(name: str) -> Entry | None:
    """The entry of a class of torch.nn, by its qualified name."""
    return _entry("modules", canonical(name))


def modules() -> frozenset[str]:
    """The qualified names of all classes of torch.nn."""
    return frozenset(_data()["modules"])


def attribute(name: str) -> str | None:
    """The category of an attribute of torch.Tensor, by its bare name."""
    found: str | None = _data()["attributes"].get(name)
    return found


def version() -> str:
    """The torch release that the data was read from."""
    return str(_data()["torch"])


@cache
def canonical(name: str) -> str:
    """The one name that stands for a thing with several: "torch.norm" for "torch.functional.norm"."""
    for alias, public in ALIASES:
        if name.startswith(alias):
            return public + name.removeprefix(alias)
    if name.startswith("torch.nn.modules."):
        return "torch.nn." + name.split(".", 4)[-1]
    owner, _, last = name.rpartition(".")
    return METHOD + last if owner in TENSOR_CLASSES else name


@cache
def _data() -> dict[str, Any]:
    text = Path(__file__).with_name("torch_api.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def _entry(table: str, name: str) -> Entry | None:
    raw = _data()[table].get(name)
    return _build(raw) if raw is not None else None


def _build(raw: dict[str, Any]) -> Entry:
    breaks = raw.get("breaks", {})
    same = raw.get("same", False)
    return Entry(
        returns=raw["returns"],
        when=MappingProxyType(raw["when"]) if "when" in raw else None,
        breaks_gb=breaks.get("gb"),
        breaks_severity=breaks.get("severity"),
        breaks_when=breaks.get("when"),
        reduces_full=raw.get("reduces") == "full",
        dtype=raw.get("dtype"),
        random=raw.get("random", False),
        pure=raw.get("pure", True),
        same=same is True,
        same_with_numbers=bool(same),
        tensor_only=raw.get("tensor_only", False),
    )
