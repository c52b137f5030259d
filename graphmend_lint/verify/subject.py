"""The target's factory, and how to call what it makes. Runs in the worker only."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import torch
from torch.utils import _pytree

from graphmend_lint.verify.failures import FactoryError
from graphmend_lint.verify.overlay import OverlayFinder, load_file

Job = dict[str, Any]
Inputs = tuple[tuple[Any, ...], dict[str, Any]]
BAD = "bad_inputs"  #: how the names of input sets begin that the original refuses


def seed(number: int) -> None:
    """Set every generator that a model may draw from."""
    torch.manual_seed(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)


class Subject:
    """The target's factory, and the input sets beside it."""

    def __init__(self, job: Job, finder: OverlayFinder) -> None:
        target = job["target"]
        sys.path.insert(0, target["root"])
        if target["packaged"]:
            self.module: ModuleType = importlib.import_module(target["module"])
        else:
            self.module = load_file(Path(target["path"]), target["module"], finder)
        self._target = target
        self._factory = self._found(target["factory"])
        self._name = target["factory"]
        self._seed = job["seed"]
        self._dtype: torch.dtype | None = getattr(torch, job["dtype"]) if job["dtype"] else None
        self._train: bool | None = {"train": True, "eval": False, "": None}[job["module_mode"]]
        self._device: str | None = job["device"] or None
        self.device = self._device or "cpu"
        if self._device == "cuda" and not torch.cuda.is_available():
            raise FactoryError("there is no CUDA device here")
        if self._factory is None:
            raise FactoryError(f"{target['path']} has no function {self._name}")

    def _found(self, name: str) -> Callable[[], Any] | None:
        """A function of the target's module by its name; for a model family, with what is wanted of it."""
        function = getattr(self.module, name, None)
        if not callable(function):
            return None
        return partial(function, self._target["recipe"]) if self._target.get("recipe") else function

    def build(self) -> tuple[Any, list[Inputs]]:
        """A fresh object and its calls, from the same seed each time."""
        seed(self._seed)
        assert self._factory is not None
        made = self._factory()
        match made:
            case (subject, list(calls)) if callable(subject) and calls:
                return self._set_up(subject), [self._inputs(call) for call in calls]
            case (subject, tuple() | list() as args, dict(kwargs)) if callable(subject):
                return self._set_up(subject), [self._inputs((args, kwargs))]
        raise FactoryError(
            f"{self._name}() must return (callable, args, kwargs) or (callable, [(args, kwargs), ...]), "
            f"not {type(made).__name__}"
        )

    def more(self, name: str) -> list[Inputs]:
        """The input sets that `name`() gives, if the module defines it."""
        make = self._found(name)
        if make is None and name in (*self._target.get("inputs", ()), *self._target.get(BAD, ())):
            raise FactoryError(f"{self._target['path']} has no function {name}")
        if make is None:
            return []
        seed(self._seed)
        return [self._inputs(item) for item in make()]

    def _sources(self, key: str, default: str) -> list[str]:
        """The functions that give input sets of one sort."""
        return self._target.get(key) or [default]

    def _set_up(self, subject: Any) -> Any:
        """The subject uncompiled, in the dtype and mode that are asked for."""
        subject = _plain(subject)
        if isinstance(subject, torch.nn.Module):
            subject = subject.to(device=self._device, dtype=self._dtype)
            self.device = next((str(each.device) for each in subject.parameters()), self.device)
            return subject if self._train is None else subject.train(self._train)
        return subject

    def _inputs(self, item: Any) -> Inputs:
        match item:
            case (tuple() | list() as args, dict(kwargs)):
                return cast("Inputs", _moved((tuple(args), kwargs), self._device, self._dtype))
        raise FactoryError(f"an input set must be (args, kwargs), not {type(item).__name__}")

    def sets(self) -> Iterator[tuple[str, Any, Inputs]]:
        """Each input set with an object of its own: the factory's, more_inputs(), bad_inputs()."""
        subject, calls = self.build()
        yield "inputs", subject, calls[0]
        for key, default in (("inputs", "more_inputs"), (BAD, BAD)):
            for source in self._sources(key, default):
                label = source if source == default or key == "inputs" else f"{BAD}: {source}"
                for i in range(len(self.more(source))):
                    subject, _ = self.build()
                    yield f"{label}()[{i}]", subject, self.more(source)[i]

    def probes(self) -> Iterator[tuple[str, Any, Inputs]]:
        """The input sets that work, with inputs that require gradients though nobody asked for that."""
        for name, subject, inputs in self.sets():
            asked = requiring(inputs)
            if asked is not None and not name.startswith(BAD):
                yield f"{name}, gradients of all inputs", subject, asked

    def in_turn(self) -> tuple[Any, list[Inputs]]:
        """One object, and every input set for it in turn, ending with the first again."""
        subject, calls = self.build()
        rest = [each for source in self._sources("inputs", "more_inputs") for each in self.more(source)]
        again = self.build()[1][0]
        return subject, [*calls, *rest, again]


def _plain(subject: Any) -> Any:
    """What was compiled, if the factory compiled it already."""
    inner = getattr(subject, "_orig_mod", None)
    return getattr(subject, "_torchdynamo_orig_callable", subject) if inner is None else inner


def _moved(value: Any, device: str | None, dtype: torch.dtype | None) -> Any:
    """The value with its tensors on `device`, those of floating point in `dtype`; None: as they are."""

    def change(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        kind = dtype if leaf.is_floating_point() else None
        if kind in (None, leaf.dtype) and device in (None, leaf.device.type):
            return leaf
        return leaf.detach().to(device=device, dtype=kind).requires_grad_(leaf.requires_grad)

    return value if device is None and dtype is None else _pytree.tree_map(change, value)


def requiring(inputs: Inputs) -> Inputs | None:
    """The inputs with every floating-point tensor requiring a gradient; None if that changes nothing."""
    changed = []

    def change(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or leaf.requires_grad or not leaf.is_floating_point():
            return leaf
        changed.append(leaf)
        return leaf.detach().clone().requires_grad_()

    result = cast("Inputs", _pytree.tree_map(change, inputs))
    return result if changed else None


def compiled(job: Job, subject: Any, backend: Callable[..., Any] | str) -> Callable[..., Any]:
    """The subject under `torch.compile`, as the job says."""
    if job["backend"] == "inductor":
        import torch._inductor.config as inductor

        inductor.fallback_random = True  # the same random numbers as eager
    dynamic = True if job["dynamic"] else None
    fullgraph = job["mode"] == "fullgraph"
    chosen: dict[str, Any] = {"mode": job["compile_mode"]} if job.get("compile_mode") and backend == "inductor" else {}
    result: Callable[..., Any] = torch.compile(subject, backend=backend, fullgraph=fullgraph, dynamic=dynamic, **chosen)
    return result


def cuda_in_use() -> bool:
    """Whether this process has touched a GPU."""
    return torch.cuda.is_available() and bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]
