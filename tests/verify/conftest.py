"""Shared by the tests of verify."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphmend_lint.verify.jobs import Workers


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """A process that has torch loaded already, for all tests."""
    with Workers() as shared:
        yield shared
