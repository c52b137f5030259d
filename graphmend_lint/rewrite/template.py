"""New code as text: pieces of the old code set into a template, indented to fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MARGIN = 5  #: columns around an argument on a line of its own
ONE_LINE = 10**6  #: room for code that must not be broken over lines, since its surroundings are not known
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(template: str, **pieces: str) -> str:
    """The template with each `{name}` replaced; further lines of a piece are indented like its first."""
    return "\n".join(_fill_line(line, pieces) for line in template.split("\n"))


def _fill_line(line: str, pieces: dict[str, str]) -> str:
    margin = line[: len(line) - len(line.lstrip())]
    return PLACEHOLDER.sub(lambda match: pieces[match[1]].replace("\n", f"\n{margin}"), line)


def call(function: str, arguments: Iterable[str], room: int) -> str:
    """A call on one line if it fits in `room` columns, else with one argument per line."""
    arguments = list(arguments)
    flat = f"{function}({', '.join(arguments)})"
    if len(flat) <= room and "\n" not in flat:
        return flat
    comma = "" if len(arguments) == 1 else ","
    lines = "".join(f"    {indented(argument)}{comma}\n" for argument in arguments)
    return f"{function}(\n{lines})"


def indented(text: str) -> str:
    """The text with all lines but the first moved in by one level."""
    return text.replace("\n", "\n    ")


def quoted(text: str, room: int | None = None) -> str:
    """The text as a string literal; as several, one per line, if `room` columns do not hold it as an argument."""
    plain = repr(text)
    if plain.startswith("'") and '"' not in text:
        plain = '"' + plain[1:-1].replace("\\'", "'") + '"'
    if room is None or len(plain) <= room - MARGIN:
        return plain
    return "\n".join(quoted(each) for each in _pieces(text, room - MARGIN))


def _pieces(text: str, room: int) -> Iterator[str]:
    """The text, cut between words so that each literal fits; a longer word stands alone."""
    piece = ""
    for word in re.findall(r"\s*\S+\s*|\s+", text):
        if piece and len(quoted(piece + word)) > room:
            yield piece
            piece = ""
        piece += word
    yield piece
