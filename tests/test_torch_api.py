"""The torch API data: key facts by hand, and every measurable flag against torch itself."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.facts import generate, torch_api
from graphmend_lint.facts.torch_api import Entry

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

RETURNS = [
    ("torch.any", "tensor"),
    ("torch.topk", "tensors:2"),
    ("torch.split", "tensors"),
    ("torch.meshgrid", "tensors"),
    ("torch.broadcast_tensors", "tensors"),
    ("torch.std_mean", "tensors:2"),
    ("torch.linalg.svd", "tensors:3"),
    ("torch.linalg.norm", "tensor"),
    ("torch.fft.fft", "tensor"),
    ("torch.special.expit", "tensor"),
    ("torch.nn.functional.relu", "tensor"),
    ("torch.nn.functional.scaled_dot_product_attention", "tensor"),
    ("torch.nn.init.zeros_", "tensor"),
    ("torch.is_tensor", "bool"),
    ("torch.is_floating_point", "bool"),
    ("torch.is_grad_enabled", "bool"),
    ("torch.finfo", "constant"),
    ("torch.result_type", "constant"),
    ("torch.numel", "symint"),
    ("torch.equal", "scalar"),
    ("torch.allclose", "scalar"),
    ("torch.is_nonzero", "scalar"),
    ("torch._assert_async", "none"),
    ("torch.Tensor.sum", "tensor"),
    ("torch.Tensor.add_", "tensor"),
    ("torch.Tensor.size", "size"),
    ("torch.Tensor.dim", "symint"),
    ("torch.Tensor.item", "scalar"),
    ("torch.Tensor.__int__", "scalar"),
    ("torch.Tensor.tolist", "scalars"),
    ("torch.Tensor.numpy", "ndarray"),
    ("torch.Tensor.chunk", "tensors"),
    ("torch.Tensor.is_contiguous", "bool"),
    ("torch.Tensor.backward", "none"),
]

CONDITIONS = [
    ("torch.max", "dim", "tensors:2"),
    ("torch.where", "arity:1", "tensors"),
    ("torch.unique", "keyword:return_counts", "tensors"),
    ("torch.nonzero", "keyword:as_tuple", "tensors"),
    ("torch.nn.functional.max_pool2d", "keyword:return_indices", "tensors:2"),
    ("torch.Tensor.median", "dim", "tensors:2"),
    ("torch.Tensor.size", "positional:1", "symint"),
    ("torch.Tensor.type", "positional:1", "tensor"),
]

BREAKS = [
    ("torch.Tensor.item", "GB0124", "warning", None),
    ("torch.Tensor.nonzero", "GB0036", "warning", None),
    ("torch.masked_select", "GB0036", "warning", None),
    ("torch.equal", "GB0033", "error", None),
    ("torch.where", "GB0036", "warning", "arity:1"),
    ("torch.repeat_interleave", "GB0036", "warning", "repeats and without:output_size"),
    ("torch.sum", None, None, None),
    ("torch.nn.functional.relu", None, None, None),
]

MODULES = [
    ("torch.nn.Linear", "tensor"),
    ("torch.nn.modules.linear.Linear", "tensor"),
    ("torch.nn.LSTM", "tensors:2"),
    ("torch.nn.MultiheadAttention", "tensors:2"),
    ("torch.nn.Identity", "first"),
    ("torch.nn.Sequential", "chain"),
    ("torch.nn.ModuleList", "list"),
    ("torch.nn.ModuleDict", "dict"),
    ("torch.nn.ParameterList", "parameters"),
]

ATTRIBUTES = [
    ("shape", "size"),
    ("dtype", "constant"),
    ("device", "constant"),
    ("is_cuda", "constant"),
    ("ndim", "symint"),
    ("T", "tensor"),
    ("data", "tensor"),
    ("grad", "tensor|none"),
    ("nothing_of_the_kind", None),
]

#: the reason why evidence counts: no str, list, dict, module or config object has these; the others may
TENSOR_ONLY = ("unsqueeze", "masked_fill", "softmax", "permute", "view", "sum", "any", "argmax", "contiguous", "detach")
NOT_ONLY = ("to", "copy", "index", "count", "split", "size", "type", "float", "half", "cuda", "cpu", "add", "gather")


def entry(name: str) -> Entry:
    found = torch_api.function(name)
    assert found is not None, name
    return found


@pytest.mark.parametrize(("name", "returns"), RETURNS)
def test_what_a_call_returns(name: str, returns: str) -> None:
    assert entry(name).returns == returns


@pytest.mark.parametrize(("name", "condition", "returns"), CONDITIONS)
def test_what_a_call_returns_under_a_condition(name: str, condition: str, returns: str) -> None:
    assert dict(entry(name).when or {})[condition] == returns


@pytest.mark.parametrize(("name", "gb", "severity", "when"), BREAKS)
def test_which_calls_break_the_graph(name: str, gb: str | None, severity: str | None, when: str | None) -> None:
    found = entry(name)
    assert (found.breaks_gb, found.breaks_severity, found.breaks_when) == (gb, severity, when)


@pytest.mark.parametrize(("name", "returns"), MODULES)
def test_what_a_module_returns(name: str, returns: str) -> None:
    found = torch_api.module(name)
    assert found is not None
    assert found.returns == returns


@pytest.mark.parametrize(("name", "kind"), ATTRIBUTES)
def test_what_an_attribute_is(name: str, kind: str | None) -> None:
    assert torch_api.attribute(name) == kind


@pytest.mark.parametrize(("names", "expected"), [(TENSOR_ONLY, True), (NOT_ONLY, False)])
def test_methods_that_only_tensors_have(names: tuple[str, ...], expected: bool) -> None:
    flagged = [name for name in names if (found := torch_api.method(name)) and found.tensor_only]
    assert flagged == (list(names) if expected else [])


def test_which_calls_have_effects_or_draw_random_numbers() -> None:
    impure = ("torch.Tensor.add_", "torch.manual_seed", "torch.nn.functional.batch_norm", "torch.Tensor.__iadd__")
    assert [name for name in impure if entry(name).pure] == []
    assert entry("torch.sum").pure
    assert entry("torch.Tensor.__index__").pure
    assert [name for name in ("torch.rand", "torch.nn.functional.dropout") if not entry(name).random] == []
    assert not entry("torch.relu").random


def test_unknown_names_have_no_entry() -> None:
    assert torch_api.function("torch.no_such_function") is None
    assert torch_api.method("no_such_method") is None
    assert torch_api.module("torch.nn.NoSuchModule") is None


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("torch.functional.norm", "torch.norm"),
        ("torch.LongTensor.sum", "torch.Tensor.sum"),
        ("torch.nn.parameter.Parameter", "torch.nn.Parameter"),
        ("torch.nn.parameter.Parameter.sum", "torch.Tensor.sum"),
        ("torch.nn.modules.activation.ReLU", "torch.nn.ReLU"),
        ("torch.nn.functional.relu", "torch.nn.functional.relu"),
    ],
)
def test_a_thing_with_several_names_has_one_canonical(name: str, public: str) -> None:
    assert torch_api.canonical(name) == public


def test_loading_does_not_import_torch() -> None:
    code = (
        "import sys; from graphmend_lint.facts import torch_api; torch_api.method('sum'); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_every_override_is_a_known_word() -> None:
    overrides = json.loads(generate.OVERRIDES.read_text(encoding="utf-8"))
    tables = [overrides[table] for table in ("functions", "methods", "modules")]
    assert {key for table in tables for item in table.values() for key in item} <= set(generate.ORDER)
    for table in tables:
        assert list(table) == sorted(table)


def test_a_folder_that_is_not_torch_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--torch-dir", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@needs_torch
def test_the_file_is_current() -> None:
    folder = generate.installed()
    assert folder is not None
    if generate.version(folder) != torch_api.version():
        pytest.skip("the data is about another torch release")
    assert generate.render(generate.generate(folder)) == generate.OUTPUT.read_text(encoding="utf-8")


def callables() -> Iterator[tuple[str, Entry, Callable[[Any], Any]]]:
    """Every function and method with an entry, to be called with one tensor."""
    import torch

    data = json.loads(generate.OUTPUT.read_text(encoding="utf-8"))
    for name in (*data["functions"], *(torch_api.METHOD + method for method in data["methods"])):
        call: Any = torch
        for part in name.split(".")[1:]:
            call = getattr(call, part, None)
        if callable(call):
            yield name, entry(name), call


def results(call: Callable[[Any], Any], kinds: tuple[str, ...]) -> list[tuple[Any, Any]]:
    """Arguments and results for tensors of several shapes and dtypes; empty if it wants more than one tensor."""
    import torch

    found = []
    for kind in kinds:
        for shape in ((2, 3), (5,), ()):
            tensor = torch.full(shape, 0.25).to(getattr(torch, kind))
            try:
                found.append((tensor, call(tensor.clone())))
            except (RuntimeError, TypeError, ValueError, NotImplementedError, IndexError):
                continue
    return [(tensor, result) for tensor, result in found if isinstance(result, torch.Tensor)]


@pytest.mark.torch
@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_same_keeps_shape_and_dtype() -> None:
    wrong, checked = [], 0
    for name, found, call in callables():
        if found.same or (found.same_with_numbers and found.pure):
            pairs = results(call, ("float32", "float64", "bfloat16"))
            checked += bool(pairs)
            wrong += [name for a, b in pairs if (a.shape, a.dtype) != (b.shape, b.dtype)]
    assert wrong == []
    assert checked > 200


@pytest.mark.torch
@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_full_reductions_are_zero_dimensional() -> None:
    wrong, checked = [], 0
    for name, found, call in callables():
        if found.reduces_full:
            pairs = results(call, ("float32",))
            checked += bool(pairs)
            wrong += [name for _, result in pairs if result.shape != ()]
    assert wrong == []
    assert checked > 30


@pytest.mark.torch
@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_dtypes_of_results() -> None:
    import torch

    words = {"bool": torch.bool, "long": torch.int64}
    wrong, checked = [], 0
    for name, found, call in callables():
        if found.dtype is not None:
            pairs = results(call, ("float32", "int32", "bool"))
            checked += bool(pairs)
            wrong += [name for _, result in pairs if result.dtype != words[found.dtype]]
    assert wrong == []
    assert checked > 20


@pytest.mark.torch
@needs_torch
@pytest.mark.filterwarnings("ignore")
def test_break_flags_agree_with_dynamo() -> None:
    """Calls with one tensor, compiled: those that are flagged break, with the id that is written down."""
    wrong, checked = [], 0
    for name, found, call in callables():
        if found.breaks_gb and found.breaks_when in (None, "arity:1") and name not in NOT_WITH_ONE_TENSOR:
            ids = broken(bound(name) or call)  # a set: whole numbers and fractions may break in different ways
            checked += ids is not None
            wrong += [(name, ids)] if ids is not None and found.breaks_gb not in ids else []
    assert wrong == []
    assert checked > 20


#: these need a gradient, or a use of the result
NOT_WITH_ONE_TENSOR = ("torch.Tensor.backward", "torch.Tensor.data_ptr", "torch.Tensor.__index__")


def bound(name: str) -> Callable[[Any], Any] | None:
    """A method as it is called: Dynamo takes `Tensor.storage(x)` for another thing than `x.storage()`."""
    if not name.startswith(torch_api.METHOD):
        return None
    return lambda tensor: getattr(tensor, name.removeprefix(torch_api.METHOD))()


def broken(call: Callable[..., Any]) -> set[str] | None:
    """GB ids when `call` is compiled without arguments, on a whole number, on a fraction; None if none will do."""
    import torch
    from torch._dynamo.utils import counters

    texts: list[str] = []
    choices = accepted(call, torch.ones((), dtype=torch.int64), torch.full((), 0.25), torch.ones(2).long())
    for arguments in choices:
        torch._dynamo.reset()
        counters.clear()
        torch.compile(lambda *given: call(*given), backend="eager")(*arguments)
        texts += counters["graph_break"]
    return {f"GB{text.rpartition('/gb')[2][:4]}" for text in texts} if choices else None


def accepted(call: Callable[..., Any], *tensors: Any) -> list[tuple[Any, ...]]:
    """The argument lists that `call` takes: none, or one of the tensors."""
    found: list[tuple[Any, ...]] = []
    for arguments in ((), *((tensor,) for tensor in tensors)):
        try:
            call(*[argument.clone() for argument in arguments])
        except (RuntimeError, TypeError, ValueError, NotImplementedError, IndexError):
            continue
        found.append(arguments)
    return found
