"""A process that proves one target after another: requests in, progress and rows out, a line of JSON each."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.request import Request, failed_row, row_of

Say = Callable[[dict[str, Any]], None]


def main() -> int:
    """Serve until standard input ends."""
    signal.signal(signal.SIGTERM, _leave)
    say = _channel()
    with Workers() as workers:
        for line in sys.stdin:
            say({"row": answer(json.loads(line), workers, say)})
    return 0


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(0)


def _channel() -> Say:
    """The way to whoever asks; what anything else prints goes to standard error from now on."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    return say


def answer(data: dict[str, Any], workers: Workers, say: Say) -> dict[str, Any]:
    """The row for one request; a fault of ours is a row as well, so that the others go on."""
    request = Request.of(data)
    try:
        return row_of(request, workers, lambda text: say({"progress": text}))
    except Exception as error:
        return failed_row(request, f"internal error: {type(error).__name__}: {error}"[:300])


if __name__ == "__main__":
    sys.exit(main())
