"""A hook of MkDocs: the pages of the rules stand in the navigation, grouped as on their index."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

INDEX = Path(__file__).parent.parent / "rules" / "index.md"


def on_config(config: dict[str, Any]) -> dict[str, Any]:
    """Add the rules to `Rules`, the last entry of the navigation."""
    config["nav"][-1]["Rules"] += groups(INDEX.read_text("utf-8"))
    return config


def groups(text: str) -> list[dict[str, list[dict[str, str]]]]:
    """The headings of the index, each with its pages: {heading: [{"GM101 tensor-branch": path}, ...]}."""
    _, *sections = re.split(r"^## ", text, flags=re.M)
    return [{section.partition("\n")[0]: pages(section)} for section in sections]


def pages(section: str) -> list[dict[str, str]]:
    rows = re.findall(r"^\| (GM\d+) \| \[(.+?)\]\((.+?)\)", section, re.M)
    return [{f"{code} {name}": f"rules/{file}"} for code, name, file in rows]


def on_page_markdown(markdown: str, **_: object) -> str:
    """A line that ends in a backslash ends there: MkDocs knows only two blanks for that."""
    return re.sub(r"\\\n(?=Fix: |Measured: )", "  \n", markdown)
