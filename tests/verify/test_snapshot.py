"""Results as flat leaves: what a value is, what it holds, and what shares memory."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from graphmend_lint.verify.snapshot import Snapshot, add_state, digest, tensors  # noqa: E402

pytestmark = pytest.mark.torch

Pair = namedtuple("Pair", "a b")


@dataclass
class Output:
    logits: Any
    cache: Any = None


def leaves(value: Any) -> dict[str, str]:
    snapshot = Snapshot()
    snapshot.add("x", value)
    return {path: f"{leaf.type} {leaf.detail}".strip() for path, leaf in snapshot.leaves.items()}


def test_every_container_is_opened() -> None:
    told = leaves({"p": Pair(1, [2.5]), "o": Output(True), "s": {"b", "a"}, "n": None})
    assert told["x['p'].b[0]"] == "float 2.5"
    assert told["x['o'].logits"] == "bool True"
    assert told["x['o'].cache"] == "NoneType None"
    assert (told["x['s']{0}"], told["x['s']{1}"]) == ("str 'a'", "str 'b'")


def test_an_object_that_holds_itself_ends() -> None:
    ring: list[Any] = []
    ring.append(ring)
    assert leaves(ring) == {"x": "list 1 items", "x[0]": "list the object at x"}


def test_a_tensor_tells_type_dtype_shape_and_numbers() -> None:
    snapshot = Snapshot()
    snapshot.add("x", torch.nn.Parameter(torch.ones(2, 3)))
    leaf = snapshot.leaves["x"]
    assert (leaf.type, leaf.detail, leaf.shape) == ("torch.nn.parameter.Parameter", "torch.float32 on cpu", (2, 3))
    assert (leaf.data.sum().item(), leaf.requires_grad) == (6.0, True)


def test_a_snapshot_is_not_changed_by_what_comes_later() -> None:
    snapshot, tensor = Snapshot(), torch.ones(2)
    snapshot.add("x", tensor)
    tensor.zero_()
    assert snapshot.leaves["x"].data.tolist() == [1.0, 1.0]


def test_views_share_memory_and_copies_do_not() -> None:
    base = torch.ones(4)
    snapshot = Snapshot()
    snapshot.add("x", [base, base[1:], base.clone()])
    assert snapshot.aliases == (("x[0]", "x[1]"),)


def test_state_is_parameters_buffers_and_attributes_of_all_submodules() -> None:
    net = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
    net.register_buffer("table", torch.ones(1), persistent=False)
    net.steps = 3
    snapshot = Snapshot()
    add_state(snapshot, net)
    told = set(snapshot.leaves)
    assert {"state 0.weight", "state 0.running_mean", "state table", "attribute steps", "attribute training"} <= told
    assert not any("_parameters" in path or "_hooks" in path for path in told)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool, torch.int64, torch.complex64])
def test_a_digest_depends_on_every_number_and_not_on_the_layout(dtype: Any) -> None:
    tensor = torch.tensor([[0, 1], [1, 1]]).to(dtype)
    assert digest(tensor) == digest(tensor.t().contiguous().t())
    changed = tensor.clone()
    changed[1, 1] = 0
    assert digest(tensor) != digest(changed)
    assert digest(tensor[:0]) == digest(changed[:0])


def test_tensors_of_a_result_come_with_their_paths() -> None:
    assert [path for path, _ in tensors({"a": [torch.ones(1)], "b": Output(torch.ones(1))}, "out")] == [
        "out['a'][0]",
        "out['b'].logits",
    ]
