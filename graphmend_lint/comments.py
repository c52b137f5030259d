"""Suppression comments as something to write: add those that are missing, find and remove those that do nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmend_lint.keys import UNUSED
from graphmend_lint.model import Applicability, Diagnostic, Fix, Position, Severity, Span, TextEdit
from graphmend_lint.rule import Rule
from graphmend_lint.source import Source
from graphmend_lint.suppress import NOQA, Directive, Scope, Suppressions

UNUSED_DOC = """
## What it does

Finds suppression comments that silence nothing: `# noqa: GM101` where GM101 has nothing to say, or
`# graphmend: ignore` where no rule has.

Asked for with `--unused-suppressions`. It needs to see all that the code is called from: given a part of a project, a
comment may look unused because its function is not reached.

## Why it breaks the graph

It does not. But a comment that silences nothing today hides a break that is written tomorrow.

## Fix safety

Only the codes that do nothing are taken out, and the comment if none is left. Codes of other linters stay, and a bare
`# noqa` is left alone: it may be meant for them.
"""


def unused_rule() -> Rule:
    """What the report says about comments that silence nothing."""
    return Rule(UNUSED, "unused-suppression", (), (), lambda *_: iter(()), UNUSED_DOC)


@dataclass(frozen=True, slots=True)
class Unused:
    """A suppression comment, and those of its codes that silence nothing (none named: all of it)."""

    directive: Directive
    codes: tuple[str, ...]


def unused(source: Source, found: Iterable[Diagnostic], selected: frozenset[str]) -> Iterator[Unused]:
    """The comments that silence none of `found`, which holds what the rules of `selected` say without comments."""
    rows = [(each.span.start.row, each.span.end.row, each.code) for each in found]
    comments = Suppressions(source)
    for directive in comments.directives:
        silenced = {code for row, end, code in rows if comments.reaches(directive, row, end) and directive.names(code)}
        if directive.scope is Scope.ON or _names_all_of_others(source, directive):
            continue
        if not directive.codes and not silenced:
            yield Unused(directive, ())
        idle = tuple(each for each in directive.codes if _ours(each, selected) and not _used(each, silenced))
        if idle:
            yield Unused(directive, idle)


def _names_all_of_others(source: Source, directive: Directive) -> bool:
    """True for a bare `noqa`: other linters may need it."""
    return not directive.codes and re.fullmatch(NOQA, _text(source, directive)) is not None


def _ours(code: str, selected: frozenset[str]) -> bool:
    return any(each.startswith(code) for each in selected)


def _used(code: str, silenced: set[str]) -> bool:
    return any(each.startswith(code) for each in silenced)


def _text(source: Source, directive: Directive) -> str:
    start, end = directive.span.start, directive.span.end
    return source.lines[start.row - 1][start.column - 1 : end.column - 1]


def diagnose(source: Source, each: Unused) -> Diagnostic:
    """A comment that does nothing, as a diagnostic whose fix takes it out."""
    what = ", ".join(each.codes) or "any rule"
    return Diagnostic(
        code=UNUSED,
        name="unused-suppression",
        message=f"this comment silences nothing of {what}",
        path=source.path,
        span=each.directive.span,
        severity=Severity.WARNING,
        graph_breaks=(),
        chain=(),
        outcome=Fix("Remove the suppression", Applicability.SAFE, lambda _: ()),
        node=ast.Pass(),
    )


def removal(source: Source, each: Unused) -> TextEdit:
    """What takes the idle codes out of the comment, or the comment out of the line."""
    span = each.directive.span
    left = [code for code in each.directive.codes if code not in each.codes]
    if left:
        return TextEdit(span, _with_codes(_text(source, each.directive), left))
    line = source.lines[span.start.row - 1]
    before, after = line[: span.start.column - 1], line[span.end.column - 1 :]
    if after.strip() and not after.lstrip().startswith("#"):
        return TextEdit(span, "#")  # what follows is a comment of its own
    start = len(before.rstrip()) if not after.strip() else span.start.column - 1
    end = span.end.column - 1 + len(after) - len(after.lstrip() if after.strip() else after.lstrip(" \t"))
    if not before.strip() and not after.strip():
        return TextEdit(Span(Position(span.start.row, 1), Position(span.start.row + 1, 1)), "")
    return TextEdit(Span(Position(span.start.row, start + 1), Position(span.start.row, end + 1)), "")


def _with_codes(comment: str, codes: list[str]) -> str:
    if "[" in comment:
        return re.sub(r"\[.*\]", f"[{', '.join(codes)}]", comment)
    return comment[: comment.index(":", comment.lower().index("noqa"))] + f": {', '.join(codes)}"


def without(source: Source, idle: Iterable[Unused]) -> Source:
    """The source without the codes and comments that do nothing."""
    text = source.edited(removal(source, each) for each in idle)
    return Source(source.path, text, source.encoding, source.bom)


def with_noqa(source: Source, found: Iterable[Diagnostic]) -> Source:
    """The source with a `noqa` comment for each diagnostic, on its first row if a comment can stand there."""
    for each in found:
        row, end_row = each.span.start.row, each.span.end.row
        last = Suppressions(source, lines_wanted=True).logical_line(row)[1]
        candidates = (_commented(source, at, each.code) for at in dict.fromkeys((row, last)))
        source = next((new for new in candidates if _same(source, new, row, end_row, each.code)), source)
    return source


def _commented(source: Source, row: int, code: str) -> Source:
    lines = list(source.lines)
    line = lines[row - 1]
    body = line.rstrip("\r\n")
    lines[row - 1] = add_noqa(body, code) + line[len(body) :]
    return Source(source.path, "".join(lines), source.encoding, source.bom)


def add_noqa(line: str, code: str) -> str:
    """`line` (without its end) with a `noqa` comment for the code, in addition to those it names already."""
    match = next((each for each in re.finditer(NOQA, line) if each["codes"] and not each["file"]), None)
    if match is None:
        return f"{line.rstrip()}  # noqa: {code}"
    named = [each for each in re.split(r"[,\s]+", match["codes"].upper()) if each]
    codes = ", ".join(sorted({*named, code}))
    return line[: match.start()] + f"# noqa: {codes}" + line[match.end() :]


def _same(old: Source, new: Source, row: int, end_row: int, code: str) -> bool:
    """True if the new text means the same, and the comment is understood."""
    try:
        alike = ast.dump(ast.parse(new.text)) == ast.dump(old.tree)
    except SyntaxError:
        return False
    return alike and Suppressions(new).covers(row, end_row, code)
