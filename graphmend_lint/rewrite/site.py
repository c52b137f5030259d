"""The LibCST side of a file that has something to fix: its nodes by position, and edits built from text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from graphmend_lint.model import Edit
from graphmend_lint.rewrite.imports import name_of
from graphmend_lint.source import Source
from graphmend_lint.syntax import kept

Statements = Sequence[cst.BaseStatement]
WIDTHS = (88, 120)  #: the line length of a file is taken to be that of its longest line, within these bounds


class EditError(Exception):
    """An edit does not fit the way in which the code is written, say several statements on one line."""


class Site:
    """A file as LibCST sees it. Built once per file and round."""

    def __init__(self, source: Source) -> None:
        """Parse the file.

        Raises:
            EditError: if LibCST does not read this text.
        """
        self.source = source
        try:
            self.module = cst.parse_module(source.text)
        except cst.ParserSyntaxError as error:
            raise EditError(str(error)) from None
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        self.ranges = cast(Mapping[cst.CSTNode, CodeRange], wrapper.resolve(PositionProvider))
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self._statements: dict[tuple[int, int], cst.BaseStatement] = {}
        self._expressions: dict[tuple[tuple[int, int], tuple[int, int]], cst.CSTNode] = {}
        self._index()
        self.torch = name_of("torch", source.tree) or "torch"
        longest = max((len(line.rstrip()) for line in source.lines), default=0)
        self.width = min(max(longest, WIDTHS[0]), WIDTHS[1])

    @cached_property
    def text(self) -> str:
        """The file as LibCST writes it."""
        return self.module.code

    def _index(self) -> None:
        stack: list[cst.CSTNode] = [self.module]
        while stack:
            node = stack.pop()
            for child in node.children:
                self.parents[child] = node
                stack.append(child)
            if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
                start = self.ranges[node].start
                self._statements[start.line, start.column] = node

    def statement(self, node: ast.stmt) -> cst.BaseStatement:
        """The statement at the place of `node`.

        Raises:
            EditError: if it shares its line with others.
        """
        start = self.source.span(node).start
        found = self._statements.get((start.row, start.column - 1))
        if found is None or (isinstance(found, cst.SimpleStatementLine) and len(found.body) > 1):
            raise EditError(f"line {start.row} holds more than one statement")
        return found

    def code(self, node: ast.expr | ast.stmt, changed: Mapping[ast.expr, str] = {}) -> str:
        """The text of an expression or a statement, further lines moved left by the indentation of the first.

        `changed` says what to put in the place of expressions inside it.

        Raises:
            EditError: if a string in it goes over several lines.
        """
        text = self._changed(node, changed).replace("\r\n", "\n")
        if isinstance(node, ast.NamedExpr):
            text = f"({text})"  # a line cannot begin or be assigned without
        if "\n" not in text:
            return text
        if '"""' in text or "'''" in text or "\\\n" in text:
            raise EditError("a string or a line continuation spans lines")
        line = self.source.lines[node.lineno - 1]
        margin = len(line) - len(line.lstrip())
        return "\n".join(line if row == 0 else _dedented(line, margin) for row, line in enumerate(text.split("\n")))

    def _changed(self, node: ast.expr | ast.stmt, changed: Mapping[ast.expr, str]) -> str:
        text = self.source.segment(node)
        for each in sorted(changed, key=lambda each: self.source.span(each).start, reverse=True):
            at = self._offset(each, node)
            text = text[:at] + changed[each] + text[at + len(self.source.segment(each)) :]
        return text

    def _offset(self, inner: ast.expr, outer: ast.expr | ast.stmt) -> int:
        """Where a node begins in the text of another, in code points."""
        here, there = self.source.span(outer).start, self.source.span(inner).start
        rows = self.source.lines[here.row - 1 : there.row - 1]
        return sum(map(len, rows)) + there.column - here.column

    def operand(self, node: ast.expr, changed: Mapping[ast.expr, str] = {}) -> str:
        """The text of an expression, in parentheses unless it binds tighter than any operator."""
        text = self.code(node, changed)
        return text if isinstance(node, ATOMS) else f"({text})"

    def argument(self, node: ast.expr, changed: Mapping[ast.expr, str] = {}) -> str:
        """The text of an expression as one argument of a call."""
        text = self.code(node, changed)
        return f"({text})" if isinstance(node, ast.GeneratorExp | ast.Tuple) and text[0] != "(" else text

    def expression(self, node: ast.expr, text: str, *, inside: bool = False) -> Edit:
        """Put the expression `text` in place of `node`; `inside`: keep the parentheses around it.

        Raises:
            EditError: if the node is not found again.
        """
        span = self.source.span(node)
        place = ((span.start.row, span.start.column - 1), (span.end.row, span.end.column - 1))
        if not self._expressions:
            self._expressions = {_corners(self.ranges[each]): each for each in self.parents if _is_expression(each)}
        if place not in self._expressions:
            raise EditError(f"line {span.start.row} is written in a way that cannot be edited")
        old, new = cast(cst.BaseExpression, self._expressions[place]), _parsed(text)
        return Edit(old, new.with_changes(lpar=old.lpar, rpar=old.rpar) if inside else new)

    def keyword(self, node: ast.expr, name: str, value: str) -> Edit:
        """Add a keyword to a call; what is no call, a decorator, becomes one.

        Raises:
            EditError: if the node is not found again.
        """
        old = cast(cst.BaseExpression, self.expression(node, "None").node)
        word = cst.Arg(cst.parse_expression(value), cst.Name(name), equal=cst.AssignEqual(NOTHING, NOTHING))
        if not isinstance(node, ast.Call):
            return Edit(old, cst.Call(old, [word]))
        call = cst.ensure_type(old, cst.Call)
        return Edit(old, call.with_changes(args=[*_with_comma(call), _as_last(word, call)]))

    def room(self, node: ast.stmt, used: int = 0) -> int:
        """Columns left on a line at the indentation of `node`, after `used` of them."""
        return self.width - node.col_offset - used

    def replace(self, node: ast.stmt, text: str, **kept: Iterable[ast.stmt]) -> Edit:
        """Put the statements of `text` where `node` is.

        A line that is a name of `kept` stands for those statements, which keep their text and comments.
        Other comments of `node` go above the new statements.

        Raises:
            EditError: if the place allows no such edit.
        """
        old = self.statement(node)
        statements = {name: [self._bare(each, old) for each in nodes] for name, nodes in kept.items()}
        made = cst.parse_module(text)
        body = self._splice(made.body, statements)
        if made.header and body:  # comments that the text begins with
            lines = [*made.header, *getattr(body[0], "leading_lines", ())]
            body = [body[0].with_changes(leading_lines=lines), *body[1:]]
        body = self._with_comments(old, body)
        parent = self.parents[old]
        if isinstance(old, cst.If) and isinstance(parent, cst.If) and parent.orelse is old:
            return Edit(old, self._else(body))
        return Edit(old, cst.FlattenSentinel(body))

    def loop(
        self, node: ast.For | ast.While, first: str, edits: Iterable[Edit], test: str = "", lead: str = ""
    ) -> Edit:
        """Put the statements `first` before a loop, and edit statements right inside it.

        `test` is what a `while` asks instead, `lead` statements that begin each turn.
        """
        old = self.statement(node)
        assert isinstance(old, cst.For | cst.While)
        swap = _Swap({edit.node: edit.replacement for edit in edits})
        block = cst.ensure_type(old.body.visit(swap), cst.IndentedBlock)
        body: list[cst.BaseStatement] = list(cast(Statements, cst.parse_module(lead).body))
        body += block.body
        made = list(cast(Statements, cst.parse_module(first).body))
        changed = old.with_changes(body=block.with_changes(body=body))
        if test:
            changed = changed.with_changes(test=cst.parse_expression(test))
        if made:
            made[0] = made[0].with_changes(leading_lines=old.leading_lines)
            changed = changed.with_changes(leading_lines=[])
        return Edit(old, cst.FlattenSentinel([*made, changed]))

    def _is_first(self, node: cst.BaseStatement) -> bool:
        parent = self.parents[node]
        return isinstance(parent, cst.IndentedBlock) and parent.body[0] is node

    def remove(self, node: ast.stmt) -> Edit:
        """Take `node` away."""
        return Edit(self.statement(node), cst.RemovalSentinel.REMOVE)

    def comments(self, node: ast.stmt) -> str:
        """The comments above a statement of one line and behind it, a line each, to stand above what takes its place.

        Raises:
            EditError: if the place allows no edit.
        """
        found = self.statement(node)
        behind = getattr(getattr(found, "trailing_whitespace", None), "comment", None)
        lines = [*(each.comment for each in getattr(found, "leading_lines", ())), behind]
        return "".join(f"{each.value}\n" for each in lines if each is not None)

    def _bare(self, node: ast.stmt, old: cst.BaseStatement) -> cst.BaseStatement:
        """The statement to keep; what stands above `old` stays above the new code, not above `old` in it."""
        found = self.statement(node)
        return found.with_changes(leading_lines=[]) if found is old else found

    def _else(self, body: Statements) -> cst.Else | cst.If:
        if len(body) == 1 and isinstance(body[0], cst.If):
            return body[0]
        return cst.Else(cst.IndentedBlock(body))

    def _splice(self, body: Sequence[cst.BaseStatement | cst.BaseSmallStatement], kept: Kept) -> Statements:
        """`body` with the placeholder lines replaced, at every depth."""
        found: list[cst.BaseStatement] = []
        for statement in body:
            match statement:
                case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Name(value=name))]) if name in kept:
                    found += [_without_blank_lines(node) if i == 0 else node for i, node in enumerate(kept[name])]
                case cst.If() | cst.Else() | cst.For() | cst.With():
                    found.append(cast(cst.BaseStatement, _flush(self._splice_compound(statement, kept))))
                case _:
                    found.append(cast(cst.BaseStatement, _flush(statement)))
        return found

    def _splice_compound(self, node: Compound, kept: Kept) -> Compound:
        block = cst.ensure_type(node.body, cst.IndentedBlock)
        body = block.with_changes(body=self._splice(block.body, kept))
        if isinstance(node, cst.If) and node.orelse is not None:
            orelse = cast("cst.If | cst.Else", self._splice_compound(node.orelse, kept))
            return node.with_changes(body=body, orelse=orelse)
        return node.with_changes(body=body)

    def _with_comments(self, old: cst.BaseStatement, body: Statements) -> Statements:
        """Keep what stood above `old` and behind its line, and put comments that the new code lost above it."""
        match old, body:
            case cst.SimpleStatementLine(trailing_whitespace=behind), [cst.SimpleStatementLine() as line]:
                body = [line.with_changes(trailing_whitespace=behind)]
        leading = list(getattr(old, "leading_lines", ()))
        begins = body and isinstance(body[0], cst.FunctionDef) and not self._is_first(old)
        if begins and all(line.comment for line in leading):
            leading.insert(0, cst.EmptyLine(indent=False))
        inside = old.with_changes(leading_lines=[]) if leading else old
        lost = _comments(self.module.code_for_node(inside))
        lost -= _comments("".join(self.module.code_for_node(statement) for statement in body))
        added = [cst.EmptyLine(comment=cst.Comment(text)) for text in lost.elements()]
        if not body:
            return body
        first = body[0].with_changes(leading_lines=[*leading, *added, *getattr(body[0], "leading_lines", ())])
        return [first, *body[1:]]


Compound = cst.If | cst.Else | cst.For | cst.With
Kept = dict[str, list[cst.BaseStatement]]
ATOMS = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict, ast.ListComp, ast.NamedExpr,
)  # fmt: skip


Replaced = cst.CSTNode | cst.FlattenSentinel[cst.CSTNode] | cst.RemovalSentinel


@kept(1)
def site_of(source: Source) -> Site:
    """The site of a file. The last one is remembered, since a report asks once per diagnostic.

    Raises:
        EditError: if LibCST does not read the text.
    """
    return Site(source)


class _Swap(cst.CSTTransformer):
    """Puts other statements in the place of some."""

    def __init__(self, new: Mapping[cst.CSTNode, Replaced]) -> None:
        super().__init__()
        self.new = new

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Replaced:  # type: ignore[override]
        return self.new.get(original_node, updated_node)


NOTHING = cst.SimpleWhitespace("")


def _with_comma(call: cst.Call) -> Sequence[cst.Arg]:
    """The arguments of a call, more to come: each on a line of its own if they begin on one."""
    if not call.args:
        return []
    *others, last = call.args
    before, behind = call.whitespace_before_args, _behind(last)
    comment = getattr(behind, "first_line", None)
    if isinstance(before, cst.ParenthesizedWhitespace):
        before = before.with_changes(first_line=comment or before.first_line, empty_lines=[])
    else:
        before = cst.SimpleWhitespace(" ")
    return [*others, last.with_changes(comma=cst.Comma(whitespace_after=before), whitespace_after_arg=NOTHING)]


def _as_last(word: cst.Arg, call: cst.Call) -> cst.Arg:
    """The new argument, and what stood behind the old last one up to the parenthesis."""
    if not call.args:
        return word
    behind = _behind(call.args[-1])
    if isinstance(behind, cst.ParenthesizedWhitespace):
        plain = behind.first_line.with_changes(whitespace=NOTHING, comment=None)
        behind = behind.with_changes(first_line=plain)
    if isinstance(call.args[-1].comma, cst.Comma):
        return word.with_changes(comma=cst.Comma(whitespace_after=behind))
    return word.with_changes(whitespace_after_arg=behind)


def _behind(last: cst.Arg) -> cst.BaseParenthesizableWhitespace:
    return last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else last.whitespace_after_arg


def _corners(found: CodeRange) -> tuple[tuple[int, int], tuple[int, int]]:
    return (found.start.line, found.start.column), (found.end.line, found.end.column)


def _is_expression(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.BaseExpression)


def _parsed(text: str) -> cst.BaseExpression:
    """The text as an expression. One of several lines may need the parentheses that it stood in."""
    try:
        return cst.parse_expression(text)
    except cst.ParserSyntaxError:
        if "\n" not in text:
            raise
        return cst.parse_expression(f"({text})")


def _dedented(line: str, margin: int) -> str:
    return line[margin:] if line[:margin].isspace() or not line[:margin] else line.lstrip()


def _flush(node: cst.CSTNode) -> cst.CSTNode:
    """The statement with nothing on the blank lines above it."""
    lines = getattr(node, "leading_lines", ())
    return node.with_changes(leading_lines=[each.with_changes(indent=False) for each in lines]) if lines else node


def _without_blank_lines(node: cst.BaseStatement) -> cst.BaseStatement:
    lines = list(getattr(node, "leading_lines", ()))
    while lines and lines[0].comment is None:
        lines.pop(0)
    return node.with_changes(leading_lines=lines)


def _comments(text: str) -> Counter[str]:
    """The comments in a piece of code, in order."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError):
        return Counter()
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
