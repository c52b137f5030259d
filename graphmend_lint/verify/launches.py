"""What a trace of torch.profiler says about the device: launches, copies to the host, synchronisations.

Knows the Chrome trace format that `export_chrome_trace` writes; imports no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

Event = Mapping[str, Any]  #: with "name" and, of most events, "cat"

RUNTIME: Final = frozenset({"cuda_runtime", "cuda_driver"})
SYNCHRONISES: Final = ("cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuStreamSynchronize")


def _called(*beginnings: str) -> Callable[[str, str], bool]:
    """Whether an event is a call of the CUDA runtime or driver whose name begins so."""
    return lambda category, name: category in RUNTIME and name.startswith(beginnings)


#: What is counted, and which events count: by category and name.
ON_DEVICE: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "kernel launches": _called("cudaLaunchKernel", "cuLaunchKernel", "cudaLaunchCooperativeKernel"),
    "kernels run": lambda category, name: category == "kernel",
    "CUDA-graph launches": _called("cudaGraphLaunch", "cuGraphLaunch"),
    "copies to the host": lambda category, name: category == "gpu_memcpy" and "DtoH" in name,
    "synchronisations": _called(*SYNCHRONISES),
}
EVERYWHERE: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "numbers read from tensors": lambda category, name: category == "cpu_op" and name == "aten::_local_scalar_dense",
}


def count(events: Iterable[Event], calls: int, device: bool) -> dict[str, float]:
    """How often each of these happened for each of `calls`; what only a GPU does is left out without one."""
    tests = {**(ON_DEVICE if device else {}), **EVERYWHERE}
    found = dict.fromkeys(tests, 0)
    for event in events:
        category, name = str(event.get("cat", "")), str(event.get("name", ""))
        for title, test in tests.items():
            found[title] += test(category, name)
    return {title: round(number / calls, 2) for title, number in found.items()}
