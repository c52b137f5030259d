"""Breaks new lines that are too long: at the last bracket, at commas, or at operators."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Final, NamedTuple

from graphmend_lint.lines import lines_of

INDENT: Final = "    "
TOO_LONG: Final = 120  #: columns that every line may have
SHORT: Final = re.compile(r"(?:\.\w+\([^()\[\]{}]{0,12}\))+$")  #: calls of methods that are not worth breaking
OPEN: Final = frozenset("([{")
CLOSE: Final = frozenset(")]}")
#: what a line may begin with, and what may stay at the end of one; the first that is there decides
LEVELS: Final = (
    frozenset({"for"}), frozenset({","}), frozenset({"if", "else"}), frozenset({"or"}), frozenset({"and"}),
    frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "is"}), frozenset({"|"}), frozenset({"&"}),
    frozenset({"+", "-"}), frozenset({"*", "/", "//", "@"}),
)  # fmt: skip
ENDS_IN_BRACKET: Final = (ast.Call, ast.Subscript, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


class Mark(NamedTuple):
    """A token that stands in no bracket."""

    text: str
    start: int
    end: int


def folded(before: str, after: str, width: int) -> str:
    """The new text with each of its lines that is new, longer than `width` and one statement, broken over several."""
    old, lines = {line.rstrip("\r\n") for line in lines_of(before)}, lines_of(after)
    long = {
        row for row, line in enumerate(lines, 1) if len(line.rstrip()) > TOO_LONG and line.rstrip("\r\n") not in old
    }
    if not long:
        return after
    tree = ast.parse(after)
    starts = {each.lineno: each for each in ast.walk(tree) if isinstance(each, ast.stmt) and each.lineno in long}
    for row in sorted(long):
        line = lines[row - 1]
        end = line[len(line.rstrip("\r\n")) :]
        rows = _fold(starts[row], line.rstrip(), width) if row in starts else _fold_inside(line.rstrip(), width)
        new = "".join(f"{each}{end}" for each in rows)
        if row in starts or _is_same("".join([*lines[: row - 1], new, *lines[row:]]), tree):
            lines[row - 1] = new
    return "".join(lines)


def _fold_inside(line: str, width: int) -> list[str]:
    """A line that is one part of a statement, broken over several."""
    try:
        ast.parse(line.strip().removesuffix(","), mode="eval")
    except SyntaxError:
        return [line]
    return _part(line.strip(), line[: len(line) - len(line.lstrip())], width) if line.isascii() else [line]


def _is_same(text: str, tree: ast.Module) -> bool:
    try:
        return ast.dump(ast.parse(text)) == ast.dump(tree)
    except SyntaxError:
        return False


def _fold(node: ast.stmt, line: str, width: int) -> list[str]:
    """The statement, or the head of one, broken over several lines.

    As it is, if there is no place to break it, or it would mean something else.
    """
    body = "\n    pass" if isinstance(node, ast.For | ast.If | ast.While) else ""
    plain = node.lineno == node.end_lineno and len(line.strip()) == (node.end_col_offset or 0) - node.col_offset
    if not line.isascii() or not (plain or (body and line.endswith(":"))):
        return [line]
    rows = _broken(node, line, width)
    try:
        same = _meaning("\n".join(rows), body) == _meaning(line, body)
    except SyntaxError:
        return [line]
    return rows if same else [line]


def _meaning(text: str, body: str) -> str:
    return ast.dump(ast.parse(f"{text.strip().removeprefix('el')}{body}"))


def _broken(node: ast.stmt, line: str, width: int) -> list[str]:
    """The lines of a statement, broken inside the value that it is about."""
    margin = line[: len(line) - len(line.lstrip())]
    match node:
        case ast.Assign(targets=[ast.Subscript() as target], value=value) if _width(value) < _width(target):
            return _at_bracket(line[: target.end_col_offset], line[target.end_col_offset :], width) or [line]
        case ast.Assert(msg=ast.expr() as told) if told.col_offset < width:
            return [f"{line[: told.col_offset]}(", f"{margin}{INDENT}{line[told.col_offset :]}", f"{margin})"]
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Expr(value=value) | ast.Assert(test=value):
            pass
        case ast.AnnAssign(value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            pass
        case ast.For(iter=value) | ast.If(test=value) | ast.While(test=value):
            pass
        case _:
            return [line]
    start, end = value.col_offset, value.end_col_offset or 0
    if line[start - 1 : start] == "(":  # brackets around it already
        return _at_bracket(line, "", width) or [line]
    found = _at_bracket(line[:end], line[end:], width) if isinstance(value, ENDS_IN_BRACKET) else []
    if found and len(found[0]) <= width:
        return found
    rows = _body(line[start:end], f"{margin}{INDENT}", width, listed=isinstance(value, ast.Tuple))
    return [f"{line[:start]}(", *rows, f"{margin}){line[end:]}"]


def _width(node: ast.expr) -> int:
    return (node.end_col_offset or 0) - node.col_offset if node.lineno == node.end_lineno else 0


def _at_bracket(text: str, behind: str, width: int) -> list[str]:
    """The text broken inside the bracket that it ends in; no lines if there is none, or it is empty."""
    margin = text[: len(text) - len(text.lstrip())]
    called = SHORT.search(text)
    text, behind = (text[: called.start()], called[0] + behind) if called is not None else (text, behind)
    at = _opening(text)
    if at is None or not text[at + 1 : -1].strip():
        return []
    rows = _body(text[at + 1 : -1], f"{margin}{INDENT}", width, listed=True)
    return [text[: at + 1], *rows, f"{margin}{text[-1]}{behind}"]


def _body(text: str, margin: str, width: int, *, listed: bool) -> list[str]:
    """The content of a bracket: on one line if that holds it, else one part per line. `listed`: split at commas."""
    marks, known = _marks(text), {each.text for each in _marks(text)}
    if len(margin) + len(text) <= width:
        return [f"{margin}{text}"]
    level = next((each for each in LEVELS if each & known - {marks[0].text} and ("," not in each or listed)), None)
    if level is None:
        return _at_bracket(f"{margin}{text}", "", width) or [f"{margin}{text}"]
    places = [each.end if each.text == "," else each.start for each in marks if each.text in level]
    if "for" in level:
        first = places[0]
        places += [each.start for each in marks if each.text == "if" and each.start > first]
    ends = [*sorted(places), len(text)]
    parts = [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]
    parts = [each for each in parts if each]
    if "," in level and not parts[-1].endswith(","):
        parts[-1] += ","
    return [row for each in parts for row in _part(each, margin, width)]


def _part(text: str, margin: str, width: int) -> list[str]:
    if len(margin) + len(text) <= width:
        return [f"{margin}{text}"]
    comma = "," if text.endswith(",") else ""
    inner = text.removesuffix(",")
    rows = _body(inner, margin, width, listed=False)
    rows[-1] += comma
    fits = len(rows) > 1 and all(len(row) <= width for row in rows)
    return rows if fits else _at_bracket(f"{margin}{inner}", comma, width) or rows


def _marks(text: str) -> list[Mark]:
    """The tokens outside brackets; none if the text is neither an expression nor several of them."""
    found, depth = list[Mark](), 0
    for each in _tokens(text):
        depth -= each.text in CLOSE
        if depth == 0 and each.text not in CLOSE:
            found.append(each)
        depth += each.text in OPEN
    return found


def _opening(text: str) -> int | None:
    """The index of the opening bracket whose closing one ends the text; None if no bracket does."""
    open_at: list[int] = []
    last = None
    for each in _tokens(text):
        if each.text in OPEN:
            open_at.append(each.start)
        elif each.text in CLOSE and open_at:
            last = (open_at.pop(), each.end)
    return last[0] if last is not None and last[1] == len(text) else None


def _tokens(text: str) -> list[Mark]:
    """The tokens of one line, as far as they can be read."""
    lead, found = len(text) - len(text.lstrip()), list[Mark]()
    try:
        for each in tokenize.generate_tokens(io.StringIO(text.lstrip()).readline):
            if each.start[0] == 1 and each.string.strip():
                found.append(Mark(each.string, each.start[1] + lead, each.end[1] + lead))
    except tokenize.TokenError:
        pass
    return found
