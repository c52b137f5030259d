"""Conditions as tensors: one 0-dim bool tensor, and what it takes to write it down."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from graphmend_lint.rewrite.site import Site

Code = Callable[["Site"], str]

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Named(NamedTuple):
    """A value that a condition uses more than once, and so gives a name."""

    name: str
    value: ast.expr | Code

    def line(self, site: Site) -> str:
        return f"{self.name} = {site.code(self.value) if isinstance(self.value, ast.expr) else self.value(site)}\n"


class Term(NamedTuple):
    """A 0-dim bool tensor."""

    code: Code
    atom: bool  #: binds tighter than `~` and `&`
    doubt: str = ""  #: one sentence: what may be other than it was; "" if that is proven to be nothing
    before: tuple[Named, ...] = ()  #: what must have a name first
    gates: tuple[Code, ...] = ()  #: it is right only where Python finds these true
    shared: bool = False  #: may be a tensor that something else refers to, and could change
    past: frozenset[str] = frozenset()  #: names that the condition reads, and the code does not
    alone: tuple[Code, bool, tuple[Named, ...]] | None = None  #: the same without gates: code, atom, names

    def operand(self) -> Code:
        return self.code if self.atom else lambda site: f"({self.code(site)})"

    def inverted(self) -> Term:
        alone = (_not(self.ungated()), True, self.alone[2]) if self.alone is not None else None
        return self._replace(code=_not(self), atom=True, shared=False, alone=alone)

    def ungated(self) -> Term:
        """The variant that is right whatever the gates say; the term itself if it has no gates."""
        if self.alone is None:
            return self
        code, atom, before = self.alone
        return self._replace(code=code, atom=atom, before=(*self.before, *before), gates=(), alone=None)

    def names(self, site: Site) -> str:
        """The lines that give names to what the condition uses, each with its line break."""
        return "".join(each.line(site) for each in self.before)


def _not(found: Term) -> Code:
    code = found.operand()
    return lambda site: f"~{code(site)}"


class Condition(NamedTuple):
    """`all(static) and tensor`, or with `or`."""

    static: list[ast.expr]
    joined: type[ast.boolop]  #: And or Or
    tensor: Term
    tests: list[ast.expr]  #: the parts that are tensors

    @property
    def word(self) -> str:
        """What joins the parts: " and " or " or "."""
        return " and " if self.joined is ast.And else " or "

    def known(self, site: Site) -> str:
        """The text of the parts that Python knows, joined; "" if there are none."""
        return self.word.join(part(site, each) for each in self.static)


#: bind less tightly than the operands of `and`, `or` and `if` may
LOOSE: Final = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)


def part(site: Site, node: ast.expr) -> str:
    """The text of an expression as one operand of `and` or `or`."""
    return site.operand(node) if isinstance(node, LOOSE) else site.code(node)


def side(site: Site, node: ast.expr) -> str:
    """The text of an expression as one side of a comparison."""
    loose = isinstance(node, LOOSE_SIDES) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
    return site.operand(node) if loose or node.lineno != node.end_lineno else site.code(node)


LOOSE_SIDES: Final = (ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Tuple)
