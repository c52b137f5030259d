"""What is known about the code of a file: side tables that rules ask and never change."""

from graphmend_lint.facts.facts import Facts

__all__ = ["Facts"]
