"""What the worker says when a target cannot be used."""

from __future__ import annotations


class FactoryError(Exception):
    """The target cannot give anything to run: one sentence why."""
