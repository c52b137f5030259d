"""`[[tool.graphmend-lint.verify]]`: targets with their options, in the configuration file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphmend_lint.keys import suggestion

DTYPES = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}
MODES = {"eval": "eval", "train": "train"}
BACKENDS = ("eager", "aot_eager", "inductor")
DEVICES = ("cpu", "cuda")
COMPILE_MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")

Read = Callable[[Any], Any]


class UnfitError(Exception):
    """A value that a key does not take: what it takes."""


def _is(kind: type, told: str) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise UnfitError(told)
        return value

    return read


def _positive(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise UnfitError("a positive number")
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UnfitError("a whole number from 1")
    return value


def _one_of(*known: str) -> Read:
    def read(value: Any) -> str:
        if value not in known:
            raise UnfitError(f"one of {', '.join(known)}")
        return str(value)

    return read


def _named(known: Mapping[str, str]) -> Read:
    """A name, or a list of names."""

    def read(value: Any) -> tuple[str, ...]:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not names or any(name not in known for name in names):
            raise UnfitError(f"a name or a list of names of {', '.join(known)}")
        return tuple(known[name] for name in dict.fromkeys(names))

    return read


def _names(value: Any) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UnfitError("a name or a list of names")
    return tuple(names)


def _flags(value: Any) -> tuple[bool, ...]:
    flags = [value] if isinstance(value, bool) else value
    if not isinstance(flags, list) or not flags or not all(isinstance(flag, bool) for flag in flags):
        raise UnfitError("true, false or a list of both")
    return tuple(dict.fromkeys(flags))


_text = _is(str, "a string")
_flag = _is(bool, "true or false")

#: Keys of a table: the part of the request that each one sets, and how it is read.
KEYS: Mapping[str, tuple[str, Read]] = {
    "target": ("target", _text),
    "name": ("name", _text),
    "config": ("config", _is(dict, "a table")),
    "inputs": ("inputs", _names),
    "bad-inputs": ("bad_inputs", _names),
    "against": ("against", _text),
    "fix-modules": ("fix_modules", _names),
    "unsafe-fixes": ("unsafe_fixes", _flag),
    "backend": ("backend", _one_of(*BACKENDS)),
    "compile-mode": ("compile_mode", _one_of(*COMPILE_MODES)),
    "dtype": ("dtype", _named(DTYPES)),
    "mode": ("mode", _named(MODES)),
    "dynamic": ("dynamic", _flags),
    "device": ("device", _one_of(*DEVICES)),
    "time": ("time", _flag),
    "rounds": ("rounds", _count),
    "calls": ("calls", _count),
    "timeout": ("timeout", _positive),
    "memory": ("memory", _positive),
    "seed": ("seed", _is(int, "a whole number")),
    "allow-lost-text": ("allow_lost_text", _flag),
    "strict": ("strict", _flag),
}


def read(table: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a request that one table sets.

    Raises:
        UnfitError: if a key is unknown or its value does not fit; if there is no target.
    """
    if "target" not in table:
        raise UnfitError("needs `target`")
    found = {}
    for key, value in table.items():
        if key not in KEYS:
            raise UnfitError(f"unknown key `{key}`{suggestion(key, KEYS)}")
        name, reader = KEYS[key]
        try:
            found[name] = reader(value)
        except UnfitError as takes:
            raise UnfitError(f"`{key}` must be {takes}") from None
    return found
