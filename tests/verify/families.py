"""How many model families of transformers can be made and called: `python tests/verify/families.py [NAME...]`.

Needs transformers, no network, and five minutes. Every family is one that transformers lists a model for.
"""

from __future__ import annotations

import signal
import sys
import warnings
from types import FrameType
from typing import NoReturn

SECONDS = 30  #: for one family


class OutOfTime(BaseException):
    """One family took too long."""


def main(names: list[str]) -> int:
    from transformers import logging
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
    from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES

    logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _stop)
    names = names or [name for name in MODEL_MAPPING_NAMES if name in CONFIG_MAPPING_NAMES]
    made = sum(_can_be_made(name) for name in names)
    print(f"{made} of {len(names)} families")
    return 0


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise OutOfTime


def _can_be_made(name: str) -> bool:
    from graphmend_lint.verify import family

    signal.alarm(SECONDS)
    try:
        given = {"family": name, "options": {}}
        recipe, model = family._plan(given, family.wanted(name, {}), 0)
    except OutOfTime:
        print(f"{name}: not within {SECONDS} s", flush=True)
        return False
    except Exception as error:
        print(str(error), flush=True)
        return False
    finally:
        signal.alarm(0)
    count = sum(each.numel() for each in model.parameters())
    print(f"{name}: {type(model).__name__}, {count:,} parameters, shrunk: {recipe['level']}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
