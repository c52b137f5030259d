"""The same requests on a Ray cluster, or on a Ray runtime that is started on this machine."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.request import Request, failed_row
from graphmend_lint.verify.slot import answer
from graphmend_lint.verify.sweep import Event, SweepError

INSTALL = '--ray needs Ray: pip install "graphmend-lint[ray]"'


def row_on_node(data: dict[str, Any]) -> dict[str, Any]:
    """One request, on whatever node this runs."""
    with Workers() as workers:
        return answer(data, workers, lambda message: None)


@dataclass(frozen=True, slots=True)
class Ray:
    """Runs requests as Ray tasks: on the cluster that RAY_ADDRESS names, else on this machine with `jobs` at a time."""

    jobs: int = 1

    def __post_init__(self) -> None:
        if importlib.util.find_spec("ray") is None:
            raise SweepError(INSTALL)

    def __call__(self, requests: Sequence[Request]) -> Iterator[Event]:
        import ray

        local = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": self.jobs, "include_dashboard": False}
        ray.init(log_to_driver=False, logging_level="warning", **local)
        try:
            yield from self._rows(ray, requests)
        finally:
            ray.shutdown()

    def _rows(self, ray: Any, requests: Sequence[Request]) -> Iterator[Event]:
        tasks = {}
        for i, request in enumerate(requests):
            share = {"num_gpus": 1} if request.device == "cuda" else {}
            remote = ray.remote(num_cpus=1, max_retries=0, **share)(row_on_node)
            tasks[remote.remote(request.as_dict())] = i
        while tasks:
            (done,), _ = ray.wait(list(tasks), num_returns=1)
            item = tasks.pop(done)
            try:
                row = ray.get(done)
            except Exception as error:
                row = failed_row(requests[item], f"its Ray task failed: {str(error).strip().splitlines()[-1]}"[:300])
            yield Event(0, "", item, row)
