"""Counting what a trace of the profiler holds: as a GPU would write it, and as the CPU does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.verify.launches import count

#: Two calls of a compiled model that reads one number each, in the format of `export_chrome_trace`.
TRACE: list[dict[str, Any]] = [
    {"ph": "M", "name": "process_name"},
    *2
    * [
        {"ph": "X", "cat": "cpu_op", "name": "aten::mul"},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel"},
        {"ph": "X", "cat": "kernel", "name": "void at::native::vectorized_elementwise_kernel<4>"},
        {"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel"},
        {"ph": "X", "cat": "kernel", "name": "triton_poi_fused_add_0"},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch"},
        {"ph": "X", "cat": "cpu_op", "name": "aten::_local_scalar_dense"},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync"},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pageable)"},
        {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)"},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize"},
    ],
    {"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize"},
]


def test_a_trace_of_a_gpu_is_counted_for_each_call() -> None:
    assert count(TRACE, 2, True) == {
        "kernel launches": 2,
        "kernels run": 2,
        "CUDA-graph launches": 1,
        "copies to the host": 1,
        "synchronisations": 1.5,
        "numbers read from tensors": 1,
    }


def test_without_a_gpu_only_what_happens_there_is_counted() -> None:
    assert count(TRACE, 2, False) == {"numbers read from tensors": 1}
    assert count([], 5, True)["CUDA-graph launches"] == 0


@pytest.mark.torch
def test_the_cpu_writes_such_a_trace(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    x = torch.ones(3)
    with torch.profiler.profile() as profile:
        for _ in range(4):
            (x * 2).sum().item()
    profile.export_chrome_trace(str(tmp_path / "trace.json"))
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert count(events, 4, False) == {"numbers read from tensors": 1}
