"""Refused: what the arguments call counts, stores, draws or keeps, as far as the called code is there."""

import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)
calls = {"probe": 0}


def probe(x: torch.Tensor) -> torch.Tensor:
    calls["probe"] += 1
    return x.mean()


class Meter:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self, number: int) -> int:
        self.count += number
        return self.count


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return x.mean()


class Heir(Counting):
    pass


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.last = torch.zeros(())
        self.meter = Meter()
        self.heir = Heir()
        self.left = iter([3, 4])

    @property
    def kept(self) -> torch.Tensor:
        self.last = self.last + 1
        return self.last

    def keep(self, x: torch.Tensor) -> torch.Tensor:
        self.last = x.mean()
        return self.last

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        logger.info("mean %s", probe(x))  # GM302
        logger.info("mean %s", self.keep(x))  # GM302
        logger.info("kept %s", self.kept)  # GM302
        logger.info("norm %s", self.norm(x).mean())  # GM302
        logger.info("noise %s", torch.rand(2))  # GM302
        order = [2, 1]
        rest = iter([1, 2])
        logger.info("in order %s", order.sort())  # GM302
        logger.info("rest %s", list(rest))  # GM302
        logger.info("counted %s", self.meter(1))  # GM302
        logger.info("inherited %s", self.heir(x))  # GM302
        (more, last), some = ((n for n in order), 1), zip([1], [2])
        logger.info("more %s", list(more))  # GM302
        logger.info("some %s", list(some))  # GM302
        logger.info("left %s", list(self.left))  # GM302
        logger.info("changed %s", torch.add(x, 1, out=x).sum())  # GM302
        return (
            x
            + self.last
            + torch.rand(2)
            + order[0]
            + len(list(rest))
            + len(list(more))
            + last
            + len(list(some))
            + self.meter.count
            + self.heir.calls
        )


forward = Model


def inputs() -> list[object]:
    return [torch.arange(4.0).reshape(2, 2)]
