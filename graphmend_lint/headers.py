"""What the text of a file says about its classes, its imports, and what it stores, without a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

CLASS: Final = re.compile(r"class[ \t]+(\w+)[ \t]*(?=[(:\[\\\f])(?:(:)|\(([^()]*)\)[ \t]*:)?")
COMPILE: Final = re.compile(r"compile(?<!\bre\.compile)(?<!\wcompile)(?![\w.])")
ODD: Final = r"class[ \t]*[\f\\]"
IMPORT: Final = re.compile(r"import[ \t(*]")
STATEMENT: Final = re.compile(
    r"(?:from[ \t]*([.\w]+)[ \t]*)?import[ \t]*(?:\(([^()]*)\)|((?:[^\n\r;#\\]|\\\r?\n)*))",
)
SUBSCRIPT: Final = r"\[[^\[\]]*\]"
COMMENT: Final = re.compile(r"#[^\n\r]*")
DOTTED: Final = re.compile(r"\w+(\.\w+)*")
SELF_ATTRIBUTE: Final = re.compile(r"\bself\.(\w+)(?![\w.\[])")
NAMED_STORE: Final = (
    r"""\bself\.(?:register_buffer|register_parameter|add_module|register_module)\(\s*f?["'](\w+)["']"""
    r"""|\bsetattr\(\s*self\s*,\s*["'](\w+)["']"""
)


class Header(NamedTuple):
    """The first line of a class."""

    name: str
    bases: tuple[str, ...] | None  #: dotted names; None: not understood


class Bound(NamedTuple):
    """A name that an import may bind: `from module import name`, or `import module` without one."""

    module: str  #: with its leading dots
    name: str | None


def may_compile(text: str) -> bool:
    """False for a text that hands nothing to Dynamo: the words for it are not there, or in comments only."""
    if any(not _is_comment(text, match.start()) for match in COMPILE.finditer(text)):
        return True
    return any(not _is_comment(text, at) for word in (".export", "_dynamo") for at in _places(word, text))


def _places(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _is_comment(text: str, at: int) -> bool:
    """True if a comment, or a line of one in a string, begins before `at` on its line."""
    before, mark, _ = text[text.rfind("\n", 0, at) + 1 : at].partition("#")
    return bool(mark) and '"' not in before and "'" not in before


def headers(text: str) -> Iterator[Header]:
    """The classes that a text defines, and perhaps others: what looks like one in a string is not told apart.

    A class with a line break behind the word stands for itself without a name.
    """
    if re.search(ODD, text):
        yield Header("", None)
    for match in CLASS.finditer(text):
        if _line_start(text, match.start()) == match.start():
            known = match[2] is not None or match[3] is not None
            yield Header(match[1], _bases(match[3] or "") if known else None)


def imports(text: str) -> dict[str, list[Bound]]:
    """What the imports of a text bind, by name; under "*" the modules of which all is taken.

    `import a.b` binds `a`, and stands under "a.b" as well.
    """
    found: dict[str, list[Bound]] = {}
    for at in {_line_start(text, match.start()) for match in IMPORT.finditer(text)}:
        if statement := STATEMENT.match(text, at):
            names = COMMENT.sub("", statement[2] if statement[3] is None else statement[3])
            for name, bound in _bound(statement[1], names.replace("\\", " ")):
                found.setdefault(name, []).append(bound)
    return found


def _bound(module: str | None, names: str) -> Iterator[tuple[str, Bound]]:
    for each in names.split(","):
        match each.split():
            case [name] if module:
                yield name, Bound(module, name)
            case [name]:
                first = name.partition(".")[0]
                yield first, Bound(first, None)
                if first != name:
                    yield name, Bound(name, None)
            case [name, "as", alias]:
                yield alias, Bound(module, name) if module else Bound(name, None)


def _bases(between: str) -> tuple[str, ...] | None:
    """Base classes between two parentheses; None for what is no dotted name, such as a call."""
    text = COMMENT.sub("", between)
    while "[" in text and (shorter := re.sub(SUBSCRIPT, "", text)) != text:
        text = shorter
    given = [stripped for each in text.split(",") if (stripped := each.strip()) and "=" not in each]
    return tuple(given) if all(map(DOTTED.fullmatch, given)) else None


def _line_start(text: str, at: int) -> int:
    """Where the code begins on the line that `at` is on."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    while start < at and text[start] in " \t\f":
        start += 1
    return start


def stored_names(text: str) -> Iterator[str]:
    """Attributes that the text of a method may store on `self`: as a target, or named by a string in a call."""
    for line in text.split("\n"):
        if "self." in line and "=" in line:
            left, _, right = line.partition("=")
            if "self." in left and "(" not in left and not right.startswith("="):
                yield from SELF_ATTRIBUTE.findall(left)
    if "register_" in text or "add_module" in text or "setattr" in text:
        yield from (call[1] or call[2] for call in re.finditer(NAMED_STORE, text))
