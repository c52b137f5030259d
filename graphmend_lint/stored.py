"""Which attributes the text of a method looks as if it stored on `self`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

SELF_ATTRIBUTE: Final = re.compile(r"\bself\.(\w+)(?![\w.\[])")
NAMED_STORE: Final = (
    r"""\bself\.(?:register_buffer|register_parameter|add_module|register_module)\(\s*f?["'](\w+)["']"""
    r"""|\bsetattr\(\s*self\s*,\s*["'](\w+)["']"""
)


def stored_names(text: str) -> Iterator[str]:
    """Attributes on the left of an assignment, and those that are stored by name in a call."""
    for line in text.split("\n"):
        if "self." in line and "=" in line:
            left, _, right = line.partition("=")
            if "self." in left and "(" not in left and not right.startswith("="):
                yield from SELF_ATTRIBUTE.findall(left)
    if "register_" in text or "add_module" in text or "setattr" in text:
        yield from (call[1] or call[2] for call in re.finditer(NAMED_STORE, text))
