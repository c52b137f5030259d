"""What a call shows to the outside, in order."""

from __future__ import annotations

import logging
import sys
import threading
import warnings

import pytest

from graphmend_lint.verify.capture import all_levels, capture

logger = logging.getLogger("captured")


def told() -> list[str]:
    with capture() as events:
        print("one", end=" ")
        print("line")
        logger.error("two %d", 2)
        warnings.warn("three", stacklevel=1)
        print("four", file=sys.stderr)
        print("five")
    return [str(event) for event in events]


def test_events_keep_their_order() -> None:
    three = "warning: UserWarning: three"
    assert told() == ["out: one line", "log: ERROR captured: two 2", three, "err: four", "out: five"]


def test_a_warning_is_told_each_time() -> None:
    assert told() == told()


def test_records_of_a_logger_that_does_not_propagate_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logger, "propagate", False)
    assert "log: ERROR captured: two 2" in told()


def test_what_a_handler_writes_is_not_told_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(logging.StreamHandler):  # type: ignore[type-arg]
        def emit(self, record: logging.LogRecord) -> None:
            print("handled", record.getMessage())

    monkeypatch.setattr(logger, "handlers", [Late()])
    assert [text for text in told() if "two" in text] == ["log: ERROR captured: two 2"]


def test_what_is_told_while_torch_compiles_is_foreign() -> None:
    namespace = {"__name__": "torch._dynamo.convert_frame", "logger": logger}
    with capture() as events:
        exec("logger.error('x'); print('y')", namespace)
        print("z")
    assert [(event.kind, event.foreign) for event in events] == [("log", True), ("out", True), ("out", False)]


def test_what_another_thread_tells_is_foreign() -> None:
    thread = threading.Thread(target=logger.error, args=("x",))
    with capture() as events:
        thread.start()
        thread.join()
    assert [(event.kind, event.foreign) for event in events] == [("log", True)]


def test_all_levels_are_on_and_then_as_before() -> None:
    logger.setLevel(logging.ERROR)
    logging.disable(logging.INFO)
    try:
        with capture() as events, all_levels():
            logger.debug("quiet")
            logging.getLogger("torch.noise").debug("never")
        assert [str(event) for event in events] == ["log: DEBUG captured: quiet"]
        assert (logger.level, logging.root.manager.disable) == (logging.ERROR, logging.INFO)
    finally:
        logger.setLevel(logging.NOTSET)
        logging.disable(logging.NOTSET)
