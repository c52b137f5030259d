"""`python -m graphmend_lint`."""

from graphmend_lint.cli import program

program()
