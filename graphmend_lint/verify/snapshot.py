"""Turn results, weights and state into flat, comparable leaves. Runs in the worker only."""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import hashlib
import types
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from graphmend_lint.verify.compare import Leaf

DEPTH = 8  #: how far attributes of objects are followed
LIMIT = 50_000  #: leaves of one call at most

_PLAIN = (bool, int, str, bytes, complex, type(None), enum.Enum, torch.dtype, torch.device, torch.Size, range, slice)
_OPAQUE = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
#: attributes that belong to `nn.Module` itself, and one that `torch.compile` sets
_OWN = (frozenset(vars(torch.nn.Module())) | {"_is_torch_compile"}) - {"training"}


class Snapshot:
    """Collects leaves by path, and which paths share memory."""

    def __init__(self, *, clone: bool = True) -> None:
        self.leaves: dict[str, Leaf] = {}
        self._clone = clone
        self._visited: dict[int, str] = {}
        self._kept: list[object] = []  # so that no id is used twice
        self._storages: dict[int, list[str]] = {}

    @property
    def aliases(self) -> tuple[tuple[str, ...], ...]:
        """Groups of paths whose tensors share memory."""
        return tuple(tuple(paths) for paths in self._storages.values() if len(paths) > 1)

    def add(self, path: str, value: Any, depth: int = DEPTH) -> None:
        """Add `value`, and all it holds, under `path`."""
        if len(self.leaves) >= LIMIT:
            return
        if isinstance(value, torch.Tensor):
            self._add_tensor(path, value)
        elif isinstance(value, _PLAIN) and not isinstance(value, torch.Size):
            self.leaves[path] = Leaf(type_name(value), repr(value))
        elif isinstance(value, float):
            self.leaves[path] = Leaf("float", repr(value))
        elif isinstance(value, _OPAQUE):
            self.leaves[path] = Leaf(str(type(value).__name__), str(getattr(value, "__qualname__", "")))
        elif type(value).__module__ == "numpy":
            self._add_numpy(path, value)
        else:
            self._add_holder(path, value, depth)

    def _add_tensor(self, path: str, value: torch.Tensor) -> None:
        plain = value.detach()
        if plain.layout is not torch.strided or plain.is_meta or type(plain) not in (torch.Tensor, torch.nn.Parameter):
            self.leaves[path] = Leaf(type_name(value), f"{value.dtype} {value.layout}", tuple(value.shape))
            return
        if plain.numel():
            self._storages.setdefault(plain.untyped_storage().data_ptr(), []).append(path)
        self._kept.append(plain)
        kept = plain.cpu().clone() if self._clone else digest(plain)
        shape, detail = tuple(plain.shape), f"{plain.dtype} on {plain.device}"
        if isinstance(kept, str):
            self.leaves[path] = Leaf(type_name(value), f"{detail} {kept}", shape)
        else:
            self.leaves[path] = Leaf(type_name(value), detail, shape, kept, value.requires_grad)

    def _add_numpy(self, path: str, value: Any) -> None:
        shape = tuple(getattr(value, "shape", ()))
        detail = f"{getattr(value, 'dtype', '')} {value.tolist()!r}" if hasattr(value, "tolist") else repr(value)
        self.leaves[path] = Leaf(type_name(value), detail, shape)

    def _add_holder(self, path: str, value: Any, depth: int) -> None:
        first = self._visited.get(id(value))
        if first is not None and not (isinstance(value, tuple) and not value):
            self.leaves[path] = Leaf(type_name(value), f"the object at {first}")
            return
        self._visited[id(value)] = path
        self._kept.append(value)
        items = list(_items(value)) if depth > 0 else []
        self.leaves[path] = Leaf(type_name(value), f"{len(items)} items" if _sized(value) else "")
        for step, item in items:
            self.add(path + step, item, depth - 1)


def _sized(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple | set | frozenset)


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    """What a container or object holds, with the step that leads there."""
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from ((f".{name}", getattr(value, name)) for name in value._fields)
    elif isinstance(value, list | tuple):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, set | frozenset):
        yield from ((f"{{{i}}}", item) for i, item in enumerate(sorted(value, key=repr)))
    elif dataclasses.is_dataclass(value):
        yield from ((f".{f.name}", getattr(value, f.name, None)) for f in dataclasses.fields(value))
    elif not isinstance(value, torch.nn.Module):
        yield from ((f".{name}", item) for name, item in getattr(value, "__dict__", {}).items())


def tensors(value: Any, path: str, depth: int = DEPTH) -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor in a result, with its path."""
    if isinstance(value, torch.Tensor):
        yield path, value
    elif depth > 0 and not isinstance(value, (*_PLAIN, float, *_OPAQUE)) and type(value).__module__ != "numpy":
        for step, item in _items(value):
            yield from tensors(item, path + step, depth - 1)


def type_name(value: object) -> str:
    """The name of a class as one would import it."""
    cls = type(value)
    return cls.__qualname__ if cls.__module__ in ("builtins", "torch") else f"{cls.__module__}.{cls.__qualname__}"


def digest(tensor: torch.Tensor) -> str:
    """A hash of the numbers, in order."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
    data = ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size()) if plain.numel() else b""
    return hashlib.sha256(data).hexdigest()[:16]


def add_state(snapshot: Snapshot, subject: Any) -> None:
    """Parameters, buffers and attributes of a module and its submodules, or attributes of an object."""
    subject = getattr(subject, "__self__", subject)
    if not isinstance(subject, torch.nn.Module):
        if not isinstance(subject, _OPAQUE):
            snapshot.add("attribute self", subject)
        return
    for name, module in subject.named_modules():
        prefix = f"{name}." if name else ""
        for key, tensor in {**module._parameters, **module._buffers}.items():
            if tensor is not None:
                snapshot.add(f"state {prefix}{key}", tensor)
        for key, value in vars(module).items():
            if key not in _OWN and not isinstance(value, torch.nn.Module):
                snapshot.add(f"attribute {prefix}{key}", value, 4)


def add_globals(snapshot: Snapshot, module: types.ModuleType) -> None:
    """Plain values and tensors among a module's globals: counters, flags, caches."""
    for name, value in vars(module).items():
        if not name.startswith("__") and isinstance(value, bool | int | float | str | list | dict | set | torch.Tensor):
            snapshot.add(f"global {name}", value, 3)
