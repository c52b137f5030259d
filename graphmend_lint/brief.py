"""A run that only tells what it finds: it keeps what is said about a file, and neither its tree nor its text."""

from __future__ import annotations

import gc
from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from graphmend_lint.engine import text_edits
from graphmend_lint.facts import Facts
from graphmend_lint.model import Diagnostic
from graphmend_lint.said import told
from graphmend_lint.source import Source
from graphmend_lint.syntax import forget


class Brief(NamedTuple):
    """What such a run is given beside the sources."""

    modules: Container[Path]  #: the files that may define module classes
    edits: bool = False  #: what fixes change is told, too

    def told(self, diagnostic: Diagnostic, source: Source) -> Diagnostic:
        """The diagnostic without what needs the tree of its file."""
        return told(diagnostic, text_edits(source, diagnostic) if self.edits else ())

    def leave(self, facts: Facts) -> None:
        """Let go of a file about which everything has been said."""
        forget()
        facts.let_go()
        if self.edits:  # LibCST's trees hold cycles; what is still there now is not looked at the next time
            gc.collect()
            gc.freeze()
