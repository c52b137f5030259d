"""The proof that code goes row by row: each row of a result depends on the same row of what was selected alone.

All rows may be computed then. Code between `x[index]` and `x[index] = value` is run on abstract values: rows, their
number, and whatever does not depend on which rows they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import is_property
from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.meta import meta, words
from graphmend_lint.facts.values import CONSTANT, SYMINT, TENSOR, UNKNOWN
from graphmend_lint.rewrite import rowwise_ops as ops
from graphmend_lint.rewrite.rowwise_calls import call, imports
from graphmend_lint.rewrite.rowwise_values import (
    FOREIGN,
    INDEX,
    NUMBER,
    PLAIN,
    Count,
    Env,
    Frame,
    Many,
    NotRowWise,
    Rows,
    Seen,
    Sizes,
    is_plain,
    joined,
    plain_of,
)
from graphmend_lint.rewrite.whether import is_none
from graphmend_lint.shapes import dotted, names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

DEPTH: Final = 5  #: calls inside calls that are looked into
Store = ast.Assign | ast.AugAssign | ast.Expr
FACTS: Final = words("dtype device requires_grad is_cuda layout ndim")


class RowWise:
    """One attempt to prove it."""

    takes_calls = False  #: rows may also be taken and stored by methods: `index_select`, `index_copy_`
    masked = False  #: the rows are those of a mask, which may have several dimensions

    def __init__(self, facts: Facts, stored: frozenset[str]) -> None:
        self.facts = facts
        self.stored = stored  #: paths of tensors that rows are stored into: what is read of them is copied
        self.loads: list[ast.Subscript] = []  #: `x[index]`
        self.selects: list[ast.Call] = []  #: `x.index_select(0, index)`
        self.stores: list[Store] = []  #: `x[index] = value`
        self.guarded: list[ast.If] = []  #: `if len(index) > 0`
        self.copies = False  #: something is changed in place that may be part of a tensor from outside
        self.notes: set[str] = set()  #: what holds only in eval mode: "batch", "random"
        self.depth = 0
        self.imports = imports(facts.source.tree)

    # Statements

    def run(self, block: Iterable[ast.stmt], frame: Frame) -> None:
        """Run statements.

        Raises:
            NotRowWise: if something in them is not proven to go row by row.
        """
        for statement in block:
            if not frame.live:
                return
            self._statement(statement, frame)

    def _statement(self, statement: ast.stmt, frame: Frame) -> None:
        """Run one statement."""
        match statement:
            case ast.Assign(targets=[ast.Subscript(slice=index)]) | ast.AugAssign(target=ast.Subscript(slice=index)):
                self._store(statement, index, frame)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=[at, index, _], keywords=[])) if (
                name == "index_add_" or (name == "index_copy_" and self.takes_calls)
            ):
                self._added(statement, at, index, frame)
            case ast.Assign(targets=[target], value=value):
                _bind(target, self.eval(value, frame), frame)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                _bind(target, self.eval(value, frame), frame)
            case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
                self._augmented(name, self.eval(target, frame), self.eval(value, frame), frame)
            case ast.If():
                self._branch(statement, frame)
            case ast.Return(value=value):
                frame.returns.append(PLAIN if value is None else self.eval(value, frame))
                frame.live = False
            case ast.Raise():
                frame.live = False
            case ast.Assert(test=test):
                self._static(test, frame)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Delete(targets=targets) if all(isinstance(each, ast.Name) for each in targets):
                pass
            case _:
                raise NotRowWise(statement)

    def _store(self, statement: Store, index: ast.expr, frame: Frame) -> None:
        """`x[index] = value`; only where the index itself is at hand, not in functions that rows are passed to."""
        if not isinstance(index, ast.Name) or frame.names.get(index.id) is not INDEX:
            raise NotRowWise(statement)
        tensor, given = target_of(statement)
        value = self.eval(given, frame)
        fits = value is NUMBER or (isinstance(value, Rows) and value.exact)
        if dotted(tensor) is None or not fits or not is_plain(self.eval(tensor, frame)):
            raise NotRowWise(statement)
        if isinstance(statement, ast.AugAssign) and not isinstance(statement.op, ast.Add | ast.Sub | ast.Mult):
            raise NotRowWise(statement)
        self.copies |= any(isinstance(each, Rows) and each.shared for each in frame.names.values())
        self.stores.append(statement)

    def _added(self, statement: ast.Expr, at: ast.expr, index: ast.expr, frame: Frame) -> None:
        """`x.index_add_(0, index, value)`, `x.index_copy_(0, index, value)`."""
        if ops.number(at) != 0:
            raise NotRowWise(statement)
        self._store(statement, index, frame)

    def _augmented(self, name: str, old: Seen, value: Seen, frame: Frame) -> None:
        if isinstance(old, Count) or isinstance(value, Count) or value is INDEX or old is INDEX:
            raise NotRowWise(name)
        if isinstance(old, Rows):
            self.copies |= old.shared
        elif isinstance(value, Rows):
            raise NotRowWise(name)
        frame.names[name] = old

    def _branch(self, statement: ast.If, frame: Frame) -> None:
        none = self.asks(statement.test, frame)
        if none is None:
            self._static(statement.test, frame)
            arms = [frame.copy(), frame.copy()]
            self.run(statement.body, arms[0])
            self.run(statement.orelse, arms[1])
            frame.become(arms)
        elif none or statement.orelse:
            raise NotRowWise(statement)
        else:
            self.guarded.append(statement)
            self.run(statement.body, frame)

    def asks(self, test: ast.expr, frame: Frame) -> bool | None:
        """Whether a test asks if no rows are selected (True), or any are (False)."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found = self.asks(operand, frame)
                return None if found is None else not found
            case ast.BoolOp(op=ast.And(), values=values):
                answers = {self.asks(each, frame) for each in values} - {None}
                return False if answers == {False} else None
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int(bound))]):
                return is_none(op, bound) if self._is_length(left, frame) else None
        return False if self._is_length(test, frame) else None

    def _is_length(self, node: ast.expr, frame: Frame) -> bool:
        names = [each for each in walk(node) if isinstance(each, ast.Name)]
        if not any(frame.names.get(each.id) is INDEX for each in names):
            return False
        return self.eval(node, frame) == Count(True)

    def _static(self, test: ast.expr, frame: Frame) -> None:
        """Evaluate a test.

        Raises:
            NotRowWise: if it depends on the rows, or on how many there are.
        """
        if not isinstance(test, ast.BoolOp):
            if not is_plain(self.eval(test, frame)):
                raise NotRowWise(test)
            return
        for each in test.values:
            self._static(each, frame)

    # Expressions

    def eval(self, node: ast.expr, frame: Frame) -> Seen:
        """The abstract value of an expression.

        Raises:
            NotRowWise: if it is none.
        """
        match node:
            case ast.Constant(value=value):
                return NUMBER if isinstance(value, int | float) else PLAIN
            case ast.Name(id=name):
                return frame.names.get(name) or self._outer(node)
            case ast.Attribute():
                return self._attribute(node, frame)
            case ast.Subscript():
                return self._subscript(node, frame)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.eval(left, frame), self.eval(right, frame))
            case ast.UnaryOp(operand=operand):
                return ops.elementwise([self.eval(operand, frame)])
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(op, self.eval(left, frame), self.eval(right, frame))
            case ast.BoolOp(values=values):
                return self._plain([self.eval(each, frame) for each in values])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._static(test, frame)
                return joined(self.eval(body, frame), self.eval(orelse, frame))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return self._several(elements, frame)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return self._plain([self.eval(each, frame) for each in (lower, upper, step) if each is not None])
            case ast.Call(func=ast.Attribute(value=tensor, attr="index_select"), args=[at, ast.Name(id=name)]) if (
                self.takes_calls and frame.names.get(name) is INDEX and ops.number(at) == 0 and not node.keywords
            ):
                rows = self._loaded(tensor, frame)
                self.selects += [] if node in self.selects else [node]
                return rows
            case ast.Call():
                return call(node, self, frame)
            case ast.JoinedStr():
                return PLAIN
        raise NotRowWise(node)

    def _outer(self, node: ast.expr) -> Seen:
        """The value of something that has nothing to do with the rows."""
        kinds = self.facts.kinds(node)
        if kinds and not kinds & ~(CONSTANT | SYMINT):
            return NUMBER
        is_name = isinstance(node, ast.Name) and kinds & (TENSOR | UNKNOWN)
        return FOREIGN if is_name and not meta(node, self.facts).is_0d else PLAIN

    def _several(self, elements: list[ast.expr], frame: Frame) -> Seen:
        values = tuple(self.eval(each, frame) for each in elements)
        return plain_of(values) if all(map(is_plain, values)) else Many(values)

    @staticmethod
    def _plain(values: Iterable[Seen]) -> Seen:
        found = list(values)
        if not all(map(is_plain, found)):
            raise NotRowWise("a part depends on the rows")
        return plain_of(found)

    @staticmethod
    def _operation(op: ast.operator, left: Seen, right: Seen) -> Seen:
        if isinstance(left, Count) or isinstance(right, Count):
            other = right if isinstance(left, Count) else left
            if isinstance(op, ast.Mult) and is_plain(other):
                return Count(False)
            raise NotRowWise("the number of rows is used")
        if isinstance(op, ast.MatMult) and not is_plain(right):
            raise NotRowWise("rows are multiplied with rows")
        return ops.elementwise([left, right])

    @staticmethod
    def _compared(op: ast.cmpop, left: Seen, right: Seen) -> Seen:
        if isinstance(op, ast.Is | ast.IsNot):
            return PLAIN
        if isinstance(op, ast.In | ast.NotIn):
            return RowWise._plain([left, right])
        return ops.elementwise([left, right])

    def _attribute(self, node: ast.Attribute, frame: Frame) -> Seen:
        owner = self.eval(node.value, frame)
        if is_property(node, self.facts) and effects(node, self.facts).refusal:
            raise NotRowWise(node)
        if is_plain(owner):
            return self._outer(node)
        if isinstance(owner, Rows) and node.attr == "shape":
            return Sizes(owner.rank, owner.exact, node.value.id if isinstance(node.value, ast.Name) else None)
        if owner is INDEX and node.attr == "shape":
            return Sizes(1, True)
        if isinstance(owner, Rows) and node.attr in FACTS:
            return PLAIN
        raise NotRowWise(node)

    def _subscript(self, node: ast.Subscript, frame: Frame) -> Seen:
        owner = self.eval(node.value, frame)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(each, ast.Name) and frame.names.get(each.id) is INDEX for each in parts):
            return self._load(node, parts, frame)
        if isinstance(owner, Sizes):
            return ops.size(owner, ops.number(node.slice))
        if isinstance(owner, Many):
            at = ops.number(node.slice)
            if at is None or not -len(owner.items) <= at < len(owner.items):
                raise NotRowWise(node)
            return owner.items[at]
        if isinstance(owner, Rows):
            return self._part(owner, parts, frame)
        return self._plain([owner, *(self.eval(each, frame) for each in parts)])

    def _load(self, node: ast.Subscript, parts: list[ast.expr], frame: Frame) -> Seen:
        """`x[index]`, `x[index, 1:]`."""
        first, *rest = parts
        named = isinstance(first, ast.Name) and frame.names.get(first.id) is INDEX
        fits = all(ops.is_basic(each) and is_plain(self.eval(each, frame)) for each in rest)
        if not named or not fits:
            raise NotRowWise(node)
        rows = self._loaded(node.value, frame)
        self.loads += [] if node in self.loads else [node]
        return rows

    def _loaded(self, tensor: ast.expr, frame: Frame) -> Seen:
        path = dotted(tensor)
        if not is_plain(self.eval(tensor, frame)) or path is None or ("." in path and path not in self.stored):
            raise NotRowWise(tensor)
        return Rows(None, True, path not in self.stored)

    def _part(self, rows: Rows, parts: list[ast.expr], frame: Frame) -> Seen:
        """`rows[:, 1:]`: the first dimension stays whole."""
        first, *rest = parts
        whole = isinstance(first, ast.Slice) and first.lower is first.upper is first.step is None
        basic = all(ops.is_basic(each) and is_plain(self.eval(each, frame)) for each in rest)
        if _is_ellipsis(first) and basic and len(rest) == 1 and isinstance(rest[0], ast.Slice):
            return rows
        if self.masked or not whole or not basic:
            raise NotRowWise("the first dimension is indexed")
        added = sum(isinstance(each, ast.Constant) and each.value is None for each in rest)
        gone = sum(ops.number(each) is not None for each in rest)
        open_ended = any(map(_is_ellipsis, rest))
        rank = None if rows.rank is None or open_ended else rows.rank + added - gone
        return rows._replace(rank=rank)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def target_of(statement: Store) -> tuple[ast.expr, ast.expr]:
    """The tensor that is stored into, and what is stored."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=tensor)], value=value):
            return tensor, value
        case ast.AugAssign(target=ast.Subscript(value=tensor), value=value):
            return tensor, value
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=tensor), args=[*_, value])):
            return tensor, value
    raise NotRowWise(statement)


def _bind(target: ast.expr, value: Seen, frame: Frame) -> None:
    match target:
        case ast.Name(id=name):
            frame.names[name] = value
        case ast.Tuple(elts=elements) if all(isinstance(each, ast.Name) for each in elements):
            for each, part in zip(elements, _parts(value, len(elements), frame), strict=True):
                _bind(each, part, frame)
        case _:
            raise NotRowWise(target)


def _parts(value: Seen, length: int, frame: Frame) -> list[Seen]:
    if is_plain(value):
        return [PLAIN] * length
    if isinstance(value, Sizes):
        frame.knows(value.of, length)
        return [Count(value.exact), *([NUMBER] * (length - 1))]
    if isinstance(value, Many) and len(value.items) == length:
        return list(value.items)
    raise NotRowWise("unpacked")


def bound_to_rows(block: list[ast.stmt], names: Env) -> set[str]:
    """Names to which statements give a value that depends on the rows."""
    return {name for name in names_bound(block) if not is_plain(names.get(name, PLAIN))}
